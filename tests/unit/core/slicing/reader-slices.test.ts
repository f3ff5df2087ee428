import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { ReaderSlices } from '../../../../core/slicing/reader-slices.ts';
import { Slicer } from '../../../../core/slicing/slicer.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import { loadWriter } from '../../../../core/formats/writers.ts';
import { STEP_VALUES } from '../../../../core/slicing/tuning.ts';
import { settingFor } from './payloads.ts';
import { cut, EagerSlicer, inOneGo, inSlices } from './slices.ts';

const CHUNK = 1000;
const SCHEMAS = {
  flatbuffers: { fbs: 'table Row { id: int; } table Page { rows: [Row]; numbers: [int]; } root_type Page;' },
  capnproto: {
    capnp: '@0xd0a1b2c3d4e5f607; struct Row { id @0 :Int32; } struct Page { rows @0 :List(Row); numbers @1 :List(Int32); }',
    struct: 'Page',
  },
};
const pack = (value: unknown): Uint8Array => Uint8Array.from(new Packr({ useRecords: false }).pack(value));
const records = (count: number): object[] =>
  Array.from({ length: count }, (_, id) => ({ id, name: `n${id}`, at: [id, id / 2], more: { deep: [{ odd: id % 2 }] } }));
const setting = settingFor('messagepack', messagepack);
const pieces = (bytes: Uint8Array, size = CHUNK): Uint8Array[] =>
  cut(
    bytes,
    Array.from({ length: Math.floor(bytes.length / size) }, () => size),
  );

describe('ReaderSlices', () => {
  test('decodes a long payload in pieces, for any chunks', async () => {
    const value = records(8_000);
    const slicer = new EagerSlicer();
    const bytes = pack(value);
    assertSame(await inSlices(setting, [bytes], { slicer }), { value });
    expect(slicer.pauses).toBeGreaterThan(bytes.length / 2 ** 20);
  });

  test.each(['flatbuffers', 'capnproto'] as const)('reads a whole payload of %s in slices, records and numbers alike', async (id) => {
    const format = await loadFormat(id);
    const writer = await loadWriter(id);
    const schema = await format.compileSchema!(SCHEMAS[id]);
    const value = {
      rows: records(4_000).map((record) => ({ id: (record as { id: number }).id })),
      numbers: Array.from({ length: 40_000 }, (_, i) => i),
    };
    const bytes = encodeWith(writer, value, { schema: await writer.compileSchema!(SCHEMAS[id]) });
    const slicer = new EagerSlicer();
    assertSame(await inSlices(settingFor(id, format, {}, schema), [bytes], { slicer }), { value });
    expect(slicer.pauses).toBeGreaterThanOrEqual(Math.floor((2 * 4_000 + 40_000) / STEP_VALUES));
  });

  test.each(['flatbuffers', 'capnproto'] as const)('reads two payloads of %s in turns, each as if it were alone', async (id) => {
    const format = await loadFormat(id);
    const writer = await loadWriter(id);
    const schema = await format.compileSchema!(SCHEMAS[id]);
    const writing = await writer.compileSchema!(SCHEMAS[id]);
    const outcomes = await Promise.all(
      [1, 7].map(async (factor) => {
        const rows = Array.from({ length: 9_000 }, (_, at) => ({ id: at * factor }));
        const value = { rows, numbers: rows.map((row) => row.id) };
        const bytes = encodeWith(writer, value, { schema: writing });
        const slicer = new EagerSlicer();
        return { value, slicer, found: await inSlices(settingFor(id, format, {}, schema), [bytes], { slicer }) };
      }),
    );
    for (const { value, slicer, found } of outcomes) {
      expect(slicer.pauses).toBeGreaterThan(1);
      assertSame(found, { value });
    }
  });

  test('reports the items of the longest list as rows', async () => {
    const bytes = pack({ head: [1, 2], rows: records(3000), tail: [1] });
    const slices = new ReaderSlices(setting, undefined, new EagerSlicer());
    const seen: number[] = [];
    for (const chunk of pieces(bytes)) {
      await slices.push(chunk);
      seen.push(slices.rows);
    }
    await slices.end();
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen[0]).toBeGreaterThan(0);
    expect(slices.rows).toBeGreaterThan(2900);
  });

  test('fails as a whole if the last bytes are invalid', async () => {
    const bytes = pack(records(2000));
    // A token that MessagePack never uses.
    bytes[bytes.length - 1] = 0xc1;
    const found = await inSlices(setting, pieces(bytes));
    expect(found).toMatchObject({ error: { name: 'DecodeError', offset: bytes.length - 1 } });
    assertSame(found, inOneGo(setting, bytes));
  });

  test.each([
    ['reports its values to the collector from 25 MB on', 27, 700_000, Infinity],
    ['reports only its arrays to the collector below 25 MB', 12, 1, 10],
  ])('%s', async (_behaviour, megabytes, least, most) => {
    let counted = 0;
    const building = { count: (values: number): void => void (counted += values), collect() {}, room: () => Promise.resolve() };
    const slices = new ReaderSlices(setting, undefined, new Slicer(undefined, { building }));
    // One array of strings of 10 kB.
    const count = megabytes * 100;
    await slices.push(pack(Array.from({ length: count }, () => 'text '.repeat(2_000))));
    expect(await slices.end()).toHaveLength(count);
    expect(counted).toBeGreaterThanOrEqual(least);
    expect(counted).toBeLessThan(most);
  });

  test('rejects an empty payload', async () => {
    expect(await inSlices(setting, [])).toMatchObject({ error: { code: 'empty' } });
    expect(await inSlices(setting, [new Uint8Array(0)])).toMatchObject({ error: { code: 'empty' } });
  });
});

