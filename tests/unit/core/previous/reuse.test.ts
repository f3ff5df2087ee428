/** Values that are made from an earlier value, with limits so small that random documents reach all code. */
import { decode as unpack, encode as pack } from '@msgpack/msgpack';
import { expect, test } from 'vitest';
import { bsonGrammar } from '../../../../core/previous/grammars/bson.ts';
import { cborGrammar } from '../../../../core/previous/grammars/cbor.ts';
import { type DecodeItems, type Grammar, UNKNOWN } from '../../../../core/previous/grammars/grammar.ts';
import { jsonGrammar } from '../../../../core/previous/grammars/json.ts';
import { messagepackGrammar } from '../../../../core/previous/grammars/messagepack.ts';
import { protobufGrammar } from '../../../../core/previous/grammars/protobuf.ts';
import { type DecodeSetting, remember } from '../../../../core/previous/remember.ts';
import { SIZES, type Sizes } from '../../../../core/previous/tuning.ts';
import bson from '../../../../core/formats/bson/index.ts';
import bsonWriter from '../../../../core/formats/bson/writer.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../core/formats/cbor/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import protobufWriter from '../../../../core/formats/protobuf/writer.ts';
import { DEFAULT_LIMITS } from '../../../../core/limits.ts';
import { compileSchema, decodeSync, encodeSync } from '../../../../main/sync.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import fc from '../../../setup/properties/property.ts';
import { documents, edited, edits, jsonOf } from './documents.ts';
import { reusedBy } from './reused.ts';

const setting: DecodeSetting = { format: 'json', as: 'objects', options: {}, schema: undefined, limits: DEFAULT_LIMITS, revive: undefined };
const utf8 = new TextEncoder();

interface Way {
  readonly name: string;
  readonly grammar: Grammar;
  decode(bytes: Uint8Array): unknown;
  readonly items: DecodeItems;
  /** The bytes of a value given as JSON text. */
  encode(text: string): Uint8Array;
  /** The value in a decoded one: BSON has a document around it. */
  readonly within?: (value: unknown) => unknown;
}

const WAYS: readonly Way[] = [
  {
    name: 'JSON',
    grammar: jsonGrammar,
    decode: (bytes) => decodeSync(json, bytes),
    items: (bytes) => decodeSync(json, bytes),
    encode: (text) => utf8.encode(text),
  },
  {
    name: 'MessagePack',
    grammar: messagepackGrammar,
    decode: (bytes) => decodeSync(messagepack, bytes),
    items: (bytes) => decodeSync(messagepack, bytes, { options: { sequence: true } }),
    encode: (text) => pack(JSON.parse(text)),
  },
  {
    name: 'CBOR',
    grammar: cborGrammar,
    decode: (bytes) => decodeSync(cbor, bytes, { options: { maps: 'object' } }),
    items: (bytes) => decodeSync(cbor, bytes, { options: { sequence: true, maps: 'object' } }),
    encode: (text) => encodeSync(cborWriter, JSON.parse(text)),
  },
  {
    name: 'BSON',
    grammar: bsonGrammar,
    decode: (bytes) => decodeSync(bson, bytes),
    items: (bytes) => decodeSync(bson, bytes),
    encode: (text) => encodeSync(bsonWriter, { root: JSON.parse(text) }),
    within: (value) => (value as { root: unknown }).root,
  },
];

const PROTO = `syntax = "proto3";
message Doc { string text = 1; repeated Doc items = 2; repeated Doc members = 3; map<string, Doc> map = 4; Doc inner = 5; }`;
const schema = await compileSchema(protobuf, { proto: PROTO, message: 'Doc' });

/** A value of JSON as a message, whose repeated fields have its items. */
function messageOf(value: unknown): object {
  if (Array.isArray(value)) return { items: value.map(messageOf), inner: { text: 'list' } };
  if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) };
  const members = Object.entries(value).map(([text, inner]) => ({ text, inner: messageOf(inner) }));
  return { members, map: Object.fromEntries(members.slice(0, 2).map(({ text, inner }) => [text, inner])) };
}

