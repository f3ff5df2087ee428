import type { Limits } from '../../core/limits.ts';
import { Random } from '../fuzz/mutate.ts';
import { documentAround, encodeTree, randomItems, type Tree as IrregularTree, valueOf } from '../setup/values/irregular.ts';
import type { FormatLine } from './formats.ts';
import { RAW } from './raw.ts';
import { tree, type Tree } from './schemas.ts';

/** Bytes that no writer of the library writes, where they need other options or another schema than the format’s line, with these. */
export interface Raw {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options?: object;
  readonly schema?: unknown;
  /** True if they are invalid. */
  readonly fails?: boolean;
  /** Keys to pick, if the bytes have no value that would show them. */
  readonly pick?: readonly string[];
}

/**
 * A line of the matrix: a shape of any size, in the terms of what formats hold. Together they have everything that a reader, a sink or
 * a writer keeps track of.
 */
export interface Shape {
  readonly name: string;
  /** The size of a payload of some 10 to 100 kB, at which work that grows faster than the input dominates. */
  readonly size: number;
  /**
   * A value that JSON can express, or with `beyond` one that it cannot. With `isAlwaysNew`, `from` is the number of its first item in a
   * list without end.
   */
  readonly value?: (size: number, from?: number) => unknown;
  /** Ids of the formats that can express it. Default: all. */
  readonly beyond?: readonly string[];
  /** True if the value is a table: records of one shape. */
  readonly isTable?: boolean;
  /** A tree of the schemas’ type. */
  readonly tree?: (size: number) => Partial<Tree>;
  /** Payloads by the names of the formats’ lines. */
  readonly raw?: Readonly<Record<string, (size: number) => Raw>>;
  /** Limits without which it is an error. */
  readonly limits?: Partial<Limits>;
  /** True if no two items of the list are the same, however long it is. */
  readonly isAlwaysNew?: boolean;
  /** True if the depth grows, which is limited: stopping and resuming may walk all levels each time. */
  readonly isDepth?: boolean;
}

export function list<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

export function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

const deepTree = (levels: number): Partial<Tree> =>
  list(levels, () => 0).reduce<Partial<Tree>>((inner) => ({ text: 'x', children: [tree(inner)] }), {});
const rowOf = (at: number): Tree['rows'][number] => ({ id: at, name: `name ${at % 100}`, x: at / 7 });
/** Strings that look like what a reader of JSON looks for. */
const BRACKETS = ['[[[[[[[[', ']}]}]}', '{"a":[', '"\\"[', '],[', '}\n{', '\\\\"'];
const SELF_DESCRIBING = ['messagepack', 'cbor', 'bson', 'sia'];
const WITH_MAPS = ['messagepack', 'cbor', 'sia'];

