import type { Limits } from '../../core/limits.ts';
import { COMMA, QUOTE, scalarEnd } from './bytes.ts';
import { itemEnd, JsonScan } from './scan.ts';
import { textOf } from './values.ts';

/**
 * Items of the list at `at..to` before the first that is incomplete, does not parse or exceeds a limit. `depth` is the
 * list's own.
 */
export function soundItems(bytes: Uint8Array, at: number, to: number, { depth: most, stringLength }: Limits, depth: number): unknown[] {
  const scan = new JsonScan();
  const items: unknown[] = [];
  for (let from = at; from < to;) {
    const end = itemEnd(bytes, from, to);
    // A number may continue after `to`.
    const isWhole = end < to || scalarEnd(bytes, from) >= 0 || bytes[to - 1] === QUOTE;
    scan.look(bytes, from, end, depth);
    if (!isWhole || scan.longest > stringLength || scan.deepest > most) break;
    let item: unknown[];
    try {
      item = JSON.parse(`[${textOf(bytes, from, end)}]`) as unknown[];
    } catch {
      break;
    }
    if (item.length !== 1) break;
    items.push(item[0]);
    if (bytes[end] !== COMMA) break;
    from = end + 1;
  }
  return items;
}
