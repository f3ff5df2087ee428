import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { toBase64 } from '../../adapter/bytes.ts';
import type { RpcDetail, RpcStatus } from '../../reading/protocol.ts';
import { hexOf } from '../copy/copy.ts';
import type { Panel } from '../panel.ts';
import { visible, visibleLines } from '../../text/visible-text.ts';
import { Facts, FactSection } from '../shared/facts.tsx';

/** Status, details and trailers of a gRPC, gRPC-web or Connect call. */
export function RpcView({ panel, rpc }: { panel: Panel; rpc: RpcStatus }) {
  const { protocol, code, name, message, details, trailers } = rpc;
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Status and trailers of the call">
      <Facts title="Status" facts={[[`${protocol} status`, `${code} ${name}`, code > 0], ...(message ? [['Message', message] as const] : [])]} />
      {details.length > 0 && (
        <FactSection title="Details">
          {details.map((detail, index) => (
            <Detail panel={panel} detail={detail} key={index} />
          ))}
        </FactSection>
      )}
      <Facts title="Trailers" facts={trailers.map((trailer) => [trailer.name, trailer.value])} empty="None" />
    </div>
  );
}

/** A detail of a status, by its schema if the user or the page's scripts have one. */
function Detail({ panel, detail: { type, value, bytes } }: { panel: Panel; detail: RpcDetail }) {
  const named = useSignal<unknown>(undefined);
  const { client, schemas } = panel;
  const schema = schemas.forMessage(type);
  useEffect(() => {
    named.value = undefined;
    if (!schema) {
      void schemas.found?.search();
      return;
    }
    const request = { bytes, contentType: '', format: schema.format, schema };
    void client.call('exportBody', request).then(
      ({ json }) => (named.value = json && JSON.parse(new TextDecoder().decode(json))),
      () => undefined,
    );
  }, [client, schemas, bytes, schema?.name]);
  const shown = named.value ?? value;
  return (
    <figure class="rpc-detail">
      <figcaption>{visible(type)}</figcaption>
      <pre class="code">{shown === undefined ? hexOf(bytes, ' ') : visibleLines(toPlainJson(shown))}</pre>
    </figure>
  );
}

/** Decoded value as indented JSON, with bytes as base64 and big integers as digits. */
function toPlainJson(value: unknown): string {
  return JSON.stringify(
    value,
    (_, item: unknown) =>
      typeof item === 'bigint' ? String(item) : item instanceof Uint8Array ? toBase64(item) : item instanceof Map ? Object.fromEntries(item) : item,
    2,
  );
}