/** All formats whose values are compared. Messages of Protocol Buffers are no values of JSON. */
const ALL: readonly Way[] = [
  ...WAYS,
  {
    name: 'Protocol Buffers',
    grammar: protobufGrammar(schema, {})!,
    decode: (bytes) => decodeSync(protobuf, bytes, { schema }),
    items: (bytes) => decodeSync(protobuf, bytes, { schema }),
    encode: (text) => encodeSync(protobufWriter, messageOf(JSON.parse(text)), { schema }),
  },
];

const sizes: fc.Arbitrary<Sizes> = fc.record({
  unit: fc.constantFrom(1, 8, 40, SIZES.unit),
  scalars: fc.constantFrom(200, SIZES.scalars),
  depth: fc.constantFrom(2, 16),
  window: fc.constantFrom(0, 1, 3, SIZES.window),
  batch: fc.constantFrom(1, 30, SIZES.batch),
  giveUp: fc.constantFrom(20, Infinity, Infinity),
  giveUpShare: fc.constantFrom(0.1, 0.9),
  probe: fc.constantFrom(0, 20, SIZES.probe),
  ahead: fc.constantFrom(300, SIZES.ahead),
});
/** Bytes of each chunk that arrives; undefined for bytes that are all there. */
const chunks = fc.constantFrom(undefined, 1, 7, 100);

/** The value of bytes, made from an earlier one; `UNKNOWN` if they are to be decoded as usual. */
function reused({ grammar, items }: Way, previous: unknown, bytes: Uint8Array, sizes: Sizes = SIZES, key?: string, chunk?: number): unknown {
  return reusedBy({ grammar, items, setting, sizes, key, chunk }, previous, bytes);
}

function deepFreeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const key of Object.keys(value)) deepFreeze((value as Record<string, unknown>)[key]);
}

/** Values by path, to compare identities. */
function objectsIn(value: unknown, path = '', into = new Map<string, object>()): Map<string, object> {
  if (typeof value !== 'object' || value === null) return into;
  into.set(path, value);
  for (const key of Object.keys(value)) objectsIn((value as Record<string, unknown>)[key], `${path}/${key}`, into);
  return into;
}

/** JSON, with bigints as text: shows the order of keys. */
const textOf = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));

/** Expects equal values with keys in the same order, whose objects are all different. */
function expectSame(value: unknown, expected: unknown): void {
  expect(value).toStrictEqual(expected);
  expect(textOf(value)).toBe(textOf(expected));
  const objects = [...objectsIn(value).values()];
  expect(new Set(objects).size).toBe(objects.length);
}

test.each(ALL)('$name: equals a decode as usual after any edits, and changes nothing of the earlier values', (way) => {
  let compared = 0;
  fc.assert(
    fc.property(
      documents,
      fc.array(edits, { minLength: 1, maxLength: 5 }),
      sizes,
      fc.constantFrom(undefined, 'id'),
      chunks,
      (first, changes, given, key, chunk) => {
        let doc = first;
        let bytes = way.encode(jsonOf(doc));
        let value = way.decode(bytes);
        remember(value, bytes, setting);
        for (const change of changes) {
          doc = edited(doc, change);
          bytes = way.encode(jsonOf(doc));
          deepFreeze(value);
          const before = JSON.stringify(value);
          const next = reused(way, value, bytes, given, key, chunk);
          expect(JSON.stringify(value)).toBe(before);
          const expected = way.decode(bytes);
          if (next === UNKNOWN) {
            value = expected;
            remember(value, bytes, setting);
          } else {
            compared += 1;
            expectSame(next, expected);
            value = next;
          }
        }
      },
    ),
    { numRuns: 6000 },
  );
  expect(compared).toBeGreaterThan(caseCount(6000) / 2);
});

