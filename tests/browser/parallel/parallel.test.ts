import { describe, expect, test } from 'vitest';
import type { DecodeReport } from '../../../main/decoder/observe.ts';
import type { Decoder } from '../../../main/decoder/decoder.ts';
import type { DecoderOptions } from '../../../main/decoder/options.ts';
import { json, makeRows, openWorkerDecoder as openDecoder, pack, rejection, type Row } from '../decoder/support.ts';

const rows = makeRows(150_000);
const whole = json({ kind: 'rows', rows, count: rows.length });
const lines = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join('\n'));

/** A decoder whose calls are reported, the last one last. */
function reported(options: DecoderOptions): { decoder: Decoder; reports: DecodeReport[] } {
  const decoder = openDecoder(options);
  const reports: DecodeReport[] = [];
  decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
  return { decoder, reports };
}

/** Whether they are one JSON text, which is quicker to tell than that they are equal. */
function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

interface Whole {
  kind: string;
  rows: Row[];
  count: number;
}

describe('a long payload', () => {
  test('is decoded by several workers into what one gives', async () => {
    const { decoder, reports } = reported({ workers: 3, parallel: 3 });
    expect(sameText(await decoder.decode<Whole>(whole), { kind: 'rows', rows, count: rows.length })).toBe(true);
    expect(reports.at(-1)).toMatchObject({ workers: 3, bytes: whole.length, rows: rows.length, route: 'worker' });

    const { rows: list } = await decoder.decode<Whole>(whole, { as: 'rows' });
    expect(list.length).toBe(rows.length);
    for (const at of [0, 1, 49_000, 51_000, 99_000, 101_000, -1]) expect(list.at(at)).toEqual(rows.at(at));
    expect(list.column('id')).toEqual(Int32Array.from(rows.keys()));
    expect(reports.at(-1)!.workers).toBe(3);

    const columns = await decoder.decode<Row[]>(lines, { as: 'columns', format: 'json', options: { sequence: true } });
    expect(columns.score).toEqual(Float64Array.from(rows, ({ score }) => score));
    expect(
      sameText(
        columns.name,
        rows.map(({ name }) => name),
      ),
    ).toBe(true);
    expect(reports.at(-1)!.workers).toBe(3);
    expect(whole.length).toBeGreaterThan(0);
    expect(decoder.stats()).toMatchObject({ workers: 3, running: 0, queued: 0, pending: 0, succeeded: 3 });
  });

  test('is decoded by several workers where an index says where its values begin', async () => {
    const values = [...rows, ...rows].map((row) => pack(row));
    const begins: number[] = [];
    let length = 0;
    for (const value of values) {
      begins.push(length);
      length += value.length;
    }
    const sequence = new Uint8Array(length);
    for (const [at, value] of values.entries()) sequence.set(value, begins[at]);
    const thousandth = begins.filter((_, at) => at % 1000 === 0);
    const { decoder, reports } = reported({ workers: 3, parallel: 3 });
    for (const index of [thousandth, Float64Array.from(begins, (at) => at + 1)]) {
      const list = await decoder.decode<Row[]>(sequence, { as: 'rows', format: 'messagepack', options: { sequence: true }, index });
      expect(list.length).toBe(values.length);
      for (const at of [0, 99_000, 101_000, 149_999, 199_000, 201_000, -1]) expect(list.at(at)).toEqual(rows.at(at % rows.length));
      expect(reports.at(-1)!.workers).toBe(3);
    }
    await decoder.decode(sequence, { as: 'rows', format: 'messagepack', options: { sequence: true } });
    expect(reports.at(-1)!.workers).toBeUndefined();
  });

  test('is taken where the caller gives it away', async () => {
    const { decoder, reports } = reported({ workers: 2, parallel: 2 });
    const copy = whole.slice();
    const decoding = decoder.decode<Whole>(copy, { transfer: true, as: 'rows' });
    expect((await decoding).rows.at(-1)).toEqual(rows.at(-1));
    expect(copy.length).toBe(0);
    expect(reports.at(-1)!.workers).toBe(2);
  });

  test('is decoded by one worker where that is asked for, or where others are busy', async () => {
    const one = reported({ workers: 3, parallel: false });
    await one.decoder.decode(whole, { as: 'rows' });
    expect(one.reports.at(-1)!.workers).toBeUndefined();

    const two = reported({ workers: 2, parallel: 2 });
    await Promise.all([two.decoder.decode(whole, { as: 'rows' }), two.decoder.decode(whole, { as: 'rows' })]);
    expect(two.reports.map(({ workers = 1 }) => workers).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test('lets small ones pass', async () => {
    const decoder = openDecoder({ workers: 2, parallel: 2 });
    const order: string[] = [];
    const long = decoder.decode(whole).then(() => order.push('long'));
    await expect.poll(() => decoder.stats().running).toBe(2);
    const short = decoder.decode(json(makeRows(1_000))).then(() => order.push('short'));
    await Promise.all([long, short]);
    expect(order).toEqual(['short', 'long']);
  });

  test('that is broken fails as with one worker', async () => {
    const decoder = openDecoder({ workers: 3, parallel: 3 });
    const alone = openDecoder({ workers: 1 });
    for (const at of [whole.length >> 1, whole.length - 30]) {
      const broken = whole.slice();
      broken[at] = 1;
      const { name, message, code, offset, path } = await rejection(alone.decode(broken));
      expect(await rejection(decoder.decode(broken))).toMatchObject({ name, message, code, offset, path });
    }
  });

  test('can be aborted', async () => {
    const decoder = openDecoder({ workers: 3, parallel: 3 });
    const controller = new AbortController();
    const decoding = decoder.decode(whole, { signal: controller.signal });
    await expect.poll(() => decoder.stats().running).toBe(3);
    controller.abort();
    expect(await rejection(decoding)).toBe(controller.signal.reason);
    await expect.poll(() => decoder.stats().running).toBe(0);
    expect((await decoder.decode<Whole>(whole, { as: 'rows' })).rows.length).toBe(rows.length);
  });

  test('fails with a worker that dies; the others live', async () => {
    const good = (): Worker => new Worker(new URL('../../../worker/entry.ts', import.meta.url), { type: 'module' });
    const closing = (): Worker => new Worker(new URL('../decoder/workers/closing.ts', import.meta.url), { type: 'module' });
    const kinds = [good, closing];
    const decoder = openDecoder({ workers: 2, parallel: 2, createWorker: () => (kinds.shift() ?? good)() });
    expect(await rejection(decoder.decode(whole))).toMatchObject({ name: 'WorkerCrashError' });
    expect(decoder.stats()).toMatchObject({ crashes: 1, pending: 0 });
    expect((await decoder.decode<Whole>(whole, { as: 'rows' })).rows.length).toBe(rows.length);
  });
});
