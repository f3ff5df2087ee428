import { formatBytes } from '../../text/numbers.ts';
import { CHARACTER, COLUMN_COUNTS, hexWidth } from '../bytes/hex-layout.ts';
import type { OpenBody } from '../body/open-body.ts';
import { previewText, valueText } from '../../values/value-text.ts';

/** How the tree and the bytes stand. */
export interface TreeLayout {
  /** `beside`: the bytes to the right; `below`: under the tree; `alone`: there is no room for the bytes. */
  bytes: 'beside' | 'below' | 'alone';
  /** Pixels of the bytes, across or, below the tree, from top to bottom. */
  size: number;
}

/** Pixels: of a level, the arrow and paddings of a row, its size, a character of its type. */
const INDENT = 14;
const ROW_EDGES = 30;
const SIZE_WIDTH = 62;
const TYPE_CHARACTER = 5.9;
/** Rows that are measured, and the share of them that is to fit. */
const MEASURED_ROWS = 40;
const FITTING = 0.95;
/** A tree is asked for at least, and for its sake the bytes are made narrower up to this. */
const LEAST_TREE = 280;
const MOST_TREE = 720;
/** Below this height the tree stays alone, unless the bytes have room beside it. */
const LEAST_HEIGHT = 220;
const HEX_ROW = 20;
/** The line below the bytes. */
const BAR = 26;

/** Pixels in which most of the rows in sight show their key, value, type and size whole. */
export function wantedTreeWidth(body: OpenBody): number {
  const tree = body.tree!;
  const rows = body.view!.rows.peek();
  const widths: number[] = [];
  for (let at = 0; at < Math.min(rows.length, MEASURED_ROWS); at += 1) {
    const node = rows[at]!;
    const key = tree.key(node);
    const isClosed = body.view!.canOpen(node) && !body.view!.isOpen(node);
    const inside = isClosed ? previewText(tree, node).length + 1 : 0;
    const characters = (key === undefined ? 0 : String(key).length + 2) + valueText(tree, node).text.length + inside;
    widths.push(ROW_EDGES + tree.depth(node) * INDENT + characters * CHARACTER + 16 + body.typeText(node).length * TYPE_CHARACTER + SIZE_WIDTH);
  }
  widths.sort((a, b) => a - b);
  return Math.ceil(widths[Math.floor((widths.length - 1) * FITTING)] ?? 0);
}

/** Where the bytes go in so many pixels: beside the tree, as wide as they can be while the tree's rows are whole. */
export function layOut(width: number, height: number, wanted: number, length: number): TreeLayout {
  const forTree = Math.min(Math.max(wanted, LEAST_TREE), MOST_TREE);
  const columns = COLUMN_COUNTS.filter((count) => count <= 16 || length > 0);
  const roomy = columns.find((count) => count >= 8 && width - hexWidth(count, length) >= forTree);
  if (roomy) return { bytes: 'beside', size: hexWidth(roomy, length) };
  const narrow = columns.find((count) => count <= 8 && width - hexWidth(count, length) >= LEAST_TREE);
  // Rather narrower values than no bytes, where there is no room below either.
  if (narrow && (narrow === 8 || height < LEAST_HEIGHT)) return { bytes: 'beside', size: hexWidth(narrow, length) };
  if (height < LEAST_HEIGHT) return { bytes: 'alone', size: 0 };
  return { bytes: 'below', size: Math.max(4 * HEX_ROW, Math.round((height * 0.42) / HEX_ROW) * HEX_ROW) + BAR };
}

/** A size as a row shows it. */
export function rowSize(body: OpenBody, node: number): string {
  const { starts, ends } = body.tree!.data;
  return formatBytes(ends[node]! - starts[node]!);
}
