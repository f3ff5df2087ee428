import { describe, expect, test } from 'vitest';
import type { Rows } from '../../../../../main/rows/rows.ts';
import { Constants } from '../../../../../core/reading/constants.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';
import { emit } from '../../../../setup/values/emit.ts';
import fc from '../../../../setup/properties/property.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';

const own = (key: string, value: unknown): object => Object.defineProperty({}, key, { value, writable: true, enumerable: true, configurable: true });
const many = (count: number, make: (index: number) => unknown): unknown[] => Array.from({ length: count }, (_, index) => make(index));

async function survives(value: unknown, windowBytes?: number): Promise<void> {
  assertSame(await throughBlock((sink) => emit(sink, value, windowBytes)), value);
}

const cyclic = (): object => {
  const node: Record<string, unknown> = { name: 'root', children: [] };
  node['self'] = node;
  (node['children'] as unknown[]).push({ parent: node }, { parent: node }, { parent: node });
  return node;
};

const values: Record<string, () => unknown> = {
  null: () => null,
  undefined: () => undefined,
  'a string': () => 'text',
  'an empty string': () => '',
  'numbers that are special': () => [NaN, -0, 0, Infinity, -Infinity, 2 ** 53, -(2 ** 31), 2 ** 31, 5e-324, 1.5, 2 ** 26, -(2 ** 26), 2 ** 26 - 1],
  bigints: () => [0n, -1n, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 2n ** 200n],
  'empty containers': () => [[], {}, new Map(), new Set()],
  dates: () => [new Date(0), new Date(-1), new Date(NaN), new Date(8.64e15)],
  'binary values of every class': () => [
    new Uint8Array([1, 2]),
    new ArrayBuffer(3),
    new Int16Array([-1]),
    new Float64Array([NaN, -0]),
    new DataView(new ArrayBuffer(2)),
    new BigInt64Array([1n]),
    new Uint8ClampedArray(0),
  ],
  'maps with keys of every kind': () =>
    new Map<unknown, unknown>([
      [1, 'a'],
      [{ x: 1 }, [2]],
      [null, new Map([[undefined, NaN]])],
    ]),
  'sets of records': () => new Set([{ a: 1 }, { a: 2 }, { a: 3 }]),
  'regular expressions': () => [/a+/gi, /\//],
  'an own __proto__': () => [own('__proto__', 1), own('__proto__', { x: 1 }), own('__proto__', null)],
  'an empty key': () => [
    { '': 1, a: 2 },
    { '': 3, a: 4 },
  ],
  'integer keys': () => [
    { 2: 'b', 1: 'a', z: 0 },
    { 2: 'd', 1: 'c', z: 1 },
  ],
  'lone surrogates': () => ['\ud800', 'a\udc00b', '\udc00\ud800', { '\ud800': '\ud83d' }],
  'astral characters': () => many(300, (index) => `𝒳${index}😀é`),
  'a long string': () => ['x'.repeat(1_000_000), 'é😀'.repeat(100_000)],
  records: () => ({
    rows: many(4_000, (index) => ({ id: index, name: `name ${index}`, kind: index % 3 ? 'one' : 'other', value: index / 7, on: index % 2 === 0 })),
  }),
  'records with unicode text': () => many(2_000, (index) => ({ a: `ü${index}`, b: index % 5 ? 'ß' : '日本' })),
  'records with nulls and undefined': () => many(1_000, (index) => ({ a: index % 3 ? index : null, b: index % 5 ? 'x' : undefined, c: null })),
  'records that lack keys': () =>
    many(1_000, (index) => ({ a: index, ...(index % 3 ? { b: `${index}` } : {}), ...(index % 7 ? { c: 1 } : {}), d: true })),
  'records whose last keys are missing': () => many(500, (index) => (index % 4 ? { a: 1, b: 2, c: 3 } : { a: 1 })),
  'records of alternating shapes': () => many(1_000, (index) => (index % 2 ? { a: index, b: 'x' } : { b: 'y', a: index, c: [index] })),
  'records whose fields change type': () =>
    many(5_000, (index) => ({
      id: index,
      value: [index, `${index}`, index / 3, true, null, [index], { x: index }, 10n, new Date(index)][Math.floor(index / 600) % 9],
    })),
  'records with int32 that turn into floats and bigints': () =>
    many(600, (index) => ({ a: index < 300 ? index : index + 0.5, b: index < 100 ? 1n : 2n ** 70n, c: index < 5 ? 1 : 2 ** 40 })),
  'records with -0 and NaN': () => many(100, (index) => ({ a: index % 2 ? -0 : 0, b: index % 3 ? NaN : 1 })),
  'nested records': () =>
    many(1_000, (index) => ({ id: index, pos: { x: index, y: -index }, tags: ['a', `t${index}`], deep: { deeper: [{ k: 1 }, { k: 2 }] } })),
  'lists of records within records': () =>
    many(1_200, (index) => ({ order: index, items: many(index % 5, (item) => ({ sku: `s${item}`, quantity: item, parts: [{ p: 1 }, { p: 2 }] })) })),
  'two tables that hold each other': () => ({
    x: many(400, (index) => ({ a: index, inner: [{ b: 1 }, { b: 2 }] })),
    y: many(400, (index) => ({
      b: index,
      inner: [
        { a: 1, inner: [] },
        { a: 2, inner: [{ b: 9 }] },
      ],
    })),
    z: many(1_500, (index) => ({ b: index })),
    w: many(1_500, (index) => ({ b: index, inner: many(3, (at) => ({ a: at, inner: [] })) })),
  }),
  'a tree of one shape': () => {
    let node: object = { name: 'leaf', children: [] };
    for (let depth = 0; depth < 200; depth++) node = { name: `n${depth}`, children: [node, { name: 'x', children: [] }] };
    return node;
  },
  'deep nesting': () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 900; depth++) value = depth % 2 ? [value] : { a: value };
    return value;
  },
  '3,000 shapes': () => many(3_000, (index) => ({ [`key${index}`]: index, common: 'x' })),
  '3,000 shapes twice each': () => many(6_000, (index) => ({ [`key${index >> 1}`]: index, common: 'x' })),
  'an object of 5,000 keys': () => Object.fromEntries(many(5_000, (index) => [`key${index}`, index]) as [string, number][]),
  '34,000 shapes in all': () => many(17_000, (index) => ({ [`k${index}`]: { [`l${index}`]: 1 } })),
  'records between other values': () => [1, { a: 1 }, { a: 2 }, 'x', { a: 3 }, null, { a: 4 }, { a: 5 }, { a: 6 }],
  'strings in a column that get long': () => many(300, (index) => ({ a: index < 150 ? 'short' : 'long'.repeat(index) })),
  'a reference to the root': cyclic,
  'records that share an object': () => {
    const shared = { s: 1 };
    return many(50, () => ({ shared, list: [shared] }));
  },
  'records, then shared objects': () => {
    const shared = [1];
    return { rows: many(9_000, (index) => ({ index })), shared: [shared, shared] };
  },
};