test.each(ALL)('$name: accepts no bytes that a decode as usual rejects', (way) => {
  fc.assert(
    fc.property(documents, edits, sizes, fc.nat(), fc.nat(255), fc.boolean(), chunks, (doc, change, given, place, byte, isCut, chunk) => {
      const bytes = way.encode(jsonOf(doc));
      const value = way.decode(bytes);
      remember(value, bytes, setting);
      const next = way.encode(jsonOf(edited(doc, change)));
      const broken = isCut ? next.slice(0, place % (next.length + 1)) : next.slice();
      if (!isCut) broken[place % next.length] = byte;
      const made = reused(way, value, broken, given, undefined, chunk);
      if (made !== UNKNOWN) expectSame(made, way.decode(broken));
    }),
    { numRuns: 8000 },
  );
});

test.each(ALL)('$name: decodes a payload as usual that ends within a new item, although it was expected to be longer', (way) => {
  const textOf = (names: readonly string[]): string => JSON.stringify(names.map((name) => ({ name: name.repeat(30) })));
  const bytes = way.encode(textOf(['one', 'two']));
  const next = way.encode(textOf(['one', 'new']));
  for (let cut = 1; cut < 60; cut += 1) {
    const value = way.decode(bytes);
    remember(value, bytes, setting);
    const made = reused(way, value, next.slice(0, -cut), { ...SIZES, unit: 8, ahead: 0 }, undefined, 7);
    // A message of Protocol Buffers may end after any field.
    if (made !== UNKNOWN) expectSame(made, way.decode(next.slice(0, -cut)));
  }
});

test.each(ALL)('$name: keeps every list and object beside the path to one changed value', (way) => {
  fc.assert(
    fc.property(documents, edits, fc.constantFrom(1, 8, 40, SIZES.unit), chunks, (doc, change, unit, chunk) => {
      const bytes = way.encode(jsonOf(doc));
      const value = way.decode(bytes);
      remember(value, bytes, setting);
      const next = way.encode(jsonOf(edited(doc, { ...change, kind: 'change' })));
      const made = reused(way, value, next, { ...SIZES, unit, ahead: 300 }, undefined, chunk);
      if (made === UNKNOWN) return;
      const earlier = objectsIn(value);
      const objects = objectsIn(made);
      const kept = new Set(objects.values());
      const known = new Set(earlier.values());
      for (const [path, object] of objects) {
        const before = earlier.get(path);
        // An equal item next to it may have taken its object, or it the object of another.
        if (before && !known.has(object) && JSON.stringify(before) === JSON.stringify(object) && !kept.has(before)) {
          throw new Error(`${path} of ${jsonOf(doc)} is new`);
        }
      }
    }),
    { numRuns: 6000 },
  );
});

interface Item {
  id: number;
  name: string;
  tags: unknown[];
  owner: { id: number };
}
const record = (id: number): Item => ({ id, name: `item ${id}`, tags: ['a', { b: id }], owner: { id: id % 3 } });
const LIST: Way = WAYS[0]!;

/** Decodes one list after another, and returns the values. */
function decodeBoth(before: unknown, after: unknown, way: Way = LIST, given: Partial<Sizes> = {}, key?: string): { first: Item[]; second: Item[] } {
  const bytes = way.encode(JSON.stringify(before));
  const first = way.decode(bytes);
  remember(first, bytes, setting);
  const next = way.encode(JSON.stringify(after));
  const second = reused(way, first, next, { ...SIZES, ...given }, key);
  const within = way.within ?? ((value) => value);
  expectSame(within(second), JSON.parse(JSON.stringify(after)));
  return { first: within(first) as Item[], second: within(second) as Item[] };
}

