import { parseDecimal128 } from '../../../core/formats/bson/decimal128.ts';
import { DECIMAL128 } from '../../../core/formats/bson/revive.ts';
import { makeBinary } from '../../../core/reading/binary.ts';
import { type ReviveTag, reviveCore } from '../../../core/reading/revive.ts';
import { BINARY_KINDS } from '../../../core/reading/sink.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { fromBase64, withoutPadding } from '../../adapter/bytes.ts';
import { unescapeMark } from '../../values/value.ts';
import { define } from './notation.ts';

/** A problem in an edited text, and the entry of its tree that causes it. */
export class NotationError extends Error {
  override name = 'NotationError';
  readonly node: number;

  constructor(message: string, node: number) {
    super(message);
    this.node = node;
  }
}

/** Context for parsing an edited text. */
export interface NotationSetting {
  /** Values that the text refers to as `$kept`. */
  kept: readonly unknown[];
  /** Creates the values of the format's own tags. */
  revive: ReviveTag | undefined;
  /** True for JSON, which can represent no marker except `$bigint`. */
  isJson: boolean;
}

/** Parses an edited text into a value. `hasReferences` is true if a container contains itself. */
export function fromNotation(tree: SpanTree, setting: NotationSetting): { value: unknown; hasReferences: boolean } {
  const reader = new Reader(tree, setting);
  return { value: reader.read(tree.root), hasReferences: reader.hasReferences };
}

type Mark = '$base64' | '$bigint' | '$date' | '$number' | '$undefined' | '$set' | '$map' | '$tag' | '$ref' | '$kept';

/** Markers, and the keys allowed next to each. */
const MARKS: Readonly<Record<Mark, readonly string[]>> = {
  $base64: ['$type'],
  $bigint: [],
  $date: [],
  $number: [],
  $undefined: [],
  $set: [],
  $map: [],
  $tag: ['value'],
  $ref: [],
  $kept: ['class'],
};

const NUMBERS: Readonly<Record<string, number>> = { NaN: NaN, Infinity, '-Infinity': -Infinity, '-0': -0 };

class Reader {
  hasReferences = false;
  readonly #tree: SpanTree;
  readonly #setting: NotationSetting;
  /** Containers around the current value. */
  readonly #enclosing: object[] = [];

  constructor(tree: SpanTree, setting: NotationSetting) {
    this.#tree = tree;
    this.#setting = setting;
  }

  read(node: number): unknown {
    const { kinds, numbers, storedValues } = this.#tree.data;
    switch (kinds[node]) {
      case is.NULL:
        return null;
      case is.FALSE:
        return false;
      case is.TRUE:
        return true;
      case is.BIGINT:
        return storedValues.get(node);
      case is.STRING:
      case is.TEXT:
        return this.#tree.text(node);
      case is.ARRAY:
        return this.#list(node, (items) => items);
      case is.OBJECT:
      case is.RECORD:
        return this.#object(node);
      default:
        if (!Number.isFinite(numbers[node]!)) throw new NotationError('number too large: write {"$number": "Infinity"}', node);
        return numbers[node];
    }
  }

  #object(node: number): unknown {
    const children = this.#tree.children(node);
    const mark = children.map((child) => this.#tree.key(child)).find((key): key is Mark => Object.hasOwn(MARKS, key as string));
    if (mark !== undefined) return this.#marked(node, mark);
    const object: object = {};
    this.#enclosing.push(object);
    for (const child of children) define(object, unescapeMark(String(this.#tree.key(child))), this.read(child));
    this.#enclosing.pop();
    return object;
  }

  #marked(node: number, mark: Mark): unknown {
    const parts = new Map(this.#tree.children(node).map((child) => [String(this.#tree.key(child)), child]));
    const inner = parts.get(mark)!;
    if (this.#setting.isJson && mark !== '$bigint') throw new NotationError(`JSON has no ${mark.slice(1)}`, node);
    for (const key of parts.keys())
      if (key !== mark && !MARKS[mark].includes(key)) throw new NotationError(`${mark} does not allow the key ${JSON.stringify(key)}`, node);
    switch (mark) {
      case '$set':
        return this.#filled(inner, new Set(), (set, items) => items.forEach((item) => set.add(item)));
      case '$map':
        return this.#filled(inner, new Map(), (map, items) => {
          if (items.length % 2 !== 0) throw new NotationError('$map needs a value for every key', inner);
          for (let at = 0; at < items.length; at += 2) map.set(items[at], items[at + 1]);
        });
      case '$tag':
        return this.#tagged(this.#string(inner, mark), parts.get('value') ?? node, node);
      case '$ref':
        return this.#reference(inner);
      case '$kept':
        return this.#kept(inner);
      case '$undefined':
        return undefined;
      default:
        return this.#scalar(mark, this.#string(inner, mark), inner, parts.get('$type'));
    }
  }

  #scalar(mark: '$base64' | '$bigint' | '$date' | '$number', text: string, node: number, type: number | undefined): unknown {
    switch (mark) {
      case '$base64':
        return this.#binary(text, node, type);
      case '$bigint':
        if (!/^-?\d+$/.test(text)) throw new NotationError('$bigint must be decimal digits', node);
        return BigInt(text);
      case '$number':
        if (!Object.hasOwn(NUMBERS, text)) throw new NotationError('$number must be "NaN", "Infinity", "-Infinity" or "-0"', node);
        return NUMBERS[text];
      default: {
        const date = new Date(text);
        if (Number.isNaN(date.getTime()) && text !== 'Invalid Date')
          throw new NotationError('$date must be an ISO 8601 date, such as "2026-01-31T12:00:00Z"', node);
        return date;
      }
    }
  }

  #binary(text: string, node: number, type: number | undefined): unknown {
    const name = type === undefined ? 'Uint8Array' : this.#string(type, '$type');
    const kind = BINARY_KINDS.findIndex((known) => known === name);
    if (kind < 0) throw new NotationError(`unknown $type ${JSON.stringify(name)}`, type!);
    if (!/^[A-Za-z\d+/]*={0,2}$/.test(text) || withoutPadding(text).length % 4 === 1) throw new NotationError('invalid base64', node);
    try {
      return makeBinary(kind, fromBase64(text));
    } catch (error) {
      throw new NotationError((error as Error).message, node);
    }
  }