describe('block', () => {
  for (const [name, make] of Object.entries(values)) test(`carries ${name}`, () => survives(make()));

  test('carries values with keys that are not identifiers', async () => {
    const value = [
      ...many(1_000, (index) => ({ 'a b': index, '"quoted"': 'x', 'line\nbreak': 1.5, ...(index % 9 ? { last: null } : {}) })),
      ...many(10, () => own('__proto__', 1)),
    ];
    assertSame(await throughBlock((sink) => emit(sink, value)), value);
  });

  test('carries strings of a list alongside strings of the payload', async () => {
    const list = new Constants(['north', 'é', '', 'x'.repeat(200)]);
    const place = fc.record({ constant: fc.nat(3) });
    const value = fc.oneof({ weight: 6, arbitrary: place }, fc.constantFrom<unknown>('north', 'a', 'é', 'y'.repeat(150), null, 7));
    const rows = fc.array(fc.record({ a: value, b: value, gap: fc.nat(20) }, { requiredKeys: ['a', 'gap'] }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(1, 8, 300), async (some, times) => {
        const all = Array.from({ length: times }, () => some).flat();
        const result = await throughBlock((sink) => {
          const text = new TextEncoder();
          let window = new Uint8Array(64 * 1024);
          let at = 0;
          sink.window(window, new DataView(window.buffer), 0);
          const send = (item: unknown): void => {
            if (item === null) return sink.null(at, at);
            if (typeof item === 'number') return sink.integer(item, at, at);
            if (typeof item !== 'string') return sink.constant!(list, (item as { constant: number }).constant);
            const { written } = text.encodeInto(item, window.subarray(at));
            sink.string(at, at, (at += written));
          };
          sink.beginArray(-1, 0, 0);
          for (const { a, b, gap } of all) {
            sink.beginObject(-1, at, at);
            sink.keyText('a', at, at);
            send(a);
            if (gap === 0 || at > 60_000) {
              sink.flush!();
              window = new Uint8Array(64 * 1024);
              at = 0;
              sink.window(window, new DataView(window.buffer), 0);
            }
            if (b !== undefined) {
              sink.keyText('b', at, at);
              send(b);
            }
            sink.endObject(at);
          }
          sink.endArray(at);
          sink.flush!();
        });
        const plain = (item: unknown): unknown =>
          typeof item === 'object' && item !== null ? list.text((item as { constant: number }).constant) : item;
        assertSame(
          result,
          all.map(({ a, b }) => ({ a: plain(a), ...(b === undefined ? {} : { b: plain(b) }) })),
        );
      }),
      { numRuns: 60 },
    );
  });

  test('carries records with reordered fields', async () => {
    const write = (sink: Sink): void => {
      const keys = Array.from({ length: 600 }, (_, index) => `key ${index}`);
      const [large, small] = [sink.defineRecord(keys), sink.defineRecord(['a', 'b', 'c'])];
      // A list of objects, a text, and a record within the record.
      const send = (field: number): void => {
        sink.field(field, 0, 0);
        if (field === 0) {
          sink.beginArray(-1, 0, 0);
          for (let item = 0; item < 3; item++) {
            sink.beginObject(-1, 0, 0);
            sink.keyText('item', 0, 0);
            sink.float(item / 2, 0, 0);
            sink.endObject(0);
          }
          sink.endArray(0);
        } else if (field === 1) sink.text('text', 0, 0);
        else sendRecord([1, 0]);
      };
      const sendRecord = (fields: number[]): void => {
        sink.beginRecord(small, 0, 0);
        for (const field of fields) send(field);
        sink.endRecord(0);
      };
      sink.beginArray(-1, 0, 0);
      sink.beginRecord(large, 0, 0);
      for (let index = keys.length - 1; index >= 0; index--) {
        sink.field(index, 0, 0);
        sink.integer(index, 0, 0);
      }
      sink.endRecord(0);
      for (const fields of [[2, 0, 1], [1, 2, 0], [0, 1, 2], [2, 1], [1], []]) {
        sendRecord(fields);
        sink.null(0, 0);
      }
      sink.endArray(0);
    };
    const objects = new ObjectSink();
    write(objects);
    assertSame(await throughBlock(write), objects.result);
    assertSame(Object.keys((objects.result as object[])[1]!), ['a', 'b', 'c']);
  });

  test('carries records of another shape among rows of a column that becomes VARIANT', async () => {
    const records = [
      { a: 'x', b: 0 },
      { a: null, b: 0 },
      { a: null, b: 0, c: '' },
      { a: NaN, b: 0, c: '' },
    ];
    await survives([{ a: { records }, b: 0 }], 1);
  });

  test('carries any value', async () => {
    const key = fc.oneof(fc.constantFrom('a', 'b', 'c', '__proto__', '', '1'), fc.string({ unit: 'binary' }));
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.constantFrom<unknown>(null, undefined, true, false, 0, -0, 1, 2 ** 40, 1.5, NaN, 5n, 2n ** 80n, 'x', '', 'é'),
        fc.string({ unit: 'binary' }),
        fc.array(tie('tree'), { maxLength: 12 }),
        fc.array(
          fc.record(
            { a: tie('tree'), b: fc.oneof(fc.integer(), fc.double(), fc.string()), c: fc.string() },
            { requiredKeys: ['b'], noNullPrototype: true },
          ),
          { maxLength: 30 },
        ),
        fc.dictionary(key, tie('tree'), { noNullPrototype: true, maxKeys: 6 }),
        fc.array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 3 }).map((entries) => new Map(entries)),
      ),
    }));
    await fc.assert(fc.asyncProperty(tree, fc.constantFrom(1, 40, 4096), survives), { numRuns: 4_000 });
  });
});

