import * as apache from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { createDecoder, isRows, type Rows } from '../../../../main/index.ts';
import { describeCorpus } from '../../../setup/servers/folders.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { decodeSync } from '../../../../main/sync.ts';
import arrow from '../../../../core/formats/arrow/index.ts';
import writer from '../../../../core/formats/arrow/writer.ts';
import messagepack from '../../../../core/formats/messagepack/writer.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import fc from '../../../setup/properties/property.ts';
import { tables } from '../../core/formats/arrow/arbitrary.ts';
import { sampleBytes } from '../../core/formats/arrow/samples.ts';

const decoder = createDecoder({ syncBelow: 0 });

/** A body that arrives in chunks. */
function inChunks(bytes: Uint8Array<ArrayBuffer>, size: number): Response {
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/vnd.apache.arrow.stream' } });
}

/** A payload of 100 rows, one of which has a value that is damaged. */
function hostile(what: string): { bytes: Uint8Array<ArrayBuffer>; row: number } {
  const row = 70;
  const ids = Array.from({ length: 100 }, (_, id) => id);
  const text = new apache.Dictionary(new apache.Utf8(), new apache.Int32());
  const bytes = Uint8Array.from(
    apache.tableToIPC(
      new apache.Table({
        id: apache.vectorFromArray(ids, new apache.Int32()),
        text: apache.vectorFromArray(
          ids.map((id) => `text ${id}`),
          new apache.Utf8(),
        ),
        kind: apache.vectorFromArray(
          ids.map((id) => `${id % 90}`),
          text,
        ),
        list: apache.vectorFromArray(
          ids.map((id) => [id, 1000 + id, 5000]),
          new apache.List(new apache.Field('item', new apache.Int32(), true)),
        ),
      } as never),
      'stream',
    ),
  );
  const view = new DataView(bytes.buffer);
  /** Position of consecutive 32-bit integers. */
  const find = (...words: number[]): number => {
    for (let at = 0; at < bytes.length - words.length * 4; at += 4)
      if (words.every((word, index) => view.getInt32(at + index * 4, true) === word)) return at;
    throw new Error(`no ${words.join(', ')}`);
  };
  // Offsets of text 69 to 71, where text 10 begins at 60.
  const offset = 60 + (row - 10) * 7;
  if (what.startsWith('an offset of text')) view.setInt32(find(offset - 7, offset, offset + 7) + 8, 0x7fffffff, true);
  else if (what.startsWith('text')) bytes[Buffer.from(bytes.buffer).indexOf(`text ${row}`)] = 0xff;
  else if (what.startsWith('an index'))
    view.setInt32(find(69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 0) + 4, 90, true);
  else view.setInt32(find(69 * 3, 70 * 3, 71 * 3) + 8, 0x7fffffff, true);
  return { bytes, row };
}

