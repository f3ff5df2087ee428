import { type AnyEncoding, ENCODING_TABLE } from './encodings.ts';

/** Which trips, and how they come. */
export interface PayloadQuery {
  rows: number;
  encoding: AnyEncoding;
  /** Mbit/s, 0 for as fast as can be. */
  throttle?: number;
  /** Milliseconds before the first byte. */
  latency?: number;
  /** What goes wrong on the way; see `demo/server/damage.mjs`. */
  damage?: string;
}

/** Where the server has a payload, as it is. Lists of requests show the end of the path, so that is another for each. */
export function payloadUrl(query: PayloadQuery): string {
  return `payload/${ENCODING_TABLE[query.encoding].name}?${search(query)}`;
}

/** The same where the service worker answers. */
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
