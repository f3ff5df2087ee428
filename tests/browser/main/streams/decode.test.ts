import { afterAll, describe, expect, test, vi } from 'vitest';
import { createDecoder, type DecodeProgress } from '../../../../main/index.ts';
import { nextTask } from '../../../../core/platform/platform.ts';
import { hurryClock } from '../../../setup/stand-ins/clock.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { assertStreamRows, type StreamEncoding, type StreamRow, streamRow, streamState, streamUrl } from '../../../setup/servers/stream-rows.ts';
import { rejection } from '../decoder/support.ts';

/** Shared, as starting a worker takes longer than most tests. */
const decoder = createDecoder();
afterAll(() => decoder.close());

const isWebKit = navigator.userAgent.includes('AppleWebKit') && !navigator.userAgent.includes('Chrome');
const [COMMA, CLOSING_BRACE, SPACE] = [0x2c, 0x7d, 0x20];
const encodings: StreamEncoding[] = ['json', 'ndjson', 'messagepack'];
const rowsOf = (value: unknown): StreamRow[] => ('trips' in (value as object) ? (value as { trips: StreamRow[] }).trips : (value as StreamRow[]));

describe.each(encodings)('%s', (encoding) => {
  test.each([1000, 65_536])('decodes while it arrives, in chunks of %i bytes', async (chunk) => {
    const value = await decoder.decode(await fetch(streamUrl({ encoding, rows: 20_000, chunk })));
    expect(rowsOf(value)).toHaveLength(20_000);
    assertStreamRows(rowsOf(value));
  });

  test('decodes to Rows on request', async () => {
    const value = await decoder.decode(await fetch(streamUrl({ encoding, rows: 20_000 })), { as: 'rows' });
    const rows = rowsOf(value);
    expect(rows).toHaveLength(20_000);
    assertSame(rows.at(17_777), streamRow(17_777));
  });
});

test('the report of a stream contains its bytes and times', async () => {
  const reports = vi.fn();
  const response = await fetch(streamUrl({ encoding: 'json', rows: 40_000 }));
  hurryClock();
  decoder.addEventListener('decode', ({ detail }) => reports(detail));
  await decoder.decode(response, { as: 'rows', route: 'worker' });
  const { readMs, duration, bytes, route, rows } = reports.mock.lastCall![0];
  expect(route).toBe('worker');
  expect(rows).toBeGreaterThanOrEqual(40_000);
  expect(bytes).toBeGreaterThan(4_000_000);
  expect(readMs).toBeGreaterThan(0);
  expect(duration).toBeGreaterThanOrEqual(readMs);
});

test('a decode of a stream reports its progress', async () => {
  const bytes = new Uint8Array(await (await fetch(streamUrl({ encoding: 'json', rows: 20_000 }))).arrayBuffer());
  const betweenRows = bytes.indexOf(COMMA, bytes.lastIndexOf(CLOSING_BRACE, bytes.length / 2)) + 1;
  const seen: DecodeProgress[] = [];
  const isDecoding = (): boolean => seen.some(({ rows }) => rows > 0);
  // After half of the rows, white space arrives until some of them are decoded, however long that takes.
  const pieces = (function* (): Generator<Uint8Array<ArrayBuffer>> {
    yield bytes.slice(0, betweenRows);
    while (!isDecoding()) yield new Uint8Array([SPACE]);
    yield bytes.slice(betweenRows);
  })();
  const source = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await nextTask();
      const { done, value } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  await decoder.decode(source, { format: 'json', onProgress: (progress) => seen.push(progress) });
  const last = seen.at(-1)!;
  expect(last.percent).toBe(1);
  expect(last.totalBytes).toBe(last.transferredBytes);
  expect(last.transferredBytes).toBeGreaterThanOrEqual(bytes.length);
  expect(seen[0]!.totalBytes).toBe(0);
  expect(seen.some(({ rows, percent }) => rows > 0 && percent < 1)).toBe(true);
  seen.length = 0;
  const small = await (await fetch(streamUrl({ encoding: 'json', rows: 10 }))).arrayBuffer();
  await decoder.decode(await fetch(streamUrl({ encoding: 'json', rows: 10, length: small.byteLength })), {
    onProgress: (progress) => seen.push(progress),
  });
  expect(seen.at(-1)).toEqual({ percent: 1, transferredBytes: small.byteLength, totalBytes: small.byteLength, rows: 0 });
});

test.each<[string, Record<string, number>, object, stallTimeout?: number]>([
  // WebKit may treat a broken connection as the end of the body.
  ['breaks off', { reset: 1_000_000 }, { name: isWebKit ? expect.stringMatching(/^(Network|Decode)Error$/) : 'NetworkError' }],
  ['stalls', { stall: 300_000 }, { name: 'TimeoutError' }, 500],
  ['has a Content-Length that lies', { length: 50_000_000 }, { name: 'NetworkError' }],
])('a decode of a stream rejects where the response %s', async (_, trouble, expected, stallTimeout) => {
  const response = await decoder.fetch(streamUrl({ encoding: 'json', rows: 20_000, ...trouble }));
  expect(await rejection(response.decode({ stallTimeout }))).toMatchObject(expected);
  await expect.poll(() => decoder.stats().running).toBe(0);
  expect(await (await decoder.fetch(streamUrl({ rows: 3 }))).json()).toMatchObject({ count: 3 });
});

test('an aborted or failed decode ends the request', async () => {
  for (const stall of [0, 500_000]) {
    const id = `decode-${stall}-${Math.random()}`;
    const controller = new AbortController();
    const response = await decoder.fetch(streamUrl({ id, encoding: 'json', rows: 2_000_000, rate: 100, stall }));
    const onProgress = ({ transferredBytes }: DecodeProgress): void => {
      if (transferredBytes > 400_000) controller.abort(new Error('enough'));
    };
    const decoding = response.decode({ signal: controller.signal, onProgress });
    await expect(decoding).rejects.toThrow('enough');
    await expect.poll(async () => (await streamState(id)).closed).toBe(true);
    expect((await streamState(id)).ended).toBe(false);
  }
});
