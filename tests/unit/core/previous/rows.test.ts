/** Values with `Rows` that are made from an earlier value, whose rows are in columns or objects already. */
import { encode as pack } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import type { AnyFormat } from '../../../../core/format/format.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { DEFAULT_LIMITS } from '../../../../core/limits.ts';
import { type DecodeItems, type Grammar, UNKNOWN } from '../../../../core/previous/grammars/grammar.ts';
import { jsonGrammar } from '../../../../core/previous/grammars/json.ts';
import { messagepackGrammar } from '../../../../core/previous/grammars/messagepack.ts';
import { changesOf } from '../../../../core/previous/changes.ts';
import { type DecodeSetting, remember } from '../../../../core/previous/remember.ts';
import { SIZES, type Sizes } from '../../../../core/previous/tuning.ts';
import { DecodeSession } from '../../../../core/format/decode-session.ts';
import { ROW_LIST } from '../../../../core/values/record-list.ts';
import { isRows, type Rows } from '../../../../main/index.ts';
import { rowsForm } from '../../../../main/previous/rows-form.ts';
import { resultShape } from '../../../../main/rows/form.ts';
import { decodeSync } from '../../../../main/sync.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import fc from '../../../setup/properties/property.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import { documents, edited, edits, jsonOf } from './documents.ts';
import { reusedBy } from './reused.ts';

const setting: DecodeSetting = { format: 'json', as: 'rows', options: {}, schema: undefined, limits: DEFAULT_LIMITS, revive: undefined };
const utf8 = new TextEncoder();

interface Way {
  readonly name: 'json' | 'messagepack';
  readonly format: AnyFormat;
  readonly grammar: Grammar;
  readonly items: DecodeItems;
  readonly encode: (text: string) => Uint8Array<ArrayBuffer>;
}

const JSON_WAY: Way = {
  name: 'json',
  format: json,
  grammar: jsonGrammar,
  items: (bytes) => decodeSync(json, bytes),
  encode: (text) => utf8.encode(text),
};
const WAYS: readonly Way[] = [
  JSON_WAY,
  {
    name: 'messagepack',
    format: messagepack,
    grammar: messagepackGrammar,
    items: (bytes) => decodeSync(messagepack, bytes, { options: { sequence: true } }),
    encode: (text) => pack(JSON.parse(text)),
  },
];

/** Decodes as a worker does: into columns. */
function inColumns({ name, format }: Way, bytes: Uint8Array): Promise<unknown> {
  return throughBlock((sink) => {
    const session = new DecodeSession({ id: name, format, options: {}, limits: DEFAULT_LIMITS }, sink);
    session.push(bytes);
    session.end();
  }, 'rows');
}

function inObjects({ format }: Way, bytes: Uint8Array): unknown {
  return resultShape(decodeSync(format as never, bytes), 'rows');
}

/** The value of bytes, made from an earlier one; `UNKNOWN` if they are to be decoded as usual. */
function reused({ grammar, items }: Way, previous: unknown, bytes: Uint8Array, given: Partial<Sizes> = {}, key?: string): unknown {
  return reusedBy({ grammar, items, setting, sizes: { ...SIZES, ...given }, key, form: rowsForm }, previous, bytes);
}

/** A value whose `Rows` can be told from its arrays. */
function withForms(value: unknown): unknown {
  if (isRows(value)) return { rows: value.toArray() };
  if (Array.isArray(value)) return value.map(withForms);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, inner]) => [key, withForms(inner)]);
}

const sizes: fc.Arbitrary<Sizes> = fc.record({
  unit: fc.constantFrom(1, 8, 40, SIZES.unit),
  scalars: fc.constantFrom(200, SIZES.scalars),
  depth: fc.constantFrom(2, 16),
  window: fc.constantFrom(0, 3, SIZES.window),
  batch: fc.constantFrom(1, SIZES.batch),
  giveUp: fc.constantFrom(20, Infinity, Infinity),
  giveUpShare: fc.constantFrom(0.1, 0.9),
  probe: fc.constantFrom(0, 20, SIZES.probe),
  ahead: fc.constant(SIZES.ahead),
});

