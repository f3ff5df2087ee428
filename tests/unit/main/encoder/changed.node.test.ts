import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { compileSchema, decodeSync } from '../../../../main/sync.ts';
import { EncodeError } from '../../../../core/errors.ts';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { loadWriter } from '../../../../core/formats/writers.ts';
import { encodeErrorOf, encodeWith } from '../../../setup/ways/encode-with.ts';
import fc from '../../../setup/properties/property.ts';

/** Format with its options and schema. */
interface Case {
  readonly id: FormatId;
  readonly options?: object;
  readonly schema?: unknown;
  /** True if the format can write Maps and Sets. */
  readonly hasCollections?: boolean;
}

/** Record with a list of numbers, a list of records, and an object with arbitrary keys, in each schema language. */
const PROTO = `syntax = "proto3"; message R { repeated int32 numbers = 1; repeated Item items = 2; map<string, int32> counts = 3; string name = 4; Item one = 5; repeated string names = 6; }
  message Item { int32 x = 1; string s = 2; repeated sint32 more = 3; }`;
const AVRO = {
  type: 'record',
  name: 'R',
  fields: [
    { name: 'numbers', type: { type: 'array', items: 'int' } },
    {
      name: 'items',
      type: {
        type: 'array',
        items: {
          type: 'record',
          name: 'Item',
          fields: [
            { name: 'x', type: 'int' },
            { name: 's', type: 'string' },
            { name: 'more', type: { type: 'array', items: 'int' } },
          ],
        },
      },
    },
    { name: 'counts', type: { type: 'map', values: 'int' } },
    { name: 'name', type: 'string' },
    { name: 'one', type: 'Item' },
    { name: 'names', type: { type: 'array', items: 'string' } },
  ],
};
const BOP = `struct Item { int32 x; string s; int32[] more; }
  message R { 1 -> int32[] numbers; 2 -> Item[] items; 3 -> map[string, int32] counts; 4 -> string name; 5 -> Item one; 6 -> string[] names; }`;
const JSBINARY = {
  numbers: ['int'],
  items: [{ x: 'int', s: 'string', more: ['int'] }],
  name: 'string',
  one: { x: 'int', s: 'string', more: ['int'] },
  names: ['string'],
  counts: 'json',
};

const CASES: readonly Case[] = [
  { id: 'json' },
  { id: 'json', options: { maps: 'object', sets: 'array', bigints: 'string' }, hasCollections: true },
  { id: 'messagepack', hasCollections: true },
  { id: 'messagepack', options: { records: true }, hasCollections: true },
  { id: 'messagepack', options: { references: true }, hasCollections: true },
  { id: 'messagepack', options: { bundleStrings: true }, hasCollections: true },
  { id: 'cbor', hasCollections: true },
  { id: 'cbor', options: { records: true }, hasCollections: true },
  { id: 'cbor', options: { deterministic: true }, hasCollections: true },
  { id: 'cbor', options: { references: true }, hasCollections: true },
  { id: 'bson' },
  { id: 'sia', hasCollections: true },
  { id: 'avro', schema: AVRO },
  { id: 'avro', schema: AVRO, options: { framing: 'container' } },
  { id: 'protobuf', schema: { proto: PROTO, message: 'R' } },
  { id: 'bebop', schema: { bop: BOP, record: 'R' } },
  { id: 'jsbinary', schema: JSBINARY },
];

interface Item {
  x: number;
  s: string;
  more: number[];
}

/** Value that every case can write, with its components. */
function make(sizes: readonly number[], hasCollections: boolean) {
  const numbers = Array.from({ length: sizes[0]! }, (_, index) => index);
  const itemOf = (x: number): Item => ({ x, s: `s${x}`, more: Array.from({ length: sizes[2]! }, (_, index) => index) });
  const items = Array.from({ length: sizes[1]! }, (_, x) => itemOf(x));
  const counts: Record<string, number> = Object.fromEntries(Array.from({ length: sizes[2]! }, (_, index) => [`k${index}`, index]));
  const names = Array.from({ length: sizes[0]! }, (_, index) => `n${index}`);
  const value: Record<string, unknown> = { numbers, items, counts, name: 'name', one: itemOf(7), names };
  const map = new Map<unknown, unknown>(names.map((name) => [name, { name }]));
  const set = new Set<unknown>(numbers.map((x) => ({ x })));
  if (hasCollections) Object.assign(value, { map, set });
  return { value, numbers, items, counts, names, map, set };
}

type Made = ReturnType<typeof make>;

/** Ways to change it, by number. */
const CHANGES: readonly ((made: Made, at: number) => void)[] = [
  ({ numbers }) => (numbers.length = 0),
  ({ numbers }, at) => numbers.push(at),
  ({ numbers }, at) => numbers.splice(at % (numbers.length + 1), 1),
  ({ numbers }, at) => numbers.unshift(at),
  ({ items }) => (items.length = 0),
  ({ items }, at) => items.splice(at % (items.length + 1), 2),
  ({ items }, at) => items.push(...items.slice(0, at)),
  ({ items }, at) => items[at % items.length]?.more.push(1, 2, 3),
  ({ items }) => items.forEach((item) => (item.more.length = 0)),
  ({ items }) => items.reverse(),
  ({ names }) => (names.length = 1),
  ({ names }, at) => names.push(...names.slice(0, at)),
  ({ counts }, at) => delete counts[`k${at}`],
  ({ counts }, at) => (counts[`new ${at}`] = at),
  ({ items }, at) => Object.assign(items[at % items.length] ?? {}, { extra: 1 }),
  ({ items }, at) => {
    const item = items[at % items.length] as Partial<Item> | undefined;
    delete item?.s;
    Object.assign(item ?? {}, { s2: 's' });
  },
  ({ value }, at) => delete value[Object.keys(value)[at % Object.keys(value).length]!],
  ({ map }) => map.clear(),
  ({ map }, at) => map.set(`new ${at}`, at),
  ({ map }, at) => map.delete(`n${at}`),
  ({ set }) => set.clear(),
  ({ set }, at) => set.add(at),
];

