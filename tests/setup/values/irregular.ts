import type { Random } from '../../fuzz/mutate.ts';
import { joined } from '../../../core/bytes/byte-input.ts';

/** An object in a payload, whose keys may have any order and repeat. */
export class Entries {
  readonly entries: readonly (readonly [key: string, value: Tree])[];

  constructor(entries: readonly (readonly [key: string, value: Tree])[]) {
    this.entries = entries;
  }
}

/** A value in a payload. */
export type Tree = null | boolean | number | string | Entries | readonly Tree[];

/** Parameters of irregular documents. */
export interface Irregularity {
  rows: number;
  /** Share of items that are no records. */
  loose: number;
  /** Share of objects with a repeated key. */
  repeated: number;
}

/** Keys, including those that engines and tables treat specially. */
const KEYS = [
  'id',
  'name',
  'score',
  'at',
  'tags',
  '__proto__',
  'constructor',
  'toString',
  'length',
  'items',
  '0',
  '7',
  '12',
  '4294967294',
  '4294967295',
  '-1',
  '01',
  '',
  'a b',
  'ключ',
  '\u{1F600}',
  'quo"te\\',
  'a key that is longer than the caches of keys take it to be, by some words',
];
const TEXTS = ['', 'a', 'Straße', 'line\nfeed', 'quo"te', '\u{1F680} up', '\0', 'x'.repeat(300)];

type Make = (random: Random) => Tree;

const SCALARS: readonly Make[] = [
  (random) => random.below(1000) - 500,
  (random) => random.below(2 ** 31) * (random.below(2) === 0 ? 1 : -1024),
  (random) => random.below(2 ** 30) / 1024,
  (random) => random.pick([0.1, -0, 1e300, 5e-324, 2 ** 53, -(2 ** 31), 4294967296, 1.5]),
  (random) => random.below(2) === 0,
  (random) => random.pick(TEXTS),
  (random) => `text ${random.below(1_000_000)}`,
  (random) => `kind ${random.below(4)}`,
  () => null,
];

/** A kind of values: mostly one kind of scalar, as in columns, or containers. */
function kindOf(random: Random, irregularity: Irregularity, depth: number): Make {
  const scalar = random.pick(SCALARS);
  const kind = random.below(depth > 2 ? 6 : 10);
  if (kind < 5) return scalar;
  if (kind === 5) return (dice) => dice.pick(SCALARS)(dice);
  if (kind === 6) return (dice) => Array.from({ length: dice.below(4) }, () => scalar(dice));
  if (kind === 7) {
    const record = recordOf(random, irregularity, depth + 1);
    return (dice) => Array.from({ length: dice.below(4) }, () => record(dice));
  }
  if (kind === 8) return recordOf(random, irregularity, depth + 1);
  const [one, other] = [kindOf(random, irregularity, depth + 1), kindOf(random, irregularity, depth + 1)];
  return (dice) => (dice.below(2) === 0 ? one(dice) : [one(dice), [other(dice)]]);
}

/** Records with the same keys, some of which are missing, repeated or reordered. */
function recordOf(random: Random, irregularity: Irregularity, depth: number): Make {
  const fields = Array.from({ length: random.below(7) }, () => [random.pick(KEYS), kindOf(random, irregularity, depth)] as const);
  const known = new Map(fields);
  const misses = random.below(3) === 0;
  const shuffles = random.below(4) === 0;
  return (dice) => {
    let entries = [...known].map(([key, make]) => [key, make(dice)] as const);
    if (misses && dice.below(3) === 0) entries = entries.filter(() => dice.below(4) > 0);
    if (shuffles && dice.below(8) === 0) entries.reverse();
    if (entries.length > 0 && dice.below(1000) < irregularity.repeated * 1000) {
      const at = dice.below(entries.length + 1);
      entries.splice(at, 0, [dice.pick(entries)[0], dice.pick(SCALARS)(dice)]);
    }
    return new Entries(entries);
  };
}

/** The items of a list of records of several shapes. */
export function randomItems(random: Random, irregularity: Irregularity): Tree[] {
  const shapes = Array.from({ length: 1 + random.below(5) }, () => recordOf(random, irregularity, 0));
  const items: Tree[] = [];
  let shape = random.pick(shapes);
  // Mostly runs of one shape, some of them long.
  while (items.length < irregularity.rows) {
    if (random.below(1000) < irregularity.loose * 1000) items.push(kindOf(random, irregularity, 1)(random));
    else items.push(shape(random));
    if (random.below(items.length < 200 ? 8 : 300) === 0) shape = random.pick(shapes);
  }
  return items;
}

/** A document whose key `items` has the list, with other values around it. */
export function documentAround(random: Random, items: readonly Tree[]): Tree {
  const around = kindOf(random, { rows: 0, loose: 0, repeated: 0 }, 0);
  return new Entries([
    ['before', around(random)],
    ['items', items],
    ['after', [around(random), items.length]],
  ]);
}

/** The value of a tree. A repeated key has its first position and its last value. */
export function valueOf(tree: Tree): unknown {
  if (tree instanceof Entries) {
    const object = {};
    for (const [key, value] of tree.entries) {
      Object.defineProperty(object, key, { value: valueOf(value), writable: true, enumerable: true, configurable: true });
    }
    return object;
  }
  return Array.isArray(tree) ? tree.map((item: Tree) => valueOf(item)) : tree;
}

