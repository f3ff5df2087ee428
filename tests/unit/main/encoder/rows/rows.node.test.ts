import { describe, expect, it } from 'vitest';
import { createEncoder, type EncodeOptions, fromColumns } from '../../../../../main/encode.ts';
import { withLazyLists } from '../../../../../core/values/lazy-lists.ts';
import { encodeSync } from '../../../../../main/sync.ts';
import type { Rows } from '../../../../../main/rows/rows.ts';
import type { FormatId } from '../../../../../core/format/format-id.ts';
import { FORMATS } from '../../../../../core/formats/registry.ts';
import type { FormatWriter } from '../../../../../core/writing/writer.ts';
import { emit } from '../../../../setup/values/emit.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { asIn, SCHEMAS, tripOf } from '../trips.ts';

const encoder = createEncoder();
const COUNT = 1_200;
const irregular = Array.from({ length: 1_200 }, (_, id) => ({
  id,
  ...(id % 3 === 0 && { name: `station ${id} é` }),
  at: id % 5 === 0 ? null : { x: id / 3, list: [id, 'a', undefined] },
  big: BigInt(id) * 10n ** 15n,
  on: new Date(id),
  __proto__: Object.prototype,
}));

/** Rows of the list: over the columns of a block, or over objects if the list is short. */
async function rowsOf<T>(list: readonly T[]): Promise<Rows<T>> {
  const rows = (await throughBlock((sink) => emit(sink, list), 'rows')) as Rows<T>;
  expect(rows).not.toBeInstanceOf(Array);
  expect(rows.length).toBe(list.length);
  return rows;
}

async function same(value: unknown, other: unknown, options: EncodeOptions): Promise<void> {
  const [bytes, expected] = await Promise.all([encoder.encode(value, options), encoder.encode(other, options)]);
  expect(bytes.length).toBe(expected.length);
  expect(Buffer.compare(bytes, expected)).toBe(0);
}

