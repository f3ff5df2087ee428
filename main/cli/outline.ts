import { fieldsOf, recordTable } from '../../core/sinks/spans/records.ts';
import * as is from '../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../core/sinks/spans/tree.ts';

/** How a payload is printed. */
export interface Look {
  /** Rows of a table, and values of a list or an object that has many. */
  readonly head: number;
  /** Columns of the terminal; undefined for lines of any length. */
  readonly width: number | undefined;
  readonly isColored: boolean;
}

/** Characters of a text or of bytes that are printed. */
const MAX_TEXT = 200;
const MAX_CELL = 32;

/** Escape sequences of terminals (ECMA-48, 8.3.117). */
const COLORS = { dim: 2, key: 36, string: 32, number: 33, word: 35 } as const;
type Color = keyof typeof COLORS;

/** Characters that move the cursor, change its colors or hide. */
const CONTROLS = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A part of a line. */
type Part = readonly [text: string, color?: Color | undefined];

/** Lines of a tree: the offset of each value, its key, the value and its type. Lists of records are tables. */
export function* outline(tree: SpanTree, look: Look & { readonly format: string }): Generator<string> {
  const places = String(tree.data.length).length;
  const line = (offset: number | undefined, ...parts: readonly Part[]): string =>
    `${printed([[offset === undefined ? ' '.repeat(places) : String(offset).padStart(places), 'dim'], ['  '], ...parts], look)}\n`;
  yield `${printed([[`${look.format}, ${count(tree.data.length, 'byte')}`, 'dim']], look)}\n`;

  function* value(node: number, depth: number): Generator<string> {
    const { kinds, values, nexts } = tree.data;
    const indent = '  '.repeat(depth);
    const key = tree.key(node);
    const named: Part[] = key === undefined ? [] : [[typeof key === 'number' ? String(key) : plain(key), 'key'], [': ']];
    yield line(values[node], [indent], ...named, valueOf(tree, node, MAX_TEXT), [`  ${is.KIND_NAMES[kinds[node]!]}`, 'dim']);
    if (!tree.isContainer(node)) return;
    if (isTable(tree, node)) {
      yield* table(node, depth + 1);
      return;
    }
    let printedCount = 0;
    for (let child = node + 1; child < nexts[node]!; child = nexts[child]!) {
      if (printedCount === look.head) {
        yield line(undefined, [`${indent}  … ${count(tree.childCount(node) - look.head, 'more value')}`, 'dim']);
        return;
      }
      yield* value(child, depth + 1);
      printedCount += 1;
    }
  }

  function* table(list: number, depth: number): Generator<string> {
    const { rows, columns } = recordTable(tree, list);
    const indent = '  '.repeat(depth);
    const shown = rows.subarray(0, look.head);
    const fields = Array.from(shown, (row) => fieldsOf(tree, row, columns));
    const names = columns.map((column) => plain(tree.data.names[column]!));
    const types = columns.map((_, at) => typeOf(tree, fields, at));
    const cells = fields.map((row) => row.map((field) => (field < 0 ? ([''] as Part) : valueOf(tree, field, MAX_CELL, true))));
    const widths = columns.map((_, at) => Math.max(names[at]!.length, types[at]!.length, ...cells.map((row) => row[at]![0].length)));
    const isRight = types.map((type) => type === 'integer' || type === 'float' || type === 'bigint');
    const inColumns = (parts: readonly Part[]): Part[] =>
      parts.flatMap(([text, color], at): Part[] => [
        ['  '],
        [isRight[at] ? text.padStart(widths[at]!) : at === parts.length - 1 ? text : text.padEnd(widths[at]!), color],
      ]);
    yield line(undefined, [indent], ...inColumns(names.map((name): Part => [name, 'key'])));
    yield line(undefined, [indent], ...inColumns(types.map((type): Part => [type, 'dim'])));
    for (const [index, row] of cells.entries()) yield line(tree.data.values[shown[index]!], [indent], ...inColumns(row));
    const left = tree.childCount(list) - shown.length;
    if (left > 0) yield line(undefined, [`${indent}  … ${count(left, 'more record')}`, 'dim']);
  }

  if (tree.data.count === 1) return;
  for (const root of tree.children(0, look.head)) yield* value(root, 0);
}