/** Formats of `encodeTree`. */
export type TreeFormat = 'json' | 'messagepack' | 'cbor';

/** Encodes a tree with all of its entries. `sequence`: writes the items of a list as a sequence. */
export function encodeTree(format: TreeFormat, tree: Tree, sequence = false): Uint8Array<ArrayBuffer> {
  const texts = sequence ? (tree as readonly Tree[]) : [tree];
  if (format === 'json') return new TextEncoder().encode(texts.map(jsonOf).join('\n'));
  const output = new Output();
  for (const text of texts) binaryOf(text, output, format === 'cbor' ? CBOR : MESSAGEPACK);
  return output.bytes();
}

function jsonOf(tree: Tree): string {
  if (tree instanceof Entries) return `{${tree.entries.map(([key, value]) => `${JSON.stringify(key)}:${jsonOf(value)}`).join(',')}}`;
  if (Array.isArray(tree)) return `[${tree.map((item: Tree) => jsonOf(item)).join(',')}]`;
  return Object.is(tree, -0) ? '-0' : JSON.stringify(tree);
}

/** The differences between MessagePack and CBOR. */
interface Markers {
  null: number;
  false: number;
  true: number;
  double: number;
  integer(output: Output, value: number): void;
  text(output: Output, bytes: number): void;
  list(output: Output, count: number): void;
  map(output: Output, count: number): void;
}

/** Headers in short, 16-bit and 32-bit form. */
function head(short: number, most: number, wide: number, wider: number): (output: Output, count: number) => void {
  return (output, count) => {
    if (count <= most) output.byte(short + count);
    else if (count < 2 ** 16) output.byte(wide).integer(count, 2);
    else output.byte(wider).integer(count, 4);
  };
}

const MESSAGEPACK: Markers = {
  null: 0xc0,
  false: 0xc2,
  true: 0xc3,
  double: 0xcb,
  integer(output, value) {
    if (value >= -32 && value < 128) output.byte(value & 0xff);
    else if (value === (value | 0)) output.byte(0xd2).integer(value, 4);
    else output.byte(0xd3).integer(value, 8);
  },
  text: head(0xa0, 31, 0xda, 0xdb),
  list: head(0x90, 15, 0xdc, 0xdd),
  map: head(0x80, 15, 0xde, 0xdf),
};

const CBOR: Markers = {
  null: 0xf6,
  false: 0xf4,
  true: 0xf5,
  double: 0xfb,
  integer(output, value) {
    const [major, magnitude] = value < 0 ? [0x20, -1 - value] : [0, value];
    if (magnitude < 24) output.byte(major + magnitude);
    else if (magnitude < 2 ** 32) output.byte(major + 26).integer(magnitude, 4);
    else output.byte(major + 27).integer(magnitude, 8);
  },
  text: head(0x60, 23, 0x79, 0x7a),
  list: head(0x80, 23, 0x99, 0x9a),
  map: head(0xa0, 23, 0xb9, 0xba),
};

function binaryOf(tree: Tree, output: Output, markers: Markers): void {
  if (tree === null) output.byte(markers.null);
  else if (typeof tree === 'boolean') output.byte(tree ? markers.true : markers.false);
  else if (typeof tree === 'number') {
    if (Number.isSafeInteger(tree) && !Object.is(tree, -0)) markers.integer(output, tree);
    else output.byte(markers.double).double(tree);
  } else if (typeof tree === 'string') {
    const bytes = new TextEncoder().encode(tree);
    markers.text(output, bytes.length);
    output.append(bytes);
  } else if (tree instanceof Entries) {
    markers.map(output, tree.entries.length);
    for (const [key, value] of tree.entries) {
      binaryOf(key, output, markers);
      binaryOf(value, output, markers);
    }
  } else {
    markers.list(output, tree.length);
    for (const item of tree) binaryOf(item, output, markers);
  }
}

/** A big-endian byte buffer. */
class Output {
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #view = new DataView(new ArrayBuffer(65_536));
  #at = 0;

  byte(value: number): this {
    this.#room(1);
    this.#view.setUint8(this.#at++, value);
    return this;
  }

  integer(value: number, width: 2 | 4 | 8): void {
    this.#room(width);
    if (width === 8) this.#view.setBigInt64(this.#at, BigInt(value));
    else if (width === 4) this.#view.setInt32(this.#at, value);
    else this.#view.setInt16(this.#at, value);
    this.#at += width;
  }

  double(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.#at, value);
    this.#at += 8;
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    new Uint8Array(this.#view.buffer).set(bytes, this.#at);
    this.#at += bytes.length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return joined([...this.#chunks, new Uint8Array(this.#view.buffer, 0, this.#at)]);
  }

  #room(length: number): void {
    if (this.#at + length <= this.#view.byteLength) return;
    this.#chunks.push(new Uint8Array(this.#view.buffer, 0, this.#at));
    this.#view = new DataView(new ArrayBuffer(65_536));
    this.#at = 0;
  }
}