test.each(WAYS)('$name: keeps all items of a list that is sorted, turned round, or has slid by a page', (way) => {
  const list = Array.from({ length: 200 }, (_, id) => record(id));
  const shuffled = list.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  for (const after of [shuffled, list.toReversed(), [...list.slice(40), ...Array.from({ length: 40 }, (_, id) => record(200 + id))]]) {
    const { first, second } = decodeBoth(list, after, way);
    const known = new Set(first);
    expect(second.filter((item) => !known.has(item)).length).toBe(after.filter((item) => !list.includes(item)).length);
  }
});

test.each(WAYS)('$name: keeps all records of a list that is in no other list, however short, after any edits of the list', (way) => {
  const count = fc.nat(60);
  const changes = fc.array(
    fc.record({ kind: fc.constantFrom('change', 'insert', 'remove', 'move', 'swap', 'reverse'), at: fc.nat(), to: fc.nat() }),
    {
      minLength: 1,
      maxLength: 5,
    },
  );
  const property = fc.property(count, changes, fc.constantFrom(0, 3, SIZES.window), chunks, (length, edits, window, chunk) => {
    const list = Array.from({ length }, (_, id) => record(id));
    const after = [...list];
    edits.forEach(({ kind, at, to }, index) => {
      const from = at % (after.length + 1);
      const target = to % (after.length + 1);
      if (kind === 'insert') after.splice(from, 0, record(100 + index));
      else if (kind === 'change') after.splice(from, 1, record(200 + index));
      else if (kind === 'remove') after.splice(from, 1);
      else if (kind === 'move') after.splice(target, 0, ...after.splice(from, 1));
      else if (kind === 'swap') after.splice(from, 1, ...after.splice(target, 1, ...after.slice(from, from + 1)));
      else after.reverse();
    });
    const encode = (items: unknown): Uint8Array => way.encode(JSON.stringify({ total: 7, page: { next: null, items } }));
    const bytes = encode(list);
    const value = way.decode(bytes);
    remember(value, bytes, setting);
    const made = reused(way, value, encode(after), { ...SIZES, window, ahead: 300 }, undefined, chunk);
    const within = way.within ?? ((inner) => inner);
    const page = (given: unknown): Item[] => (within(given) as { page: { items: Item[] } }).page.items;
    const known = new Map(page(value).map((item) => [item.id, item]));
    page(made).forEach((item, index) => {
      expect(item).toEqual(after[index]);
      if (known.has(item.id)) expect(item).toBe(known.get(item.id));
      // An earlier item is taken once.
      known.delete(item.id);
    });
  });
  fc.assert(property, { numRuns: 1000 });
});

test.each(WAYS)('$name: compares long records if those that were compared first end within one that has not changed', (way) => {
  const list = Array.from({ length: 12 }, (_, id) => ({ ...record(id), tags: Array.from({ length: 900 }, (_unused, at) => ({ at, id })) }));
  for (const probe of [100_000, 180_000]) {
    const { first, second } = decodeBoth(list, list.with(0, { ...list[0]!, name: 'item x' }), way, { probe });
    expect(second.filter((item) => !first.includes(item))).toEqual([second[0]]);
  }
});

test.each(WAYS)('$name: keeps long records that have moved past others', (way) => {
  const list = Array.from({ length: 12 }, (_, id) => ({ ...record(id), tags: Array.from({ length: 900 }, (_unused, at) => ({ at, id })) }));
  for (const [from, to] of [
    [0, 11],
    [7, 3],
  ] as const) {
    const { first, second } = decodeBoth(list, list.toSpliced(from, 1).toSpliced(to, 0, list[from]!), way);
    expect(second).toHaveLength(12);
    expect(second.filter((item) => !first.includes(item))).toEqual([]);
  }
});

test('keeps the parts of records that have moved and changed, by their key', () => {
  const list = Array.from({ length: 100 }, (_, id) => record(id));
  const after = list.toReversed().map((item) => ({ ...item, name: 'changed' }));
  const { first, second } = decodeBoth(list, after, LIST, { giveUp: Infinity }, 'id');
  second.forEach((item, index) => {
    const before = first[99 - index]!;
    expect(item).not.toBe(before);
    expect(item.tags).toBe(before.tags);
    expect(item.owner).toBe(before.owner);
  });
});

