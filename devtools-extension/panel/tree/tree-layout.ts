import { formatBytes } from '../../text/numbers.ts';
import { CHARACTER, COLUMN_COUNTS, hexWidth } from '../bytes/hex-layout.ts';
import type { OpenBody } from '../body/open-body.ts';
import { previewText, valueText } from '../../values/value-text.ts';

/** Layout of the tree and the bytes. */
export interface TreeLayout {
  /** `right`: bytes to the right of the tree; `below`: bytes under the tree; `alone`: no room for the bytes. */
  bytes: 'right' | 'below' | 'alone';
  /** Width of the bytes in pixels, or their height if below the tree. */
  size: number;
}

/** Pixels of one indent level, of a row's arrow and padding, of its size column, and of a character of its type. */
const INDENT = 14;
const ROW_EDGES = 30;
const SIZE_WIDTH = 62;
const TYPE_CHARACTER = 5.9;
/** Number of rows measured, and the share of them that must fit. */
const MEASURED_ROWS = 40;
const FITTING = 0.95;
/** Minimum width of the tree, and the width up to which it takes space from the bytes. */
const MIN_TREE = 280;
const MAX_TREE = 720;
/** Minimum height for bytes below the tree. */
const MIN_HEIGHT = 220;
const HEX_ROW = 20;
/** Height of the bar below the bytes. */
const BAR = 26;

/** Width in pixels at which most visible rows show their key, value, type and size in full. */
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

/** Layout for a given room: bytes to the right, as wide as possible without cutting the tree's rows. */
export function layOut(width: number, height: number, wanted: number, length: number): TreeLayout {
  const forTree = Math.min(Math.max(wanted, MIN_TREE), MAX_TREE);
  const columns = COLUMN_COUNTS.filter((count) => count <= 16 || length > 0);
  const roomy = columns.find((count) => count >= 8 && width - hexWidth(count, length) >= forTree);
  if (roomy) return { bytes: 'right', size: hexWidth(roomy, length) };
  const narrow = columns.find((count) => count <= 8 && width - hexWidth(count, length) >= MIN_TREE);
  // Prefers narrower values to no bytes, if there is no room below either.
  if (narrow && (narrow === 8 || height < MIN_HEIGHT)) return { bytes: 'right', size: hexWidth(narrow, length) };
  if (height < MIN_HEIGHT) return { bytes: 'alone', size: 0 };
  return { bytes: 'below', size: Math.max(4 * HEX_ROW, Math.round((height * 0.42) / HEX_ROW) * HEX_ROW) + BAR };
}

/** Size of an entry, as shown in its row. */
export function rowSize(body: OpenBody, node: number): string {
  const { starts, ends } = body.tree!.data;
  return formatBytes(ends[node]! - starts[node]!);
}