/** True for a list of two records or more. */
function isTable(tree: SpanTree, node: number): boolean {
  const { kinds, numbers } = tree.data;
  const first = kinds[node + 1];
  return kinds[node] === is.ARRAY && numbers[node]! >= 2 && (first === is.OBJECT || first === is.RECORD);
}

/** Type of a column: that of its values but null, if they have one. */
function typeOf(tree: SpanTree, fields: readonly number[][], column: number): string {
  const found = new Set(
    fields.flatMap((row) => (row[column]! < 0 || tree.data.kinds[row[column]!] === is.NULL ? [] : [is.KIND_NAMES[tree.data.kinds[row[column]!]!]!])),
  );
  if (found.size === 2 && found.has('integer') && found.has('float')) return 'float';
  return found.size === 1 ? [...found][0]! : found.size === 0 ? 'null' : 'several';
}

/** Text of a value; a string in a cell has no quotation marks. */
function valueOf(tree: SpanTree, node: number, most: number, isCell = false): Part {
  const { kinds, numbers, storedValues, values, ends, format } = tree.data;
  const number = numbers[node]!;
  switch (kinds[node]) {
    case is.NULL:
    case is.UNDEFINED:
      return [is.KIND_NAMES[kinds[node]], 'word'];
    case is.FALSE:
      return ['false', 'word'];
    case is.TRUE:
      return ['true', 'word'];
    case is.INTEGER:
    case is.FLOAT: {
      // JSON may have more digits than a double.
      const digits = format === 'json' ? tree.bytes.subarray(values[node], Math.min(ends[node]!, values[node]! + most)) : undefined;
      return [digits?.length ? String.fromCharCode(...digits) : Object.is(number, -0) ? '-0' : String(number), 'number'];
    }
    case is.BIGINT:
      return [String(storedValues.get(node)), 'number'];
    case is.STRING:
    case is.TEXT: {
      const text = cut(tree.text(node, most + 1), most);
      return [isCell ? plain(text) : plain(JSON.stringify(text)), 'string'];
    }
    case is.BINARY: {
      const bytes = tree.binary(node);
      const hex = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
      return [cut(`${count(bytes.length, 'byte')}: ${hex}${bytes.length > 8 ? ' …' : ''}`, most), 'string'];
    }
    case is.DATE:
      return [Math.abs(number) <= 8.64e15 ? new Date(number).toISOString() : 'Invalid Date', 'word'];
    case is.REFERENCE:
      return [`→ ${tree.path(number).map(String).join('.') || 'the root'}`, 'dim'];
    case is.TAGGED:
      return [plain(String(storedValues.get(node) ?? 'tag')), 'word'];
    case is.ARRAY:
    case is.SET:
      return [`[${count(number, 'item')}]`, 'dim'];
    case is.MAP:
      return [`{${count(number / 2, 'entry', 'entries')}}`, 'dim'];
    default:
      return [`{${count(number, 'key')}}`, 'dim'];
  }
}

function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** A text on one line, without characters that a terminal obeys. */
function plain(text: string): string {
  return text.replaceAll(CONTROLS, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** Parts as one line, within the width and with colors if the terminal has them. */
function printed(parts: readonly Part[], { width = Infinity, isColored }: Look): string {
  let left = width;
  let line = '';
  for (const [text, color] of parts) {
    if (left <= 0) break;
    const shown = text.length > left ? `${text.slice(0, left - 1)}…` : text;
    left -= shown.length;
    line += isColored && color && shown.trim() !== '' ? `\u001b[${COLORS[color]}m${shown}\u001b[0m` : shown;
  }
  return isColored ? line : line.trimEnd();
}