export const SHAPES: readonly Shape[] = [
  {
    name: 'flat records',
    size: 250,
    isTable: true,
    value: (size) => list(size, (at) => ({ id: at, name: `name ${at % 100}`, x: at / 7, none: null })),
    tree: (size) => ({ rows: list(size, rowOf) }),
  },
  {
    name: 'nested records',
    size: 133,
    isTable: true,
    value: (size) => list(size, (at) => ({ id: at, list: [at, at + 1], inner: { y: [`${at}`], z: { deep: at / 7 } } })),
    tree: (size) => ({ children: list(size, (at) => tree({ text: `${at}`, numbers: [at], rows: [rowOf(at)] })) }),
  },
  { name: 'records of many shapes', size: 133, value: (size) => list(size, (at) => ({ [`key${at % 40}`]: at, [`other${at % 97}`]: 'x' })) },
  { name: 'one key per record', size: 133, value: (size) => list(size, (at) => ({ [`key${at}`]: at })) },
  {
    name: 'keys that are always new',
    size: 500,
    isAlwaysNew: true,
    value: (size, from = 0) => list(size, (at) => ({ [`key ${String(from + at).padStart(9, '0')}`]: at, inner: { [`key ${at + 1e9}`]: [] } })),
  },
  { name: 'records in a document', size: 250, value: (size) => ({ head: 1, rows: list(size, (at) => ({ id: at, text: `text ${at}` })), tail: [2] }) },
  { name: 'one object of many keys', size: 4_000, value: (size) => Object.fromEntries(list(size, (at) => [`key ${at}`, at])) },
  { name: 'nested arrays', isDepth: true, size: 120, value: (size) => nested(size, (inner) => [inner]) },
  {
    name: 'nested objects',
    isDepth: true,
    size: 120,
    value: (size) => nested(size, (inner) => ({ before: 1, inner, after: 2 })),
    tree: (size) => deepTree(size / 3),
  },
  {
    name: 'more levels than by default',
    isDepth: true,
    size: 6_000,
    limits: { depth: 100_000 },
    value: (size) => nested(size, (inner) => ({ inner })),
    tree: (size) => deepTree(size / 2),
  },
  {
    name: 'many deep values',
    size: 6,
    value: (size) => list(size, () => nested(200, (inner) => [{ inner }])),
    tree: (size) => ({ children: list(size, () => tree(deepTree(30))) }),
  },
  { name: 'lists in lists', size: 250, value: (size) => list(size, (at) => list(at % 7, (inner) => [inner, 'x'])) },
  { name: 'one long string', size: 70_000, value: (size) => 'é long '.repeat(size / 7), tree: (size) => ({ text: 'é long '.repeat(size / 7) }) },
  { name: 'a long string of escapes in a record', size: 70_000, value: (size) => [{ id: 1, text: 'x"\\\n'.repeat(size / 4) }] },
  {
    name: 'many short strings',
    size: 1000,
    value: (size) => list(size, (at) => `text ${at}`),
    tree: (size) => ({ texts: list(size, (at) => `text ${at}`) }),
  },
  {
    name: 'the same strings',
    size: 1000,
    value: (size) => list(size, (at) => `text ${at % 10}`),
    tree: (size) => ({ texts: list(size, (at) => `text ${at % 10}`) }),
  },
  {
    name: 'brackets in strings',
    size: 1000,
    value: (size) => nested(50, (inner) => [inner === 1 ? list(size, (at) => BRACKETS[at % BRACKETS.length]) : inner]),
    tree: (size) => ({ texts: list(size, (at) => BRACKETS[at % BRACKETS.length]!) }),
  },
  {
    name: 'brackets in the strings of records',
    size: 1000,
    isTable: true,
    value: (size) => list(size, (at) => ({ id: at, text: BRACKETS[at % BRACKETS.length] })),
  },
  { name: 'empty values', size: 1000, value: (size) => list(size, (at) => [[], {}, '', 0, null][at % 5]) },
  { name: 'empty objects', size: 2000, value: (size) => list(size, () => ({})), tree: (size) => ({ children: list(size / 4, () => tree({})) }) },
  {
    name: 'numbers',
    size: 1666,
    value: (size) => list(size, (at) => (at % 3 === 0 ? at / 7 : at * 1000)),
    tree: (size) => ({ numbers: list(size, (at) => at * 1000) }),
  },
  { name: 'long keys', size: 10, value: (size) => list(size, (at) => ({ [`${'k'.repeat(2000)}${at}`]: at })) },
  { name: 'mixed items', size: 500, value: (size) => list(size, (at) => [at, `s${at}`, null, true, [at], { at }, 0.5][at % 7]) },
  { name: 'one binary value', size: 16_666, beyond: SELF_DESCRIBING, value: (size) => new Uint8Array(size).fill(7) },
  { name: 'binary values', size: 500, beyond: SELF_DESCRIBING, value: (size) => list(size, (at) => Uint8Array.of(at, at >> 8)) },
  {
    name: 'records of dates and bytes',
    size: 200,
    isTable: true,
    beyond: [...SELF_DESCRIBING, 'arrow'],
    value: (size) => list(size, (at) => ({ at: new Date(at * 1e7), bytes: Uint8Array.of(at) })),
  },
  { name: 'a map', size: 500, beyond: WITH_MAPS, value: (size) => new Map(list(size, (at) => [at, `v${at}`])) },
  {
    name: 'nested maps',
    isDepth: true,
    size: 50,
    beyond: WITH_MAPS,
    value: (size) => nested(size, (inner) => new Map<unknown, unknown>([[1, inner]])),
  },
  { name: 'bigints', size: 333, beyond: WITH_MAPS, value: (size) => list(size, (at) => 2n ** 60n + BigInt(at)) },
  irregular('irregular records', (items) => items),
  irregular('irregular records in a document', (items, random) => documentAround(random, items)),
  ...RAW,
];

/** Random records of several shapes, with missing, repeated and reordered keys, and items that are no records. */
function irregular(name: string, around: (items: IrregularTree[], random: Random) => IrregularTree): Shape {
  const make = (size: number, repeated = 0): IrregularTree => {
    const random = new Random(size + name.length);
    return around(randomItems(random, { rows: size, loose: random.below(3) === 0 ? 0.01 : 0, repeated }), random);
  };
  const encoded =
    (id: 'json' | 'messagepack' | 'cbor', isSequence: boolean) =>
    (size: number): Raw => ({
      bytes: encodeTree(id, make(size, 0.01), isSequence),
      options: { ...(isSequence && { sequence: true }), ...(id === 'cbor' && { maps: 'object' }) },
    });
  const isList = name === 'irregular records';
  return {
    name,
    size: 100,
    value: (size) => valueOf(make(size)),
    raw: {
      JSON: encoded('json', false),
      MessagePack: encoded('messagepack', false),
      CBOR: encoded('cbor', false),
      ...(isList && {
        'JSON lines': encoded('json', true),
        'a MessagePack sequence': encoded('messagepack', true),
        'a CBOR sequence': encoded('cbor', true),
      }),
    },
  };
}

/** The value of a shape in terms of what a format holds; undefined if there is none. */
export function valueFor({ id, holds }: FormatLine, { value, tree: some, isTable, beyond, size: most }: Shape, size: number, from = 0): unknown {
  if (beyond && !beyond.includes(id)) return undefined;
  switch (holds) {
    case 'values':
      return value?.(size, from);
    case 'documents':
      return value && { value: value(size, from) };
    case 'items': {
      const made = value?.(size, from);
      return Array.isArray(made) ? made : undefined;
    }
    case 'tables':
      return isTable ? value?.(size) : undefined;
    case 'trees':
      return some && tree(some(size));
    case 'flat trees':
      return isFlat(some, most) ? tree(some!(size)) : undefined;
    case 'lists of trees':
      return some && list(4, (at) => tree(some(Math.ceil(size / 4) + at)));
    default:
      // Lists of flat trees.
      return isFlat(some, most) ? list(4, (at) => tree(some!(Math.ceil(size / 4) + at))) : undefined;
  }
}

function isFlat(make: Shape['tree'], size: number): boolean {
  return make !== undefined && tree(make(size)).children.length === 0;
}
