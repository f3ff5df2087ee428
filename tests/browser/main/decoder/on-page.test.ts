import { describe, expect, test } from 'vitest';
import type { DecodeReport } from '../../../../main/index.ts';
import { Rows } from '../../../../main/rows/rows.ts';
import { nextTask } from '../../../../core/platform/platform.ts';
import { hurryClock } from '../../../setup/stand-ins/clock.ts';
import { json, makeRows, openDecoder, pack, rejection } from './support.ts';

const rows = makeRows(20_000);
const payloads = { json: json(rows), messagepack: pack(rows) } as const;
type Format = keyof typeof payloads;
const formats = Object.keys(payloads) as Format[];

/** A stream of a payload in chunks. */
function stream(bytes: Uint8Array, size = 50_000): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

describe.each(formats)('a large payload of %s on the page', (format) => {
  const bytes = payloads[format];

  test('decodes in slices and reports the time of the thread', async () => {
    const decoder = openDecoder({ route: 'page' });
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    expect(await decoder.decode(bytes, { format })).toEqual(rows);
    expect(await decoder.decode(stream(bytes), { format })).toEqual(rows);
    for (const report of reports) {
      expect(report).toMatchObject({ route: 'page', why: 'asked for', bytes: bytes.length, rows: rows.length, workerStartMs: 0 });
      expect(report.longestSliceMs).toBeLessThanOrEqual(report.mainMs);
    }
    expect(decoder.stats().workers).toBe(0);
  });

  test('becomes rows or columns on request', async () => {
    const decoder = openDecoder({ route: 'page' });
    const list = await decoder.decode<Rows>(bytes, { format, as: 'rows' });
    expect(list).toBeInstanceOf(Rows);
    expect(list.toArray()).toEqual(rows);
    const columns = await decoder.decode<{ id: unknown }>(bytes, { format, as: 'columns' });
    expect(columns.id).toEqual(Int32Array.from(rows, ({ id }) => id));
  });

  test('rejects if it is truncated or invalid in its last piece', async () => {
    const decoder = openDecoder({ route: 'page' });
    const bad = bytes.slice();
    bad.fill(format === 'json' ? 0x7d : 0xc1, -2);
    for (const source of [bytes.slice(0, -1), stream(bytes.slice(0, -1)), bad, stream(bad)]) {
      const error = await rejection(decoder.decode(source, { format }));
      expect(error).toMatchObject({ name: 'DecodeError', format });
      const inWorker = await rejection(decoder.decode(source instanceof Uint8Array ? source : bytes.slice(0, -1), { format, route: 'worker' }));
      if (source instanceof Uint8Array) expect(error).toMatchObject({ code: inWorker['code'], offset: inWorker['offset'] });
    }
  });

  test('stops between two slices when aborted', async () => {
    const decoder = openDecoder({ route: 'page' });
    const controller = new AbortController();
    hurryClock();
    const decoding = decoder.decode(bytes, { format, signal: controller.signal });
    void nextTask().then(() => controller.abort(new RangeError('enough')));
    await expect(decoding).rejects.toThrow(RangeError);
    expect(decoder.stats().pending).toBe(0);
  });

  test('rejects if its buffer is transferred during the decode', async () => {
    const decoder = openDecoder({ route: 'page' });
    const own = bytes.slice();
    hurryClock();
    const decoding = decoder.decode(own, { format });
    void nextTask().then(() => structuredClone(own, { transfer: [own.buffer] }));
    await expect(decoding).rejects.toMatchObject({ name: 'DecodeError', code: 'detached' });
  });

  test('shares the thread with another decode', async () => {
    const decoder = openDecoder({ route: 'page' });
    expect(await Promise.all([decoder.decode(bytes, { format }), decoder.decode(bytes, { format })])).toEqual([rows, rows]);
  });
});

test('the page samples a format for rows after a worker has found hardly any', async () => {
  const decoder = openDecoder();
  const reports: DecodeReport[] = [];
  decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
  await decoder.preload();
  const points = Array.from({ length: 50_000 }, (_, at) => [at / 7, at / 3]);
  const lines = { name: 'a', points };
  for (const [value, route] of [
    [rows, 'worker'],
    [lines, 'worker'],
    [lines, 'auto'],
    [rows, 'auto'],
  ] as const) {
    const found = await decoder.decode(pack(value), { format: 'messagepack', as: 'rows', route });
    expect(found instanceof Rows ? found.toArray() : found).toEqual(value);
  }
  // The route of the last one depends on the speed of both routes on this machine.
  expect(reports.slice(0, 3).map(({ route }) => route)).toEqual(['worker', 'worker', 'page']);
  expect(reports.map(({ why }) => why === 'there are no records')).toEqual([false, false, true, false]);
});
