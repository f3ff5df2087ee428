import { BINARY_KINDS } from '../../core/reading/sink.ts';
import * as is from '../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../core/sinks/spans/tree.ts';
import { toBase64 } from '../adapter/bytes.ts';
import { Numeral, numberText } from './number-text.ts';

/** Keys that look like a marker; they get an additional `$`. */
const MARK = /^\$+(?:base64|bigint|date|number|undefined|set|map|tag|ref|kept)$/;

/** Escapes a key that looks like a marker. */
export function escapeMark(key: string): string {
  return key.replace(MARK, '$$$&');
}

/** Reverses `escapeMark`. */
export function unescapeMark(key: string): string {
  return key.startsWith('$$') && MARK.test(key) ? key.slice(1) : key;
}

/** JSON with markers for values that JSON lacks. */
export type Exported = null | boolean | number | string | Numeral | Exported[] | { [key: string]: Exported };

/**
 * Exports a value of the tree as JSON. Values that JSON lacks get markers: `$base64`, `$bigint`, `$date`, `$number` (NaN,
 * −0 and the infinities), `$undefined`, `$set`, `$map`, `$tag`, `$ref`. Keys with such names get an additional `$`. With
 * `repeats`, repeated keys become a list, as for Protocol Buffers; otherwise the last one wins.
 */
export function exportValue(tree: SpanTree, root: number, repeats = false): Exported {
  const { kinds, storedValues } = tree.data;
  // Iterative, because bodies may be nested thousands of levels deep.
  const results: Exported[] = [];
  const open: { node: number; end: number; items: Exported[]; keys: (string | number | undefined)[] }[] = [];
  const give = (value: Exported, node: number): void => {
    const frame = open.at(-1);
    if (!frame) results.push(value);
    else {
      frame.items.push(value);
      frame.keys.push(tree.key(node));
    }
  };
  const end = tree.data.nexts[root]!;
  for (let node = root; node < end || open.length > 0;) {
    const top = open.at(-1);
    if (top && node >= top.end) {
      open.pop();
      give(container(kinds[top.node]!, top.items, top.keys, storedValues.get(top.node), repeats), top.node);
      continue;
    }
    if (tree.isContainer(node)) open.push({ node, end: tree.data.nexts[node]!, items: [], keys: [] });
    else give(exportScalar(tree, node), node);
    node += 1;
  }
  return results[0] ?? null;
}

/** Exports a value that is not a container. */
export function exportScalar(tree: SpanTree, node: number): Exported {
  const number = tree.data.numbers[node]!;
  switch (tree.data.kinds[node]) {
    case is.FALSE:
      return false;
    case is.TRUE:
      return true;
    case is.INTEGER:
    case is.FLOAT:
      if (tree.data.format === 'json') return numeral(numberText(tree, node), number);
      return Number.isFinite(number) && !Object.is(number, -0) ? number : { $number: Object.is(number, -0) ? '-0' : String(number) };
    case is.BIGINT:
      return { $bigint: String(tree.data.storedValues.get(node)) };
    case is.STRING:
    case is.TEXT:
      return tree.text(node);
    case is.DATE:
      return { $date: Number.isNaN(number) ? 'Invalid Date' : new Date(number).toISOString() };
    case is.BINARY: {
      const value: { [key: string]: Exported } = { $base64: toBase64(tree.binary(node)) };
      if (number > 0) value['$type'] = BINARY_KINDS[number] ?? '';
      return value;
    }
    case is.REFERENCE:
      return { $ref: tree.path(number) as Exported[] };
    case is.UNDEFINED:
      return { $undefined: true };
    default:
      return null;
  }
}

function container(kind: number, items: Exported[], keys: (string | number | undefined)[], tag: unknown, repeats: boolean): Exported {
  switch (kind) {
    case is.ARRAY:
      return items;
    case is.SET:
      return { $set: items };
    case is.MAP:
      return { $map: items };
    case is.TAGGED:
      return { $tag: String(tag), value: items[0] ?? null };
    default: {
      const object: { [key: string]: Exported } = {};
      for (const [index, key] of keys.entries()) {
        const name = escapeMark(String(key ?? ''));
        const value = items[index]!;
        const before = repeats && Object.hasOwn(object, name) ? object[name] : undefined;
        if (Array.isArray(before)) {
          before.push(value);
          continue;
        }
        const repeated = before === undefined ? value : [before, value];
        Object.defineProperty(object, name, { value: repeated, enumerable: true, configurable: true, writable: true });
      }
      return object;
    }
  }
}

/** A number as it is, or its text if that says more. */
function numeral(text: string, number: number): Exported {
  return text === String(number) ? number : new Numeral(text);
}

/** JSON text of an exported value, on one line without `indent`. Equals `JSON.stringify`, but numbers keep their digits. */
export function stringify(value: Exported, indent = ''): string {
  const parts: string[] = [];
  write(parts, value, indent, indent === '' ? '' : '\n');
  return parts.join('');
}

/** `line` is the line break and indentation of the value's own line; empty for one line. */
function write(parts: string[], value: Exported, indent: string, line: string): void {
  if (typeof value !== 'object' || value === null) return void parts.push(JSON.stringify(value));
  if (value instanceof Numeral) return void parts.push(value.text);
  const inner = line + indent;
  const isList = Array.isArray(value);
  let between = isList ? '[' : '{';
  for (const key of Object.keys(value)) {
    parts.push(between, inner);
    if (!isList) parts.push(JSON.stringify(key), indent === '' ? ':' : ': ');
    write(parts, isList ? value[Number(key)]! : value[key]!, indent, inner);
    between = ',';
  }
  const close = isList ? ']' : '}';
  parts.push(between === ',' ? line + close : between + close);
}
