import { addressOf } from './address.ts';
import type { Row } from './row.ts';

/** What the requests of an address and format take together. */
export interface SessionTotal {
  address: string;
  format: string;
  count: number;
  /** Bytes of the bodies, and of what came over the network. */
  size: number;
  transferred: number;
  /** Milliseconds to decode, of those bodies whose time is known. */
  decodeMs: number;
  failed: number;
}

/** Lines that people have, in bits a second (https://github.com/GoogleChrome/lighthouse/blob/main/docs/throttling.md). */
export const LINES = [
  { name: 'slow 3G', bits: 400_000 },
  { name: 'slow 4G', bits: 1_600_000 },
  { name: '4G', bits: 9_000_000 },
] as const;

/** The requests of the session by address, without what follows a question mark, and format; the largest first. */
export function sessionTotals(rows: readonly Row[]): SessionTotal[] {
  const totals = new Map<string, SessionTotal>();
  for (const { exchange, detection, size, decodeMs } of rows) {
    if (exchange.method === 'FILE') continue;
    const address = addressOf(exchange.url).replaceAll(/(?<=\/)(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{16,})(?=\/|$)/gi, '*');
    const format = detection?.format ?? (exchange.messages ? exchange.initiator : '–');
    const key = `${format} ${address}`;
    let total = totals.get(key);
    if (!total) totals.set(key, (total = { address, format, count: 0, size: 0, transferred: 0, decodeMs: 0, failed: 0 }));
    total.count += 1;
    total.size += Math.max(0, size);
    total.transferred += Math.max(0, exchange.transferred);
    total.decodeMs += decodeMs ?? 0;
    if (exchange.status >= 400 || (detection?.rpc?.code ?? 0) > 0) total.failed += 1;
  }
  return [...totals.values()].toSorted((a, b) => b.transferred - a.transferred || b.size - a.size);
}

/** Milliseconds that bytes take over a line, once it has come up to speed. */
export function transferTime(bytes: number, bits: number): number {
  return (bytes * 8 * 1000) / bits;
}