test.each(WAYS)('$name: equals a decode as usual after any edits, in values and in form', async (way) => {
  let withRows = 0;
  const property = fc.asyncProperty(
    documents,
    fc.array(edits, { minLength: 1, maxLength: 5 }),
    sizes,
    fc.constantFrom(undefined, 'id'),
    fc.boolean(),
    async (start, changes, given, key, isRead) => {
      const bytes = way.encode(jsonOf(start));
      let doc = start;
      let value = await inColumns(way, bytes);
      remember(value, bytes, setting);
      for (const change of changes) {
        doc = edited(doc, change);
        const next = way.encode(jsonOf(doc));
        const before = isRead ? JSON.stringify(value) : undefined;
        const made = reused(way, value, next, given, key);
        if (before !== undefined) expect(JSON.stringify(value)).toBe(before);
        const expected = inObjects(way, next);
        if (made === UNKNOWN) {
          value = expected;
          remember(value, next, setting);
        } else {
          expect(withForms(made)).toStrictEqual(withForms(expected));
          value = made;
          if (JSON.stringify(withForms(made))?.includes('"rows"')) withRows += 1;
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 1000 });
  expect(withRows).toBeGreaterThan(caseCount(1000) / 4);
});

interface Item {
  id: number;
  name: string;
  tags: unknown[];
}
const record = (id: number, name = `item ${id}`): Item => ({ id, name, tags: ['a', { b: id }] });
const LIST = Array.from({ length: 3000 }, (_, id) => record(id));
const encode = (value: unknown): Uint8Array<ArrayBuffer> => JSON_WAY.encode(JSON.stringify(value));

/** Rows of a list, in columns. */
async function rowsOf(list: readonly unknown[]): Promise<Rows<Item>> {
  const bytes = encode(list);
  const rows = await inColumns(JSON_WAY, bytes);
  remember(rows, bytes, setting);
  return rows as Rows<Item>;
}

test('rows that have not changed keep their columns, and the objects that the application holds', async () => {
  const first = await rowsOf(LIST);
  const held = [0, 7, 1500, 2999].map((index) => first.at(index));
  const after = [record(-1), ...LIST.with(7, record(7, 'changed')).toSpliced(2000, 1)];
  const second = reused(JSON_WAY, first, encode(after)) as Rows<Item>;
  expect(second.toArray()).toEqual(after);
  expect(second.columnNames).toEqual(['id', 'name', 'tags']);
  expect(second.column('id')).toEqual(Int32Array.from(after, ({ id }) => id));
  expect([1, 8, 1501, 2999].map((index) => second.at(index) === held[[1, 8, 1501, 2999].indexOf(index)])).toEqual([true, false, true, true]);
  expect(second.at(8)!.tags).toBe(held[1]!.tags);
  expect(second.at(8)).toBe(second.at(8));
  // An object, then rows of the columns before and after each change.
  expect(second[ROW_LIST].runs!.map(({ count }) => count)).toEqual([1, 7, 1, 1992, 999]);
  const third = reused(JSON_WAY, second, encode(after.with(0, record(-2)))) as Rows<Item>;
  expect(third.at(8)).toBe(second.at(8));
  expect(third.at(1)).toBe(held[0]);
  expect(reused(JSON_WAY, third, encode(after.with(0, record(-2))))).toBe(third);
});

test('rows that are removed and come back leave no more parts than before', async () => {
  const first = await rowsOf(LIST);
  const second = reused(JSON_WAY, first, encode([...LIST.slice(0, 100), record(-1), ...LIST.slice(100)])) as Rows<Item>;
  const third = reused(JSON_WAY, second, encode(LIST)) as Rows<Item>;
  expect(second[ROW_LIST].runs).toHaveLength(3);
  expect(third[ROW_LIST].runs!.map(({ count }) => count)).toEqual([3000]);
  expect(third.toArray()).toEqual(LIST);
});

test('rows in too many parts are decoded as usual', async () => {
  const long = Array.from({ length: 8000 }, (_, id) => record(id));
  const first = await rowsOf(long);
  expect(reused(JSON_WAY, first, encode(long.map((item) => (item.id % 3 ? item : record(item.id, 'changed')))))).toBe(UNKNOWN);
});

test('a list that gets another form by one of its items is decoded as usual', async () => {
  expect(reused(JSON_WAY, await rowsOf(LIST), encode([...LIST, [1]]))).toBe(UNKNOWN);
  for (const other of [7, 'text', null]) {
    expect(withForms(reused(JSON_WAY, await rowsOf(LIST), encode([...LIST, other])))).toEqual({ rows: [...LIST, other] });
  }
});

test('changesOf lists the rows that were added, changed and removed', async () => {
  const first = await rowsOf(LIST);
  const after = [record(-1), ...LIST.with(7, record(7, 'changed')).slice(0, -2)];
  const second = reused(JSON_WAY, first, encode(after)) as Rows<Item>;
  expect(changesOf(second)).toMatchObject([
    {
      path: [],
      added: [{ index: 0, item: record(-1) }],
      changed: [{ index: 8, item: record(7, 'changed'), before: record(7), from: 7 }],
      removed: [
        { index: 2998, item: record(2998) },
        { index: 2999, item: record(2999) },
      ],
      moved: [],
    },
  ]);
  expect(changesOf(second)![0]!.list).toBe(second);
});
