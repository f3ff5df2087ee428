/** Tables on the page are charged, and report errors, as their reader does row by row. */
import * as apache from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import arrow from '../../../../core/formats/arrow/index.ts';
import { createDecoder, type Rows } from '../../../../main/index.ts';
import { decodeSync } from '../../../../main/sync.ts';
import { failed, type Outcome, outcomeOf } from '../../../matrix/outcome.ts';

const decoder = createDecoder({ route: 'page', syncBelow: 0 });

/** A column of the decimal 10^-places. */
function decimals(count: number, places: number): apache.Vector {
  return apache.makeVector(apache.makeData({ type: new apache.Decimal(places, 38, 128), length: count, data: new Uint32Array(4 * count).fill(1) }));
}

/** A column of texts, of which one has the index −1. */
function dictionary(count: number, wrong: number, id = 1): apache.Vector {
  const texts = new apache.Utf8();
  const values = apache.vectorFromArray(['a', 'b', 'c'], texts);
  const data = Int8Array.from({ length: count }, (_, at) => (at === wrong ? -1 : at % 3));
  return apache.makeVector(apache.makeData({ type: new apache.Dictionary(texts, new apache.Int8(), id), length: count, data, dictionary: values }));
}

/** The bytes of record batches, each with the same columns. */
function bytesOf(columns: Record<string, apache.Vector>, batches = 1): Uint8Array<ArrayBuffer> {
  const table = new apache.Table(columns);
  return Uint8Array.from(apache.tableToIPC(new apache.Table(Array.from({ length: batches }, () => table.batches).flat()), 'stream'));
}

/** A column whose rows have three structs in turn, which lie in a dictionary. */
function structs(count: number): apache.Vector {
  const type = new apache.Struct<{ x: apache.Int32; y: apache.Int32 }>(['x', 'y'].map((name) => apache.Field.new(name, new apache.Int32(), true)));
  const values = apache.vectorFromArray(
    [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
      { x: 5, y: 6 },
    ],
    type,
  );
  const data = Int8Array.from({ length: count }, (_, at) => at % 3);
  return apache.makeVector(apache.makeData({ type: new apache.Dictionary(type, new apache.Int8(), 7), length: count, data, dictionary: values }));
}

type Options = { limits?: { expansion?: number; values?: number } };

const decoded = async (bytes: Uint8Array<ArrayBuffer>, options: Options): Promise<Outcome> => outcomeOf(() => decodeSync(arrow, bytes, options));

/** Outcomes of every way to read a table on the page, by its name. */
async function onPage(bytes: Uint8Array<ArrayBuffer>, options: Options): Promise<Record<string, Outcome>> {
  const read = async (as: string): Promise<Outcome> =>
    outcomeOf(async () => {
      const value = await decoder.decode(bytes, { format: 'arrow', as, ...options } as never);
      return as === 'rows' ? (value as Rows<object>).toArray() : value;
    });
  const items: unknown[] = [];
  const batches = (async (): Promise<Outcome> => {
    try {
      for await (const batch of decoder.batches(bytes, { format: 'arrow', ...options } as never)) items.push(...batch);
      return { value: items };
    } catch (error) {
      return { ...failed(error), items };
    }
  })();
  return { objects: await read('objects'), rows: await read('rows'), columns: await read('columns'), batches: await batches };
}

describe('a table on the page', () => {
  it.each([
    ['one batch', 1, 20_000],
    ['batches of few rows', 400, 50],
  ])('has text of decimals charged like the reader, in %s', async (_, batches, count) => {
    const bytes = bytesOf({ id: apache.makeVector(new Int32Array(count)), column: decimals(count, 5000) }, batches);
    const reference = await decoded(bytes, { limits: { expansion: 1 } });
    expect(reference.error).toMatch(/^LimitError expansion \d+$/);
    const found = await onPage(bytes, { limits: { expansion: 1 } });
    // Charges before a row depend on the batches and the bytes that have come.
    const known =
      batches === 1 ? reference : { error: expect.stringMatching(/^LimitError expansion/) as string, path: [expect.any(Number), 'column'] };
    for (const [name, outcome] of Object.entries(found)) expect(outcome, name).toMatchObject(known);
    expect(found['batches']!.items).toHaveLength(found['batches']!.path![0] as number);
  });

  it('charges several columns in the order of the rows', async () => {
    const bytes = bytesOf({ a: decimals(1500, 5000), b: decimals(1500, 3000) });
    const reference = await decoded(bytes, { limits: { expansion: 1 } });
    const { objects, batches } = await onPage(bytes, { limits: { expansion: 1 } });
    expect(objects).toEqual(reference);
    expect(batches).toMatchObject(reference);
    expect(batches!.items).toHaveLength(reference.path![0] as number);
  });

  it('charges values once, however often they are read', async () => {
    const bytes = bytesOf({ column: decimals(300, 5000) });
    const list = await decoder.decode<object[]>(bytes, { format: 'arrow', as: 'rows', limits: { expansion: 1 } });
    const all = decodeSync<object[]>(arrow, bytes, { limits: { expansion: 1 } });
    for (let at = 0; at < 300; at += 7) expect(list.slice(at, at + 50).toArray()).toEqual(all.slice(at, at + 50));
    for (let time = 0; time < 20; time += 1) expect(list.toArray()).toEqual(all);
  });

  it.each([
    ['few rows', 50],
    ['many rows', 300],
    ['several groups', 16_500],
  ])('gives the rows before an error, and its place, in %s', async (_, count) => {
    const bytes = bytesOf({ a: dictionary(count, count - 2), b: dictionary(count, count - 3, 2) });
    const reference = await decoded(bytes, {});
    expect(reference).toMatchObject({ error: expect.stringMatching(/^DecodeError malformed/) as string, path: [count - 3, 'b'] });
    for (const end of [0, -1, -8]) {
      const { objects, rows, columns, batches } = await onPage(bytes.slice(0, bytes.length + end), {});
      expect(objects).toEqual(reference);
      expect(batches!.items).toHaveLength(count - 3);
      expect(batches).toMatchObject(reference);
      // Columns may be read one after another.
      for (const { error } of [rows!, columns!]) expect(error).toMatch(/^DecodeError malformed/);
    }
  });

  it('reports an invalid row before bytes that end later, and only then', async () => {
    const one = (wrong: number): Uint8Array<ArrayBuffer> => bytesOf({ column: dictionary(10, wrong) }, 3);
    for (const wrong of [-1, 4]) {
      const bytes = one(wrong).slice(0, -60);
      const reference = await decoded(bytes, {});
      expect(reference.error).toMatch(wrong < 0 ? /truncated/ : /malformed/);
      for (const [name, outcome] of Object.entries(await onPage(bytes, {}))) expect(outcome.error, name).toBe(reference.error);
    }
  });

  it('limits the values that many rows share, in all rows together', async () => {
    const bytes = bytesOf({ point: structs(2_000) });
    const limits = { values: 5_000 };
    const { error } = await decoded(bytes, { limits });
    expect(error).toMatch(/^LimitError values/);
    for (const [as, found] of Object.entries(await onPage(bytes, { limits }))) expect({ as, error: found.error }).toEqual({ as, error });
    for (const [as, found] of Object.entries(await onPage(bytes, { limits: { values: 20_000 } }))) expect({ as, error: found.error }).toEqual({ as });
  });
});
