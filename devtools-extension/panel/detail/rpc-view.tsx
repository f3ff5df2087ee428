import { toBase64 } from '../../adapter/bytes.ts';
import type { RpcStatus } from '../../reading/protocol.ts';
import { hexOf } from '../copy/copy.ts';
import { visible, visibleLines } from '../../text/visible-text.ts';
import { Facts, FactSection } from '../shared/facts.tsx';

/** Status, details and trailers of a gRPC, gRPC-web or Connect call. */
export function RpcView({ rpc }: { rpc: RpcStatus }) {
  const { protocol, code, name, message, details, trailers } = rpc;
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Status and trailers of the call">
      <Facts title="Status" facts={[[`${protocol} status`, `${code} ${name}`, code > 0], ...(message ? [['Message', message] as const] : [])]} />
      {details.length > 0 && (
        <FactSection title="Details">
          {details.map(({ type, value, bytes }, index) => (
            <figure class="rpc-detail" key={index}>
              <figcaption>{visible(type)}</figcaption>
              <pre class="code">{value === undefined ? hexOf(bytes, ' ') : visibleLines(toPlainJson(value))}</pre>
            </figure>
          ))}
        </FactSection>
      )}
      <Facts title="Trailers" facts={trailers.map((trailer) => [trailer.name, trailer.value])} empty="None" />
    </div>
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
