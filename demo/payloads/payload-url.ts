import { type AnyEncoding, ENCODING_TABLE } from './encodings.ts';

/** Parameters of a payload and of its transfer. */
export interface PayloadQuery {
  rows: number;
  encoding: AnyEncoding;
  /** Mbit/s; 0 for no limit. */
  throttle?: number;
  /** Milliseconds before the first byte. */
  latency?: number;
  /** Damage during the transfer; see `demo/server/damage.mjs`. */
  damage?: string;
}

/** Address of a payload. The path ends in the encoding's name, which lists of requests show. */
export function payloadUrl(query: PayloadQuery): string {
  return `payload/${ENCODING_TABLE[query.encoding].name}?${search(query)}`;
}

/** Address of a payload that the service worker decodes. */
export function apiUrl(query: PayloadQuery): string {
  return `api/trips?${search(query)}`;
}

function search({ rows, encoding, throttle = 0, latency = 0, damage = 'none' }: PayloadQuery): string {
  return new URLSearchParams({
    format: encoding,
    rows: String(rows),
    ...(throttle > 0 && { throttle: String(throttle) }),
    ...(latency > 0 && { latency: String(latency) }),
    ...(damage !== 'none' && { damage }),
  }).toString();
}