describe('encoder of rows', () => {
  // Arrow is written from columns: see `arrow/columns-out.test.ts`.
  const formats = FORMATS.map(({ id }) => id).filter((id) => id !== 'arrow');
  it.each(formats)("writes %s with the bytes of the rows' objects", async (format: FormatId) => {
    const trips = Array.from({ length: COUNT }, (_, id) => asIn(format, tripOf(id, `trip ${id % 700}`)));
    const schema = SCHEMAS[format];
    const options = { format, ...(schema !== undefined && { schema }) } as EncodeOptions;
    const rows = await rowsOf(trips);
    await same({ trips: rows }, { trips }, options);
    if (schema === undefined && format !== 'bson') await same(rows, trips, options);
    if (schema === undefined) await same(rows, trips, { ...options, options: { sequence: true } } as EncodeOptions);
  });

  it.each(['messagepack', 'cbor', 'sia', 'json'] as const)('writes %s if the records differ and are nested', async (format) => {
    const rows = await rowsOf(irregular);
    const options = { format, ...(format === 'json' && { options: { bigints: 'string' } }) } as EncodeOptions;
    await same({ a: { rows }, b: 1 }, { a: { rows: irregular }, b: 1 }, options);
    await same(rows.slice(17, 300), irregular.slice(17, 300), options);
    await same(rows.slice(0, 0), [], options);
  });

  it.each(['messagepack', 'cbor', 'sia', 'json', 'bson'] as const)('writes %s with rows in an array, also by encodeSync', async (format) => {
    const list = Array.from({ length: 300 }, (_, id) => ({ id, name: `trip ${id % 7}` }));
    const rows = await rowsOf(list);
    const columns = fromColumns({ id: list.map(({ id }) => id), name: list.map(({ name }) => name) });
    await same({ all: [rows, [columns]] }, { all: [list, [list]] }, { format });
    const { default: writer } = (await import(`../../../../../core/formats/${format}/writer.ts`)) as { default: FormatWriter };
    expect(encodeSync(writer, { rows, columns })).toEqual(encodeSync(writer, { rows: list, columns: list }));
    const sequence = { options: { sequence: true } };
    expect(encodeSync(writer, rows, sequence)).toEqual(encodeSync(writer, list, sequence));
  });

  it('writes rows with references, records and bundled strings', async () => {
    const trips = Array.from({ length: 1_200 }, (_, id) => ({ id, name: `trip ${id}` }));
    const rows = await rowsOf(trips);
    for (const options of [{ references: true }, { records: true }, { bundleStrings: true }]) {
      await same({ rows, again: [1], more: { rows } }, { rows: trips, again: [1], more: { rows: trips } }, { format: 'messagepack', options });
    }
  });

  it('writes rows as a stream, which creates no more of them than are read', async () => {
    const trips = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `trip ${id}` }));
    const rows = await rowsOf(trips);
    let made = 0;
    const counting = new Proxy(rows, {
      get: (target, key) => {
        const found: unknown = Reflect.get(target, key, target);
        if (typeof key !== 'symbol' || typeof found !== 'function') return found;
        return (from: number, to: number) => ((made += to - from), (found as (from: number, to: number) => unknown).call(target, from, to));
      },
    });
    const reader = encoder.stream(counting, { format: 'json' }).getReader();
    const first = await reader.read();
    expect(first.value!.length).toBeGreaterThan(0);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(trips.length / 2);
    await reader.cancel();
    const chunks: Uint8Array[] = [];
    for await (const chunk of encoder.stream(rows, { format: 'json' })) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(JSON.stringify(trips));
  });

  it('reports the index of an invalid record', async () => {
    const list: { id: number; big: bigint | number }[] = Array.from({ length: 3_000 }, (_, id) => ({ id, big: 1 }));
    list[2_345]!.big = 7n;
    const failed = encoder.encode({ rows: await rowsOf(list) }, { format: 'json' });
    await expect(failed).rejects.toMatchObject({ code: 'unsupported', path: ['rows', 2_345, 'big'] });
  });

  it('preserves the surrounding value, with its getters, order and shared references', async () => {
    const list = Array.from({ length: 1_000 }, (_, id) => ({ id }));
    const rows = await rowsOf(list);
    let calls = 0;
    const value = Object.freeze({
      z: 1,
      get two() {
        calls += 1;
        return 2;
      },
      rows,
      a: { inner: rows, none: null },
    });
    const found = withLazyLists(value, new Map()) as typeof value;
    expect(calls).toBe(0);
    expect([Object.keys(found), value.rows === rows, found.rows === found.a.inner]).toEqual([['z', 'two', 'rows', 'a'], true, true]);
    await same(value, { z: 1, two: 2, rows: list, a: { inner: list, none: null } }, { format: 'json' });
    const without = { a: { b: [1] }, c: null };
    expect(withLazyLists(without, new Map())).toBe(without);
    const shared = { rows };
    await same({ one: shared, two: shared }, { one: { rows: list }, two: { rows: list } }, { format: 'messagepack' });
  });
});

describe('encoder of columns', () => {
  it('writes columns as their records', async () => {
    const trips = Array.from({ length: COUNT }, (_, id) => ({ id, name: `trip ${id}`, ...(id % 2 === 0 && { at: id / 3 }) }));
    const rows = await rowsOf(trips);
    const columns = rows.columns();
    expect(columns['id']).toBeInstanceOf(Int32Array);
    await same(fromColumns(columns), trips, { format: 'messagepack' });
    await same({ trips: fromColumns(columns) }, { trips }, { format: 'json' });
    await same(fromColumns({}), [], { format: 'json' });
  });

  it('rejects columns that differ in length', () => {
    expect(() => fromColumns({ a: [1, 2], b: [1] })).toThrow(new RangeError('the column b has 1 values, others 2'));
  });

  it('preserves a key named __proto__', async () => {
    const bytes = await encoder.encode(fromColumns(JSON.parse('{"__proto__":[1]}') as Record<string, number[]>), { format: 'json' });
    expect(Buffer.from(bytes).toString()).toBe('[{"__proto__":1}]');
  });
});