describe('Rows', () => {
  const trips = many(9_000, (index) => ({
    id: index,
    name: `n${index}`,
    lat: index / 3,
    end: index % 10 ? 'x' : null,
    ...(index % 100 ? {} : { note: 'n' }),
  }));
  const read = async <T>(value: unknown): Promise<T> => (await throughBlock((sink) => emit(sink, value), 'rows')) as T;

  test('represents each list of records, and empty lists', async () => {
    const { trips: rows, other, none } = await read<{ trips: Rows; other: unknown; none: Rows }>({ trips, other: [1, 2], none: [] });
    expect(rows.length).toBe(9_000);
    expect(other).toEqual([1, 2]);
    expect(none.length).toBe(0);
    assertSame(none.toArray(), []);
    assertSame(rows.toArray(), trips);
    assertSame(await rows.toArrayAsync(), trips);
    assertSame([...rows], trips);
    expect(JSON.stringify(rows)).toBe(JSON.stringify(trips));
  });

  test('represents a single record, and records of many shapes', async () => {
    assertSame((await read<Rows>([{ a: 1 }])).toArray(), [{ a: 1 }]);
    const mixed = many(200, (index) => ({ [`k${index % 7}`]: index }));
    const rows = await read<Rows<object>>(mixed);
    assertSame(rows.toArray(), mixed);
    assertSame(rows.slice(3, 5).toArray(), mixed.slice(3, 5));
    assertSame(
      rows.column('k1' as never),
      mixed.map((record) => (record as Record<string, unknown>)['k1']),
    );
  });

  test('reads like an array', async () => {
    const rows = await read<Rows<object>>(trips);
    for (const index of [0, 1, 4095, 4096, 8_999, -1, -9_000]) assertSame(rows.at(index), trips.at(index));
    for (const index of [9_000, -9_001]) expect(rows.at(index)).toBeUndefined();
    for (const [start, end] of [
      [0, 0],
      [10, 20],
      [4_000, 5_000],
      [-5, undefined],
      [8_990, 99_999],
      [5, 2],
      [0.5, 2.5],
    ] as [number, number][]) {
      assertSame(rows.slice(start, end).toArray(), trips.slice(start, end));
    }
    assertSame(rows.slice(100, 8_000).slice(3_900, 4_100).at(150), trips[4_150]);
  });

  test('returns columns as typed arrays if every record has a number', async () => {
    const rows = await read<Rows<Record<string, unknown>>>(trips);
    expect(rows.column('id')).toBeInstanceOf(Int32Array);
    expect(rows.column('lat')).toBeInstanceOf(Float64Array);
    expect(rows.column('missing')).toBeUndefined();
    for (const key of ['id', 'lat', 'name', 'end', 'note']) {
      assertSame(
        Array.from(rows.column(key)!),
        trips.map((trip) => (trip as Record<string, unknown>)[key]),
      );
    }
    assertSame(
      Array.from(rows.slice(4_090, 4_100).column('id')!),
      many(10, (index) => 4_090 + index),
    );
  });

  test('returns the keys of its own records, not of others in the same table', async () => {
    const lists = {
      all: many(100, (index) => ({ id: index, at: index / 2, name: 'x' })),
      few: many(70, (id) => ({ id })),
      mixed: [{ id: 1 }, { id: 2, at: 3 }],
    };
    const { all, few, mixed } = await read<Record<keyof typeof lists, Rows<Record<string, unknown>>>>(lists);
    expect([all.columnNames, few.columnNames, mixed.columnNames]).toEqual([['id', 'at', 'name'], ['id'], ['id', 'at']]);
    expect(Object.keys(few.columns())).toEqual(['id']);
    expect(few.column('name')).toBeUndefined();
    assertSame(
      all.column('at'),
      Float64Array.from({ length: 100 }, (_, index) => index / 2),
    );
    assertSame(mixed.column('at'), [undefined, 3]);
    expect(mixed.slice(0, 1).columnNames).toEqual(['id']);
    assertSame(mixed.slice(1).column('at'), Float64Array.of(3));
  });

  test('returns the last value of a key that some records have twice', async () => {
    const rows = (await throughBlock((sink) => {
      sink.beginArray(-1, 0, 0);
      for (const values of [[1, 2], [3, 4], [5], []]) {
        sink.beginObject(-1, 0, 0);
        for (const value of values) {
          sink.keyText('a', 0, 0);
          sink.integer(value, 0, 0);
        }
        sink.endObject(0);
      }
      sink.endArray(0);
    }, 'rows')) as Rows<{ a: number }>;
    assertSame(rows.toArray(), [{ a: 2 }, { a: 4 }, { a: 5 }, {}]);
    assertSame(rows.column('a'), [2, 4, 5, undefined]);
    assertSame(rows.slice(0, 3).column('a'), Int32Array.of(2, 4, 5));
  });

  test('holds one object per record if there are references', async () => {
    const root = cyclic() as { children: object[] };
    const result = await read<{ children: Rows<{ parent: unknown }> }>(root);
    expect(result.children.at(1)!.parent).toBe(result);
    expect(result.children.at(1)).toBe(result.children.at(1));
  });
});

describe('columns form', () => {
  test('represents each list of records', async () => {
    const value = { trips: many(5_000, (index) => ({ id: index, name: `n${index}` })), plain: 'x' };
    const result = await throughBlock((sink) => emit(sink, value), 'columns');
    assertSame(result, {
      trips: { id: Int32Array.from({ length: 5_000 }, (_, index) => index), name: value.trips.map((_, index) => `n${index}`) },
      plain: 'x',
    });
  });
});
