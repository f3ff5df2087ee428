import { formatBytes } from '../../text/numbers.ts';
import { CHARACTER, COLUMN_COUNTS, hexWidth } from '../bytes/hex-layout.ts';
import type { OpenBody } from '../body/open-body.ts';
import { previewText, shownKey, valueText } from '../../values/value-text.ts';

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
/** Number of rows measured, and characters of a preview that a row should show. */
const MEASURED_ROWS = 40;
const PREVIEW = 40;
/** Minimum width of the tree; the width at which its types are whole next to short values; and the width up to which it takes space from the bytes. */
const MIN_TREE = 280;
const TYPES_WHOLE = 400;
const MAX_TREE = 720;
/** Minimum height for bytes below the tree. */
const MIN_HEIGHT = 220;
const HEX_ROW = 20;
/** Height of the bar below the bytes. */
const BAR = 26;

/**
 * Width in pixels at which visible rows, and the first ones to appear when values are opened, show their key, value, type and
 * size in full. Rows too long for any tree do not count.
 */
export function wantedTreeWidth(body: OpenBody): number {
  const tree = body.tree!;
  const view = body.view!;
  const rows = view.rows.peek();
  const shown = Array.from({ length: Math.min(MEASURED_ROWS, rows.length) }, (_, at) => rows[at]!);
  const first = Array.from({ length: Math.min(MEASURED_ROWS, tree.data.count - tree.root) }, (_, at) => tree.root + at);
  const widths = [...shown, ...first.filter((node) => !view.canOpen(node) || view.isOpen(node))].map((node) => {
    const key = shownKey(tree, node);
    const isClosed = view.canOpen(node) && !view.isOpen(node);
    const inside = isClosed ? Math.min(PREVIEW, previewText(tree, view.previewed(node)).length) + 1 : 0;
    const characters = (key === undefined ? 0 : String(key).length + 2) + valueText(tree, node).text.length + inside;
    return ROW_EDGES + tree.depth(node) * INDENT + characters * CHARACTER + 16 + body.typeText(node).length * TYPE_CHARACTER + SIZE_WIDTH;
  });
  const fitting = widths.filter((width) => width <= MAX_TREE);
  return fitting.length === 0 ? MAX_TREE : Math.ceil(Math.max(...fitting));
}

/** Layout for a given room: bytes to the right, as wide as possible without cutting the tree's rows. */
export function layOut(width: number, height: number, wanted: number, length: number): TreeLayout {
  const forTree = Math.min(Math.max(wanted, MIN_TREE), MAX_TREE);
  const columns = COLUMN_COUNTS.filter((count) => count <= 16 || length > 0);
  const roomy = columns.find((count) => count >= 8 && width - hexWidth(count, length) >= forTree);
  if (roomy) return { bytes: 'right', size: hexWidth(roomy, length) };
  // Prefers bytes below to cut types, and narrower values to no bytes, if there is no room below.
  const isLow = height < MIN_HEIGHT;
  const least = isLow ? MIN_TREE : Math.min(forTree, TYPES_WHOLE);
  const narrow = columns.find((count) => (isLow ? count <= 8 : count === 8) && width - hexWidth(count, length) >= least);
  if (narrow) return { bytes: 'right', size: hexWidth(narrow, length) };
  if (isLow) return { bytes: 'alone', size: 0 };
  return { bytes: 'below', size: Math.max(4 * HEX_ROW, Math.round((height * 0.42) / HEX_ROW) * HEX_ROW) + BAR };
}

/** Size of an entry, as shown in its row; empty for a record whose values lie in columns. */
export function rowSize(body: OpenBody, node: number): string {
  const { starts, ends, extents } = body.tree!.data;
  return extents && ends[node] === starts[node] ? '' : formatBytes(ends[node]! - starts[node]!);
}
