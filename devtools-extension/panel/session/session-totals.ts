import { addressOf } from '../../text/address.ts';
import { isFailed, type Row } from '../requests/row.ts';

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

/** What the totals of a request are by: its address, without what follows a question mark and without ids, and its format. */
export function groupOf({ exchange, detection }: Row): { address: string; format: string } {
  const address = addressOf(exchange.url).replaceAll(/(?<=\/)(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{16,})(?=\/|$)/gi, '*');
  return { address, format: detection?.format ?? (exchange.messages ? exchange.initiator : '–') };
}

/** The requests of the session by address and format; the largest first. */
export function sessionTotals(rows: readonly Row[]): SessionTotal[] {
  const totals = new Map<string, SessionTotal>();
  for (const row of rows) {
    const { exchange, size, decodeMs } = row;
    if (exchange.method === 'FILE') continue;
    const { address, format } = groupOf(row);
    const key = `${format} ${address}`;
    let total = totals.get(key);
    if (!total) totals.set(key, (total = { address, format, count: 0, size: 0, transferred: 0, decodeMs: 0, failed: 0 }));
    total.count += 1;
    total.size += Math.max(0, size);
    total.transferred += Math.max(0, exchange.transferred);
    total.decodeMs += decodeMs ?? 0;
    if (isFailed(row)) total.failed += 1;
  }
  return [...totals.values()].toSorted((a, b) => b.transferred - a.transferred || b.size - a.size);
}
