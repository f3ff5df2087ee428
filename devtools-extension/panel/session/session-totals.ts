import { addressOf } from '../../text/address.ts';
import { formatLabel, isFailed, type Row } from '../requests/row.ts';

/** Totals of the requests with one address and format. */
export interface SessionTotal {
  address: string;
  format: string;
  count: number;
  /** Sizes of the bodies, and of all transferred bytes. */
  size: number;
  transferred: number;
  failed: number;
}

/** Group of a request in the totals: its URL without query and ids, and its format. */
export function groupOf(row: Row): { address: string; format: string } {
  const { exchange, detection } = row;
  const address = addressOf(exchange.url).replaceAll(/(?<=\/)(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{16,})(?=\/|$)/gi, '*');
  return { address, format: detection?.format || exchange.messages ? formatLabel(row) : '–' };
}

/** Totals by address and format, largest first. */
export function sessionTotals(rows: readonly Row[]): SessionTotal[] {
  const totals = new Map<string, SessionTotal>();
  for (const row of rows) {
    const { exchange, size } = row;
    if (exchange.method === 'FILE') continue;
    const { address, format } = groupOf(row);
    const key = `${format} ${address}`;
    let total = totals.get(key);
    if (!total) totals.set(key, (total = { address, format, count: 0, size: 0, transferred: 0, failed: 0 }));
    total.count += 1;
    total.size += Math.max(0, size);
    total.transferred += Math.max(0, exchange.transferred);
    if (isFailed(row)) total.failed += 1;
  }
  return [...totals.values()].toSorted((a, b) => b.transferred - a.transferred || b.size - a.size);
}
