import { hexOf } from '../adapter/bytes.ts';
import { BINARY_KINDS } from '../../core/reading/sink.ts';
import * as is from '../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../core/sinks/spans/tree.ts';
import { formatCount } from '../text/numbers.ts';
import { meaningOf } from '../describe/with-schema/protobuf.ts';
import { numberText } from './number-text.ts';
import { quoted, visible, visibleName } from '../text/visible-text.ts';

const MAX_LENGTH = 200;

/** One-line text of a value, and its kind for styling. */
export interface ValueText {
  text: string;
  kind: 'string' | 'number' | 'word' | 'binary' | 'container' | 'other';
}

/** Text of a value, with its meaning if the schema tells one: `SHIPPED (2)`, `2026-01-31T12:00:00Z {1 key}`. */
export function valueText(tree: SpanTree, node: number): ValueText {
  const shown = plainText(tree, node);
  const meaning = meaningOf(tree, node);
  if (meaning === '') return shown;
  return { ...shown, text: `${visible(meaning)} ${shown.kind === 'container' ? shown.text : `(${shown.text})`}` };
}

function plainText(tree: SpanTree, node: number): ValueText {
  const { kinds, numbers, storedValues } = tree.data;
  const number = numbers[node]!;
  switch (kinds[node]) {
    case is.NULL:
      return { text: 'null', kind: 'word' };
    case is.UNDEFINED:
      return { text: 'undefined', kind: 'word' };
    case is.FALSE:
      return { text: 'false', kind: 'word' };
    case is.TRUE:
      return { text: 'true', kind: 'word' };
    case is.INTEGER:
    case is.FLOAT:
      return { text: cut(numberText(tree, node, MAX_LENGTH + 1)), kind: 'number' };
    case is.BIGINT:
      return { text: `${String(storedValues.get(node))}n`, kind: 'number' };
    case is.STRING:
    case is.TEXT:
      return { text: quote(tree.text(node, MAX_LENGTH + 1)), kind: 'string' };
    case is.BINARY: {
      const bytes = tree.binary(node);
      const first = hexOf(bytes.subarray(0, 12));
      return { text: `${BINARY_KINDS[number] ?? 'bytes'} ${formatCount(bytes.length)} · ${first}${bytes.length > 12 ? ' …' : ''}`, kind: 'binary' };
    }
    case is.DATE:
      return { text: Number.isNaN(number) || Math.abs(number) > 8.64e15 ? 'Invalid Date' : new Date(number).toISOString(), kind: 'other' };
    case is.REFERENCE:
      return { text: `→ ${pathText(tree, number)}`, kind: 'other' };
    case is.TAGGED:
      return { text: visible(String(storedValues.get(node) ?? 'tag')), kind: 'other' };
    case is.ARRAY:
      return { text: `[${items(number, 'item')}]`, kind: 'container' };
    case is.SET:
      return { text: `Set {${items(number, 'item')}}`, kind: 'container' };
    case is.MAP:
      return { text: `Map {${items(number / 2, 'entry')}}`, kind: 'container' };
    default:
      return { text: `{${items(number, 'key')}}`, kind: 'container' };
  }
}

/** First values of a container in about `room` characters, those of containers in it included; may be empty. */
export function contentText(tree: SpanTree, node: number, room: number): string {
  if (room <= 0) return '…';
  const { kinds } = tree.data;
  const parts: string[] = [];
  let left = room;
  let isWhole = true;
  for (const child of tree.children(node, MAX_CONTENT)) {
    if (isMapKey(tree, child)) continue;
    if (left <= 0) {
      isWhole = false;
      break;
    }
    const name = shownKey(tree, child);
    const label = typeof name === 'string' ? `${visibleName(name)}: ` : '';
    const part =
      label + (tree.childCount(child) > 0 ? enclosed(kinds[child]!, contentText(tree, child, left - label.length - 2)) : valueText(tree, child).text);
    left -= part.length + 2;
    parts.push(part);
  }
  return isWhole ? parts.join(', ') : [...parts, '…'].join(', ');
}

/** Values of a container that are read for its text. */
const MAX_CONTENT = 100;

function enclosed(kind: number, content: string): string {
  return kind === is.ARRAY || kind === is.SET || kind === is.TAGGED ? `[${content}]` : `{${content}}`;
}

/** Preview of a collapsed container's first values; may be empty. */
export function previewText(tree: SpanTree, node: number): string {
  const { kinds } = tree.data;
  if (tree.childCount(node) === 0 || kinds[node]! < is.ARRAY) return '';
  const parts: string[] = [];
  let length = 0;
  const first = tree.children(node, 10);
  const children = first.filter((child) => !isMapKey(tree, child));
  for (const child of children.slice(0, 5)) {
    const { text } = valueText(tree, child);
    const short = text.length > 28 ? `${text.slice(0, 27)}…` : text;
    const name = shownKey(tree, child);
    const part = typeof name === 'string' ? `${visibleName(name)}: ${short}` : short;
    length += part.length;
    if (length > 90) break;
    parts.push(part);
  }
  return parts.length < children.length || first.length < tree.childCount(node) ? `${parts.join(', ')}, …` : parts.join(', ');
}

function items(count: number, word: string): string {
  if (count === 0) return '';
  return `${formatCount(count)} ${count === 1 ? word : word === 'entry' ? 'entries' : `${word}s`}`;
}

function quote(text: string): string {
  return quoted(cut(text));
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

/** The key of a value in a map, if it is no container; else `NONE`. */
export function mapKeyOf({ data: { kinds, parents, keys } }: SpanTree, node: number): number {
  const key = node - 1;
  const isValue = kinds[parents[node]!] === is.MAP && keys[node]! % 2 === 1;
  return isValue && parents[key] === parents[node] && kinds[key]! < is.ARRAY ? key : is.NONE;
}

/** True for the key of a map that is shown in the row of its value. */
export function isMapKey(tree: SpanTree, node: number): boolean {
  return node + 1 < tree.count && mapKeyOf(tree, node + 1) === node;
}

/** The label before a value: its name, the key of its map, or its index. */
export function shownKey(tree: SpanTree, node: number): string | number | undefined {
  const { kinds, parents } = tree.data;
  if (kinds[parents[node]!] !== is.MAP) return tree.key(node);
  const key = mapKeyOf(tree, node);
  if (key !== is.NONE) return valueText(tree, key).text;
  return Number(tree.key(node)) % 2 === 0 ? 'key' : 'value';
}

/** Path of an entry as an expression: `$.trips[3].name`, `$.get(-1)` in a map. */
export function pathText(tree: SpanTree, node: number): string {
  let path = '';
  for (let at = node; at > 1; at = tree.data.parents[at]!) {
    const step = tree.key(at);
    const key = mapKeyOf(tree, at);
    if (key !== is.NONE) path = `.get(${valueText(tree, key).text})${path}`;
    else if (step !== undefined) path = stepsText([step]).slice(1) + path;
  }
  return `$${path}`;
}

/** Keys and indices as an expression, with invisible characters escaped. */
export function stepsText(path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (text, step) => text + (typeof step === 'number' ? `[${step}]` : isPlainName(step) ? `.${step}` : `[${quoted(step)}]`),
    '$',
  );
}

function isPlainName(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) && visible(name) === name;
}