  #tagged(tag: string, inner: number, node: number): unknown {
    const written = inner === node ? undefined : this.read(inner);
    const value = tag === DECIMAL128 && typeof written === 'string' ? this.#decimal(written, inner) : written;
    try {
      const made = tag.includes(':') ? this.#setting.revive?.(tag, value) : reviveCore(tag, value);
      if (made !== undefined) return made;
    } catch (error) {
      throw new NotationError((error as Error).message, node);
    }
    throw new NotationError(`unknown $tag ${JSON.stringify(tag)}`, node);
  }

  #decimal(text: string, node: number): Uint8Array {
    const bytes = parseDecimal128(text);
    if (!bytes) throw new NotationError(`${JSON.stringify(text)} is no decimal number of up to 34 digits`, node);
    return bytes;
  }

  #reference(node: number): unknown {
    this.hasReferences = true;
    const isPath = this.#tree.data.kinds[node] === is.ARRAY;
    const found = isPath ? this.#enclosing[this.#tree.childCount(node)] : undefined;
    if (!found) throw new NotationError('$ref must be the path of an enclosing container', node);
    return found;
  }

  #kept(node: number): unknown {
    const { kept } = this.#setting;
    const index = this.#tree.data.numbers[node]!;
    if (this.#tree.data.kinds[node] !== is.INTEGER || !(index in kept)) throw new NotationError('$kept must be the index of an original value', node);
    return kept[index];
  }

  #string(node: number, name: string): string {
    const kind = this.#tree.data.kinds[node];
    if (kind !== is.STRING && kind !== is.TEXT) throw new NotationError(`${name} must be a string`, node);
    return this.#tree.text(node);
  }

  #list<T>(node: number, make: (items: unknown[]) => T): T {
    const items: unknown[] = [];
    this.#enclosing.push(items);
    for (const child of this.#tree.children(node)) items.push(this.read(child));
    this.#enclosing.pop();
    return make(items);
  }

  /** Fills a container after registering it, because its items may refer to it. */
  #filled<T extends object>(node: number, target: T, fill: (target: T, items: unknown[]) => void): T {
    if (this.#tree.data.kinds[node] !== is.ARRAY) throw new NotationError('expected a list', node);
    this.#enclosing.push(target);
    const items = this.#tree.children(node).map((child) => this.read(child));
    this.#enclosing.pop();
    fill(target, items);
    return target;
  }
}

/** Entry of an edited text at a path of its value, or the deepest existing ancestor. */
export function nodeAtPath(tree: SpanTree, path: readonly (string | number)[]): number {
  let node = contentOf(tree, tree.root);
  for (const step of path) {
    const isMap = tree.key(node) === '$map';
    const next = tree
      .children(node)
      .find((child, index, all) => (isMap ? index % 2 === 1 && isKey(tree, all[index - 1]!, step) : unescaped(tree.key(child)) === step));
    if (next === undefined) break;
    node = contentOf(tree, next);
  }
  return node;
}

/** True if the key of a map entry is this step of a path. */
function isKey(tree: SpanTree, key: number, step: string | number): boolean {
  const kind = tree.data.kinds[key];
  const value = kind === is.STRING || kind === is.TEXT ? tree.text(key) : tree.data.numbers[key];
  return String(value) === String(step);
}

function unescaped(key: string | number | undefined): string | number | undefined {
  return typeof key === 'string' ? unescapeMark(key) : key;
}

/** The content that a marker wraps. */
function contentOf(tree: SpanTree, node: number): number {
  if (tree.data.kinds[node] !== is.OBJECT && tree.data.kinds[node] !== is.RECORD) return node;
  const children = tree.children(node, 3);
  const has = (key: string): boolean => children.some((child) => tree.key(child) === key);
  const wanted = has('$tag') ? 'value' : has('$set') ? '$set' : has('$map') ? '$map' : undefined;
  const inner = wanted === undefined ? undefined : children.find((child) => tree.key(child) === wanted);
  return inner === undefined ? node : contentOf(tree, inner);
}
