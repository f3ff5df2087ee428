import type { RpcDetail, RpcStatus } from '../../reading/protocol.ts';
import { hexOf, toBase64 } from '../../adapter/bytes.ts';
import type { Panel } from '../panel.ts';
import { Facts } from '../shared/facts.tsx';
import { useAnswer } from '../shared/use-answer.ts';

/** Status, details and trailers of a gRPC, gRPC-web or Connect call. */
export function RpcView({ panel, rpc }: { panel: Panel; rpc: RpcStatus }) {
  const { protocol, code, name, message, details, trailers } = rpc;
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Status and trailers of the call">
      <Facts title="Status" facts={[[`${protocol} status`, `${code} ${name}`, code > 0], ...(message ? [['Message', message] as const] : [])]} />
      {details.map((detail, index) => (
        <Detail panel={panel} detail={detail} key={index} />
      ))}
      <Facts
        title="Trailers"
        facts={trailers.map(({ name, value }) => [name, name === 'grpc-status-details-bin' && details.length > 0 ? 'see above' : value])}
        empty="None"
      />
    </div>
  );
}

/** A detail of a status, by its schema if the user or the page's scripts have one. */
function Detail({ panel, detail: { type, value, bytes } }: { panel: Panel; detail: RpcDetail }) {
  const { client, schemas } = panel;
  const schema = schemas.forMessage(type);
  const named = useAnswer<unknown>(async () => {
    if (!schema) return schemas.found?.search();
    const { json } = await client.call('exportBody', { bytes, contentType: '', format: schema.format, schema });
    return json && JSON.parse(new TextDecoder().decode(json));
  }, [client, schemas, bytes, schema?.name]);
  const shown = named ?? value;
  return <Facts title={type} facts={shown === undefined ? [['bytes', hexOf(bytes)]] : factsOf(shown)} empty="No fields" />;
}

/** Rows of a message: one for each field, and of a list one for each item that is no number. */
function factsOf(message: unknown): (readonly [name: string, value: string])[] {
  return entriesOf(message).flatMap(([name, value]) =>
    Array.isArray(value) && value.some((item) => typeof item === 'object' || typeof item === 'string')
      ? value.map((item, index) => [`${name}[${index}]`, textOf(item)] as const)
      : [[name, textOf(value)] as const],
  );
}

/** Text of a value in one line: that of a string is plain, and fields follow their names. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return typeof value === 'string' ? value : inLine(value);
  if (Array.isArray(value)) return value.map((item) => inLine(item)).join(', ');
  return entriesOf(value)
    .map(([name, item]) => `${name}: ${inLine(item)}`)
    .join(', ');
}

function entriesOf(value: unknown): [string, unknown][] {
  return value instanceof Map ? Array.from(value, ([key, item]) => [String(key), item]) : Object.entries(value as object);
}

/** Value as JSON, with bytes as base64 and big integers as digits. */
function inLine(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'bigint' ? String(item) : item instanceof Uint8Array ? toBase64(item) : item instanceof Map ? Object.fromEntries(item) : item,
  );
}
