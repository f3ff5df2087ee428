import { Rows } from '../../../../main/rows/rows.ts';
import { rowsOf } from '../../../../main/rows/form.ts';
import { RunList } from '../../../../core/rows/row-list.ts';
import { IndexList } from '../../../../main/tables/index-list.ts';
import { Block, type TableData } from '../../../../core/rows/read-block.ts';
import { RowBuilder } from '../../../../core/rows/table.ts';
import { reviveCore } from '../../../../core/reading/revive.ts';
import { ROW_LIST } from '../../../../core/values/record-list.ts';
import fc from '../../../setup/properties/property.ts';
import { emit } from '../../../setup/values/emit.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';

/** A record of any keys. */
export type Item = Record<string, unknown>;

/** Keys of the records: those of `nested` are records and lists, and one is a path's text as a key. */
export const KEYS = ['a', 'b', 'c', '__proto__', 'nested', 'nested.x'] as const;

/** Keys and paths by which rows are sorted and the like. Some lead nowhere. */
export const PATHS = [...KEYS, 'nested.y', 'nested.y.z', 'nested.length', 'nested.1', 'nested.a', 'a.b'] as const;

/** Texts that differ late, end with zeros, are prefixes of each other, or have surrogates. */
const text = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'a\0',
    'a\0\0',
    'aaaaaaaa',
    'aaaaaaaa\0',
    'aaaaaaaab',
    'aaaaaaaaaaaaaaaab',
    'Ä',
    'z',
    'ä',
    'Zürich',
    'zurich',
    '\uFFFF',
    '😀',
    '\uD800',
  ),
  fc.string({ maxLength: 12 }),
);

/** Values of one kind, as most columns have. */
const KINDS: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  integers: fc.integer({ min: -5, max: 5 }),
  'large integers': fc.integer(),
  numbers: fc.oneof(fc.double(), fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 0.5)),
  bigints: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  booleans: fc.boolean(),
  dates: fc.oneof(
    fc.integer({ min: -9e12, max: 9e12 }).map((time) => new Date(time)),
    fc.constantFrom(0, NaN).map((time) => new Date(time)),
  ),
  words: fc.constantFrom('open', 'closed', 'Ärger', 'ärger', 'zu', ''),
  texts: text,
  'long texts': text.map((end) => `a common beginning, then ${end}`),
  nested: fc.oneof(
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.integer().map((x) => ({ x })),
  ),
};

/** Values of a column: of one kind or several, with gaps or without. */
const column: fc.Arbitrary<fc.Arbitrary<unknown>> = fc
  .tuple(fc.subarray(Object.keys(KINDS), { minLength: 1, maxLength: 2 }), fc.subarray([null, undefined, ABSENT()], { maxLength: 3 }))
  .map(([kinds, gaps]) => withGaps(fc.oneof(...kinds.map((kind) => KINDS[kind]!)), gaps));

function withGaps(values: fc.Arbitrary<unknown>, gaps: readonly unknown[]): fc.Arbitrary<unknown> {
  return gaps.length === 0 ? values : fc.oneof({ arbitrary: values, weight: 4 }, fc.constantFrom(...gaps));
}

/** Nested records with such values, and other values in their place. */
const nested: fc.Arbitrary<fc.Arbitrary<unknown>> = fc
  .tuple(column, column, fc.subarray([null, 5, 'text', [1, 2], { a: 1 }, new Date(0), ABSENT()]))
  .map(([x, z, gaps]) =>
    withGaps(
      fc.tuple(x, z).map((values) => ({ ...present('x', values[0]), y: present('z', values[1]) })),
      gaps,
    ),
  );

function present(key: string, value: unknown): object {
  return value === ABSENT() ? {} : { [key]: value };
}

/** Stands for an absent key. */
function ABSENT(): symbol {
  return Symbol.for('absent');
}

/** Values of a key that looks like a path, which few lists have. */
const dotted = fc.oneof({ arbitrary: fc.constant(fc.constant<unknown>(ABSENT())), weight: 4 }, column);

/** A list of records; most have the same keys. */
export const items: fc.Arbitrary<Item[]> = fc.tuple(column, column, column, fc.constant(fc.integer()), nested, dotted).chain((columns) =>
  fc.array(
    fc.tuple(...columns).map((values) => {
      const item: Item = {};
      for (const [index, key] of KEYS.entries()) {
        if (values[index] === ABSENT()) continue;
        Object.defineProperty(item, key, { value: values[index], writable: true, enumerable: true, configurable: true });
      }
      return item;
    }),
    { maxLength: 120, size: 'max' },
  ),
);

/** Ways in which a list becomes `Rows`. */
export const WAYS: Readonly<Record<string, (list: Item[]) => Promise<Rows<Item>>>> = {
  'the columns of a block': throughColumns,
  objects: async (list) => rowsOf(list.map((item) => ({ ...item }))) as Rows<Item>,
  'a slice of columns': async (list) => (await throughColumns([{ a: 'before' }, ...list, { b: 1 }])).slice(1, -1),
  'several blocks': async (list) => {
    const half = list.length >> 1;
    const parts = [await throughColumns(list.slice(0, half)), rowsOf(list.slice(half, half + 3)), await throughColumns(list.slice(half + 3))];
    return new Rows(new RunList(parts.flatMap((rows) => rows[ROW_LIST].runs!)));
  },
  'another order': async (list) => {
    const source = new RunList((await throughColumns(list.toReversed()))[ROW_LIST].runs!);
    return new Rows(new IndexList(source, Uint32Array.from(list.keys()).reverse()));
  },
  'another order of several blocks': async (list) => {
    const reversed = list.toReversed();
    const half = list.length >> 1;
    const parts = [await throughColumns(reversed.slice(0, half)), await throughColumns(reversed.slice(half))];
    const source = new RunList(parts.flatMap((rows) => rows[ROW_LIST].runs!));
    return new Rows(new IndexList(source, Uint32Array.from(list.keys()).reverse()));
  },
};

/** `Rows` whose records stay JSON until they are read. */
export function lazyRows(list: readonly Item[]): Rows<Item> {
  const texts = list.map((item) => encoder.encode(JSON.stringify(item)));
  let end = -1;
  const ends = Uint32Array.from(texts, ({ length }) => (end += length + 1));
  const bytes = new Uint8Array(Math.max(end, 0)).fill(COMMA);
  texts.forEach((text, at) => bytes.set(text, ends[at]! - text.length));
  const table: TableData = { keys: [], groups: [], rows: list.length, objects: [] };
  const part = { buffer: bytes.buffer, base: 0, groups: 1, taped: false, isReleasable: false };
  const raw = { ends, bytes, separator: COMMA };
  table.groups.push({ table, first: 0, rows: list.length, columns: [], tape: new Int32Array(0), raw, part });
  const builder = new RowBuilder(new Block(), reviveCore, new Map());
  return new Rows(new RunList([{ table, first: 0, count: list.length, builder }]));
}

const encoder = new TextEncoder();
const COMMA = 0x2c;

async function throughColumns(list: readonly Item[]): Promise<Rows<Item>> {
  const copies = list.map((item) => structuredClone(item));
  return (await throughBlock((sink) => emit(sink, copies), 'rows')) as Rows<Item>;
}
