import { expect, test } from 'vitest';
import { createDecoder } from '../../../../main/index.ts';
import { Rows } from '../../../../main/rows/rows.ts';
import { ownKey } from '../../../../main/block/key.ts';
import { frameHeader, frameTrailer } from '../../../../main/block/part-stream.ts';
import { formatBlockType } from '../../../../main/block/type.ts';
import { VERSION } from '../../../../core/block/block.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { ColumnSink } from '../../../../core/sinks/columns/columns.ts';
import { emit } from '../../../setup/values/emit.ts';

const decoder = createDecoder();
const record = (id: number): object => ({ id, stops: [{ at: id }, { at: id + 1 }] });
/** Batches of records only, of records and another item, and with a list of records. */
const items = [record(1), record(2), record(3), null, record(4), record(5), [{ b: 6 }], 7, record(8)];

const payloads: [string, () => Promise<Response>][] = [
  ['the page', () => Promise.resolve(new Response(JSON.stringify(items), { headers: { 'Content-Type': 'application/json' } }))],
  [
    'a block',
    async () => {
      const frames: ArrayBuffer[] = [];
      const sink = new ColumnSink((part) => frames.push(frameHeader(part.byteLength), part), resolveLimits());
      sink.batch([], 3);
      emit(sink, items);
      sink.finish();
      const headers = { 'Content-Type': formatBlockType('stream', 'json', VERSION, (await ownKey())!) };
      return new Response(new Blob([...frames, frameTrailer()]), { headers });
    },
  ],
];

test.each(payloads)('lists in items are arrays for any batch content, for rows from %s', async (_, payload) => {
  const found: unknown[] = [];
  for await (const batch of decoder.batches(await payload(), { as: 'rows', batchSize: 3 })) {
    expect(batch).toBeInstanceOf(Rows);
    found.push(...batch);
  }
  expect(found).toStrictEqual(items);
  const rows = await decoder.growingRows(await payload(), { batchSize: 3 });
  expect((await rows.done).toArray()).toStrictEqual(items);
});

test.each(payloads)('batches with an item that is no record and not null are arrays of items, for columns from %s', async (_, payload) => {
  const found: unknown[] = [];
  for await (const batch of decoder.batches(await payload(), { as: 'columns', batchSize: 3 })) found.push(batch);
  expect(Object.keys(found[1] as object)).toStrictEqual(['id', 'stops']);
  expect(found[2]).toStrictEqual(items.slice(6, 9));
});