describe('rows of Arrow', () => {
  it('have the columns of the schema if there are no rows', async () => {
    const id = apache.vectorFromArray([], new apache.Int32());
    const name = apache.vectorFromArray([], new apache.Utf8());
    const bytes = Uint8Array.from(apache.tableToIPC(new apache.Table({ id, name } as never), 'stream'));
    const rows = await decoder.decode<{ id: number; name: string }[]>(bytes, { as: 'rows' });
    for (const one of [rows, rows.slice(0, 5)]) {
      expect(one.length).toBe(0);
      expect(one.columnNames).toEqual(['id', 'name']);
      expect(one.schema.fields.map((field) => field.name)).toEqual(['id', 'name']);
      expect(one.getChild('id')!.toArray()).toEqual([]);
      expect(one.column('id', { as: 'float64' })).toEqual(new Float64Array(0));
    }
    const picked = await decoder.decode<{ id: number }[]>(bytes, { as: 'rows', pick: ['id'] });
    expect(picked.columnNames).toEqual(['id']);
    expect(await decoder.decode(bytes)).toEqual([]);
    expect(await decoder.decode(bytes, { as: 'columns' })).toEqual({ id: [], name: [] });
    const sorted = await (await rows.filter({ id: 1 })).sortBy('name');
    expect(sorted.columnNames).toEqual(['id', 'name']);
    expect(sorted.column('id')).toEqual([]);
  });

  it.each(['stream', 'file'] as const)('have the values of the objects, from a %s in memory or in chunks', async (framing) => {
    const bytes = sampleBytes(framing);
    const expected = decodeSync(arrow, bytes);
    for (const source of [bytes, bytes.buffer, inChunks(bytes, 7), inChunks(bytes, 1000)]) {
      const rows = (await decoder.decode(source, { as: 'rows' })) as Rows;
      expect(isRows(rows)).toBe(true);
      assertSame(rows.toArray(), expected);
      assertSame(rows.at(3), (expected as object[])[3]);
    }
    assertSame(await decoder.decode(bytes), expected);
    expect(bytes.buffer.byteLength).toBeGreaterThan(0);
  });

  it('have the values of the objects, whether single values, ranges or whole columns are read', async () => {
    const bytes = sampleBytes('stream', 200);
    const expected = decodeSync(arrow, bytes) as Record<string, unknown>[];
    const open = async (): Promise<Rows<Record<string, unknown>>> => (await decoder.decode(bytes, { as: 'rows' })) as Rows<Record<string, unknown>>;
    assertSame((await open()).toArray(), expected);
    assertSame((await open()).slice(13, 90).toArray(), expected.slice(13, 90));
    for (const key of Object.keys(expected[0]!)) {
      const rows = await open();
      assertSame(rows.at(7)![key], expected[7]![key]);
      assertSame(
        [...rows.column(key)!],
        expected.map((record) => record[key]),
      );
      assertSame(rows.at(-1)![key], expected.at(-1)![key]);
      assertSame(
        (await (await open()).filter((row) => row[key] !== null)).toArray(),
        expected.filter((record) => record[key] !== null),
      );
    }
    assertSame(
      (await (await open()).sortBy({ key: 'text', descending: true })).at(0),
      expected.findLast(({ text }) => String(text).startsWith('größe 99')),
    );
    const columns = (await decoder.decode(bytes, { as: 'columns' })) as Record<string, Iterable<unknown>>;
    assertSame(Object.keys(columns), Object.keys(expected[0]!));
    for (const [key, values] of Object.entries(columns))
      assertSame(
        [...values],
        expected.map((record) => record[key]),
      );
  });

  it('have the values of the objects in record batches of many rows', async () => {
    const records = Array.from({ length: 40_000 }, (_, id) => ({ id, flag: id % 3 === 0, text: id % 7 === 0 ? null : `ü${id}`, long: BigInt(id) }));
    const bytes = encodeWith(writer, records, { options: { batchRows: 30_000 } });
    const rows = (await decoder.decode(bytes, { as: 'rows', options: { int64: 'bigint' } })) as Rows<(typeof records)[0]>;
    for (const at of [0, 16_383, 16_384, 29_999, 30_000, -1]) assertSame(rows.at(at), records.at(at));
    assertSame(await rows.toArrayAsync(), records);
    assertSame(
      rows.column('long'),
      BigInt64Array.from(records, ({ long }) => long),
    );
    assertSame((await rows.filter({ id: { gte: 39_998 } })).toArray(), records.slice(-2));
  });

  it.each([
    ['an offset of text beyond its bytes', 'text', { code: 'malformed' }],
    ['text that is not UTF-8', 'text', { code: 'invalid-utf8' }],
    ['an index beyond the dictionary', 'kind', { code: 'malformed' }],
    ['an offset of a list beyond its items', 'list', { code: 'malformed' }],
  ])('report %s when the value is read, and only then', async (what, key, expected) => {
    const { bytes, row } = hostile(what);
    const rows = (await decoder.decode(bytes, { as: 'rows' })) as Rows<Record<string, unknown>>;
    expect(rows.length).toBe(100);
    expect(rows.at(row - 2)).toMatchObject({ id: row - 2 });
    expect(rows.column('id')).toHaveLength(100);
    const place = { ...expected, name: 'DecodeError', format: 'arrow', offset: expect.any(Number) as number };
    expect(() => rows.at(row)).toThrow(expect.objectContaining({ ...place, path: [row, key] }));
    expect(() => rows.column(key)).toThrow(expect.objectContaining(place));
    expect(() => rows.toArray()).toThrow(expect.objectContaining(place));
    await expect(rows.filter((record) => record[key] === 'x')).rejects.toThrow(expect.objectContaining(place));
    await expect(rows.where(key, (value: unknown) => value === 'x')).rejects.toThrow(expect.objectContaining(place));
    await expect(decoder.decode(bytes)).rejects.toThrow(expect.objectContaining(place));
    await expect(decoder.decode(bytes, { as: 'columns' })).rejects.toThrow(expect.objectContaining(place));
    expect(() => decodeSync(arrow, bytes)).toThrow(expect.objectContaining({ ...expected, name: 'DecodeError' }));
  });

  it('count values that rows share against the limit of expansion, in single rows and in columns', async () => {
    // Each of 2,000 rows is the dictionary's only value, a list of 2,000 items.
    const list = new apache.List(new apache.Field('item', new apache.Int8(), true));
    const values = apache.vectorFromArray([Array.from({ length: 2000 }, () => 1)], list);
    const data = apache.makeData({ type: new apache.Dictionary(list, new apache.Int8()), data: new Int8Array(2000), dictionary: values });
    const bytes = Uint8Array.from(apache.tableToIPC(new apache.Table({ list: apache.makeVector(data) } as never), 'stream'));
    const rows = (await decoder.decode(bytes, { as: 'rows' })) as Rows<{ list: number[] }>;
    expect(rows.at(1999)!.list).toHaveLength(2000);
    expect(() => rows.column('list')).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'expansion' }));
    expect(() => rows.toArray()).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'expansion' }));
  });

  it('are views of the payload where the layouts agree', async () => {
    const table = new apache.Table({ id: apache.vectorFromArray([1, 2, 3], new apache.Float64()) } as never);
    const bytes = Uint8Array.from(apache.tableToIPC(table, 'stream'));
    const rows = (await decoder.decode(bytes, { as: 'rows' })) as Rows<{ id: number }>;
    new Float64Array(bytes.buffer).fill(7);
    expect(rows.at(1)!.id).toBe(7);
  });

  it('have the keys that are picked, from streams and files', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.constantFrom('stream', 'file'), fc.infiniteStream(fc.boolean()), async (records, framing, flags) => {
        const bytes = encodeWith(writer, records, { options: { framing, batchRows: 7 } });
        const picked = [...Object.keys(records[0]!), 'missing'].filter(() => flags.next().value).map((key) => [key]);
        const expected = decodeSync(arrow, bytes, { pick: picked });
        assertSame(await decoder.decode(bytes, { pick: picked }), expected);
        const rows = (await decoder.decode(inChunks(bytes, 500), { as: 'rows', format: 'arrow', pick: picked })) as Rows;
        assertSame(rows.toArray(), expected);
        const columns = (await decoder.decode(bytes, { as: 'columns', pick: picked })) as object;
        assertSame(Object.keys(columns), Object.keys(await decoder.decode(encodeWith(messagepack, expected), { as: 'columns' })));
      }),
    );
  });

  it('decode nothing of keys that are not picked', async () => {
    const { bytes, row } = hostile('text that is not UTF-8');
    const picked = (await decoder.decode(bytes, { pick: ['id', 'list'] })) as object[];
    assertSame(picked[row], { id: row, list: [row, 1000 + row, 5000] });
    for await (const batch of decoder.batches(bytes, { pick: ['id'] })) assertSame(batch[row], { id: row });
    await expect(decoder.decode(bytes, { pick: ['id', 'text'] })).rejects.toMatchObject({ code: 'invalid-utf8', path: [row, 'text'] });
    // Paths into records are followed after everything was read.
    await expect(decoder.decode(bytes, { pick: ['id', 'list.x'] })).rejects.toMatchObject({ code: 'invalid-utf8', path: [row, 'text'] });
  });

  it('have the columns of the schema without rows', async () => {
    const bytes = Uint8Array.from(apache.tableToIPC(new apache.Table({ a: apache.vectorFromArray([], new apache.Int32()) } as never), 'stream'));
    const rows = (await decoder.decode(bytes, { as: 'rows' })) as Rows;
    expect(rows.length).toBe(0);
    expect(rows.toArray()).toEqual([]);
  });
});

await describeCorpus('arrow/integration', (corpus) => {
  it('rows of each integration file have the values of the objects', async () => {
    for (const file of corpus.files.filter((path) => path.endsWith('.stream') || path.endsWith('.arrow_file'))) {
      const bytes = await corpus.bytes(file);
      await arrow.prepare!(bytes);
      for (const options of [{}, { int64: 'bigint', timestamps: 'number', decimals: 'number', maps: 'map' }] as const) {
        const expected = decodeSync(arrow, bytes, { options });
        const rows = (await decoder.decode(bytes, { as: 'rows', format: 'arrow', options })) as Rows;
        assertSame(rows.toArray(), expected);
        assertSame(await decoder.decode(bytes, { format: 'arrow', options }), expected);
      }
    }
  });
});