describe('aborted ReaderSlices', () => {
  test('rejects with its reason in any slice', async () => {
    const chunks = pieces(pack(records(300)));
    const count = new EagerSlicer();
    await inSlices(setting, chunks, { slicer: count });
    expect(count.pauses).toBeGreaterThan(5);
    for (let at = 1; at <= count.pauses; at++) {
      const controller = new AbortController();
      const slicer = new EagerSlicer(controller.signal, (pauses) => pauses === at && controller.abort(new RangeError(`in slice ${at}`)));
      await expect(inSlices(setting, chunks, { slicer })).rejects.toThrow(`in slice ${at}`);
      expect(slicer.pauses).toBe(at);
    }
  });
});

describe('ReaderSlices of a list', () => {
  const decode = async (
    bytes: Uint8Array,
    path: string[],
    size = CHUNK,
  ): Promise<{ items: unknown[]; largest: number; found: boolean; value?: unknown; error?: unknown }> => {
    const items: unknown[] = [];
    let largest = 0;
    const take = (more: unknown[]): void => {
      items.push(...more);
      largest = Math.max(largest, more.length);
    };
    const slices = new ReaderSlices(setting, undefined, new EagerSlicer(), { items: { path, take } });
    try {
      for (const chunk of pieces(bytes, size)) await slices.push(chunk);
      return { value: await slices.end(), items, largest, found: slices.found };
    } catch (error) {
      return { error, items, largest, found: slices.found };
    }
  };

  test('emits the items at a path as they arrive, and leaves an empty list', async () => {
    const value = { rows: [0], result: { rows: records(2000), total: 2000 }, next: { result: { rows: [1] } } };
    const { items, largest, found, ...rest } = await decode(pack(value), ['result', 'rows']);
    assertSame(items, value.result.rows);
    assertSame(rest, { value: { ...value, result: { rows: [], total: 2000 } } });
    expect(found).toBe(true);
    expect(largest).toBeLessThan(100);
  });

  test('emits items from any piece in which the list begins, ends and begins again', async () => {
    const value = { a: { rows: records(3) }, rows: [[1, [2]], 'x', {}], b: { rows: [1] } };
    const bytes = pack(value);
    for (const size of [1, 2, 3, 7, bytes.length]) {
      const { items, value: left } = await decode(bytes, ['rows'], size);
      assertSame(items, value.rows);
      assertSame(left, { ...value, rows: [] });
    }
  });

  test('emits none if the list is missing, and continues the decode', async () => {
    const value = { a: { rows: records(3) }, list: [{ rows: [1] }] };
    for (const path of [[], ['rows'], ['a'], ['a', 'rows', 'at'], ['list', 'rows'], ['list', '0', 'rows']]) {
      assertSame(await decode(pack(value), path), { value, items: [], largest: 0, found: false });
    }
    expect((await decode(pack({ rows: [] }), ['rows'])).found).toBe(true);
  });

  test('emits the items before an error, which keeps its offset and path', async () => {
    const value = { rows: records(500) };
    const bytes = pack(value);
    bytes[bytes.length - 1] = 0xc1;
    const { items, error } = await decode(bytes, ['rows']);
    assertSame(items, value.rows.slice(0, 499));
    const { code, offset, path } = error as Record<string, unknown>;
    expect({ code, offset, path }).toEqual({ code: 'malformed', offset: bytes.length - 1, path: ['rows', 499, 'more', 'deep', 0, 'odd'] });
  });

  test('resolves references between items', async () => {
    const shared = { name: 'shared' };
    const bytes = Uint8Array.from(new Packr({ structuredClone: true }).pack([shared, ...records(200), { shared, again: [shared] }]));
    const items: unknown[] = [];
    const take = (more: unknown[]): void => void items.push(...more);
    const found = await inSlices(settingFor('messagepack', messagepack, { structuredClone: true }), pieces(bytes), { items: { path: [], take } });
    assertSame(found, { value: [] });
    assertSame(items, [shared, ...records(200), { shared, again: [shared] }]);
  });

  test('emits batch after batch, and ends with an error of the consumer', async () => {
    let taking = 0;
    let batches = 0;
    const take = async (): Promise<void> => {
      expect(++taking).toBe(1);
      await new Promise((resolve) => setTimeout(resolve));
      taking--;
      if (++batches === 5) throw new RangeError('no more');
    };
    await expect(inSlices(setting, pieces(pack(records(500))), { items: { path: [], take } })).rejects.toThrow('no more');
    expect(batches).toBe(5);
  });

  test('stops before a number that is cut at the end of the input', async () => {
    const items: unknown[] = [];
    const found = await inSlices(settingFor('json', json), [new TextEncoder().encode('[1, 2, 3'), new TextEncoder().encode('4e1')], {
      items: { path: [], take: (more) => void items.push(...more) },
    });
    expect(found).toMatchObject({ error: { code: 'truncated' } });
    expect(items).toEqual([1, 2]);
  });
});