/** Sets a trap in a value: reading it changes the value's content. */
function trap(made: Made, kind: number, place: number, spring: () => void): void {
  const { items, numbers, names, counts, value, map } = made;
  const onRead = (object: object, key: PropertyKey): void => {
    const was = (object as Record<PropertyKey, unknown>)[key];
    if (was === undefined) return;
    Object.defineProperty(object, key, { enumerable: true, configurable: true, get: () => (spring(), was) });
  };
  const item = items[place % Math.max(1, items.length)];
  switch (kind) {
    case 0:
      return onRead(numbers, place % Math.max(1, numbers.length));
    case 1:
      return onRead(items, place % Math.max(1, items.length));
    case 2:
      return item && onRead(item, ['x', 's', 'more'][place % 3]!);
    case 3:
      return onRead(names, place % Math.max(1, names.length));
    case 4:
      return onRead(counts, `k${place}`);
    case 5:
      return onRead(value, Object.keys(value)[place % Object.keys(value).length]!);
    case 6:
      map.forEach((inner) => onRead(inner as object, 'name'));
      return;
    default: {
      const key = ['numbers', 'items', 'names'][place % 3]!;
      const list = value[key] as unknown[];
      const proxy = (read: string | symbol): unknown[] =>
        new Proxy(list, { get: (target, asked, receiver) => (asked === read && spring(), Reflect.get(target, asked, receiver)) });
      value[key] = proxy(place % 2 === 0 ? 'length' : '0');
    }
  }
}

const scenario = fc.record({
  sizes: fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 6 })),
  isLarge: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  change: fc.integer({ min: 0, max: CHANGES.length - 1 }),
  at: fc.integer({ min: 0, max: 12 }),
  kind: fc.integer({ min: 0, max: 8 }),
  place: fc.integer({ min: 0, max: 40 }),
  /** Reads of the trap, or slices, after which it springs. */
  after: fc.integer({ min: 0, max: 8 }),
  inTurns: fc.boolean(),
  betweenTurns: fc.boolean(),
});

describe.each(CASES.map((one) => [`${one.id} ${JSON.stringify(one.options ?? {})}`, one] as const))('writer of %s', (_name, given) => {
  it('gives an EncodeError or decodable bytes if the value changes while it is written', async () => {
    const { id, options = {}, hasCollections = false } = given;
    const [writer, format] = await Promise.all([loadWriter(id), loadFormat(id)]);
    const schema = given.schema === undefined ? undefined : await compileSchema(format, given.schema);
    let written = 0;
    fc.assert(
      fc.property(scenario, ({ sizes, isLarge, change, at, kind, place, after, inTurns, betweenTurns }) => {
        const made = make(isLarge ? [sizes[0] * 30, sizes[1] * 10, sizes[2]] : sizes, hasCollections);
        let left = after;
        const spring = (): void => {
          if (left-- === 0) CHANGES[change]!(made, at);
        };
        if (!betweenTurns) trap(made, kind, place, spring);
        const turn = (): boolean => {
          if (betweenTurns) spring();
          return true;
        };
        const isContainer = (options as { framing?: string }).framing === 'container';
        const value = isContainer ? [made.value, made.value] : made.value;
        let bytes: Uint8Array;
        try {
          bytes = encodeWith(writer, value, { options, schema, format: id, ...((inTurns || betweenTurns) && { turn, chunk: 13 }) });
        } catch (error) {
          expect(error).toBeInstanceOf(EncodeError);
          return;
        }
        written += 1;
        decodeSync(format, bytes, { schema });
      }),
      { numRuns: 500 },
    );
    expect(written).toBeGreaterThan(0);
  });
});

describe('writer of a list', () => {
  it('rejects in JSON a list that a getter of its second item empties', async () => {
    const writer = await loadWriter('json');
    for (const inTurns of [false, true]) {
      const list: unknown[] = Array.from({ length: 20_000 }, (_, index) => index);
      list[1] = {
        get x() {
          list.length = 0;
          return 1;
        },
      };
      expect(encodeErrorOf(writer, list, { inTurns })).toMatchObject({ code: 'changed' });
    }
  });

  it.each(['json', 'messagepack', 'cbor', 'sia'] as const)('fails a stream of %s if the list changes between two reads', async (format) => {
    for (const change of [(list: unknown[]) => list.push(1), (list: unknown[]) => (list.length -= 1)]) {
      const list: unknown[] = Array.from({ length: 60_000 }, (_, index) => `item ${index}`);
      const reader = createEncoder().stream({ list }, { format }).getReader();
      await reader.read();
      change(list);
      const rest = async (): Promise<void> => {
        while (!(await reader.read()).done);
      };
      await expect(rest()).rejects.toMatchObject({ name: 'EncodeError', code: 'changed', format, path: ['list'] });
    }
  });
});