test('keeps equal records of a list once each', () => {
  const list = Array.from({ length: 50 }, (_, id) => record(id % 2));
  const { first, second } = decodeBoth(list, [...list, ...list]);
  const known = new Set(first);
  expect(second.filter((item) => known.has(item)).length).toBe(50);
});

test('returns the earlier value itself if only white space has changed', () => {
  const bytes = utf8.encode('[{"a":1}, {"b":[2]}]');
  const value = LIST.decode(bytes);
  remember(value, bytes, setting);
  expect(reused(LIST, value, utf8.encode(' [ {"a": 1},{"b":[2] }]\n'))).toBe(value);
});

test('gives up early if nearly all records have changed', () => {
  const list = Array.from({ length: 20_000 }, (_, id) => record(id));
  const bytes = utf8.encode(JSON.stringify(list));
  const value = LIST.decode(bytes);
  remember(value, bytes, setting);
  let decodes = 0;
  const counting: Way = { ...LIST, items: (items, levels) => ((decodes += 1), LIST.items(items, levels)) };
  expect(reused(counting, value, utf8.encode(JSON.stringify(list.map((item) => ({ ...item, name: 'new' })))))).toBe(UNKNOWN);
  // Only the sample of the earlier value is decoded.
  expect(decodes).toBeLessThanOrEqual(2);
});

test('decodes as usual if the application has sorted the earlier list in place', () => {
  const bytes = utf8.encode(JSON.stringify(Array.from({ length: 100 }, (_, id) => record(id))));
  const value = LIST.decode(bytes) as object[];
  remember(value, bytes, setting);
  value.reverse();
  expect(reused(LIST, value, utf8.encode(JSON.stringify([record(-1), ...value.toReversed()])))).toBe(UNKNOWN);
});

test('keeps what the application has changed in an item that is the same', () => {
  const list = Array.from({ length: 100 }, (_, id) => record(id));
  const { first, second } = decodeBoth(list, [record(-1), ...list]);
  first[50]!.name = 'mine';
  first.reverse();
  const third = reused(LIST, second, utf8.encode(JSON.stringify([record(-2), record(-1), ...list]))) as Item[];
  expect(third[52]).toBe(second[51]);
  expect(third[52]!.name).toBe('mine');
});

test('decodes MessagePack with records and references of msgpackr as usual', async () => {
  const { Packr } = await import('msgpackr');
  const way = WAYS[1]!;
  for (const options of [{ useRecords: true }, { structuredClone: true, useRecords: false }, { bundleStrings: true, useRecords: false }]) {
    const shared = { a: 'text', list: [1] };
    const encode = (id: number): Uint8Array =>
      new Packr(options).pack([
        { id, shared },
        { id: 2, shared },
        { id: 3, name: 'a long text', shared },
      ]);
    const bytes = Uint8Array.from(encode(1));
    const value = way.decode(bytes);
    remember(value, bytes, setting);
    expect(reused(way, value, Uint8Array.from(encode(9)))).toBe(UNKNOWN);
  }
});

test('a count that is smaller than before ends a list of MessagePack', () => {
  // The item that follows the shorter list has the bytes of the list's last item.
  const way = WAYS[1]!;
  const item = pack({ a: 1 });
  const wrap = (count: number): Uint8Array =>
    Uint8Array.of(
      0x93,
      0x90 | count,
      ...Array.from({ length: 3 }, () => item).flatMap((bytes) => [...bytes]),
      ...(count === 3 ? [0xc0, 0xc0] : [0xc0]),
    );
  const bytes = wrap(3);
  const value = way.decode(bytes);
  remember(value, bytes, setting);
  for (const unit of [1, SIZES.unit]) expectSame(reused(way, value, wrap(2), { ...SIZES, unit }), unpack(wrap(2)));
});
