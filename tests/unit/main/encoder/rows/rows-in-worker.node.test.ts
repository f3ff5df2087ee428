import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEncoder, type EncodeOptions, type EncoderOptions, fromColumns } from '../../../../../main/encode.ts';
import { AHEAD_BYTES } from '../../../../../worker/rows-writing/protocol.ts';
import { Materialiser } from '../../../../../main/rows/materialise.ts';
import type { Rows } from '../../../../../main/rows/rows.ts';
import { DecodeSession } from '../../../../../core/format/decode-session.ts';
import { reviveCore } from '../../../../../core/reading/revive.ts';
import avro from '../../../../../core/formats/avro/index.ts';
import json from '../../../../../core/formats/json/index.ts';
import type { FormatId } from '../../../../../core/format/format-id.ts';
import { FORMATS } from '../../../../../core/formats/registry.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { ColumnSink } from '../../../../../core/sinks/columns/columns.ts';
import { decodeSync } from '../../../../../main/sync.ts';
import { stopClock } from '../../../../setup/stand-ins/clock.ts';
import { emit } from '../../../../setup/values/emit.ts';
import { localRowsWriter } from '../../../../setup/stand-ins/local-workers.ts';
import fc from '../../../../setup/properties/property.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { anyValue as values } from '../../../core/formats/messagepack/arbitrary.ts';
import { asIn, SCHEMAS, tripOf } from '../trips.ts';

const here = createEncoder({ worker: false });
const trips = Array.from({ length: 12_000 }, (_, id) => ({ id, name: `trip ${id % 700} é`, at: id / 3, end: id % 50 === 0 ? null : -id }));
const rows = (await throughBlock((sink) => emit(sink, trips), 'rows')) as Rows<(typeof trips)[number]>;

/** Encoder whose worker runs on this thread, with the number of values passed to it. */
function encoderWithWorker(options: EncoderOptions = {}): { encoder: ReturnType<typeof createEncoder>; calls: () => number; workers: Worker[] } {
  let calls = 0;
  const workers: Worker[] = [];
  const createWorker = (): Worker => {
    const worker = localRowsWriter();
    const post = worker.postMessage.bind(worker) as (message: unknown) => void;
    worker.postMessage = (message: unknown): void => {
      calls += 1;
      post(message);
    };
    workers.push(worker);
    return worker;
  };
  return { encoder: createEncoder({ worker: true, createWorker, ...options }), calls: () => calls, workers };
}

async function same(value: unknown, options: EncodeOptions, { inWorker = true }: { inWorker?: boolean } = {}): Promise<void> {
  const { encoder, calls } = encoderWithWorker();
  const [bytes, expected] = await Promise.all([encoder.encode(value, options), here.encode(value, options)]);
  encoder.close();
  expect(calls()).toBe(inWorker ? 1 : 0);
  expect(bytes.length).toBe(expected.length);
  expect(Buffer.compare(bytes, expected)).toBe(0);
}

/** Rows of JSON whose nested records stay bytes. */
async function rawRowsOf(list: readonly object[]): Promise<Rows> {
  const materialiser = new Materialiser({ as: 'rows', revive: reviveCore });
  const limits = resolveLimits();
  const sink = new ColumnSink((part) => materialiser.push(part), limits, { raw: true });
  const session = new DecodeSession({ id: 'json', format: json, options: {}, limits }, sink);
  session.push(new TextEncoder().encode(JSON.stringify(list)));
  session.end();
  sink.finish();
  return (await materialiser.done()) as Rows;
}

async function readAll(stream: ReadableStream<Uint8Array>, each: (chunk: Uint8Array) => void = () => {}): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) {
    chunks.push(chunk);
    each(chunk);
  }
  return Buffer.concat(chunks);
}

describe('encoder with a worker', () => {
  it.each(FORMATS.map(({ id }) => id))('writes the same bytes of rows in %s as on the page', async (format: FormatId) => {
    const list = Array.from({ length: 700 }, (_, id) => asIn(format, tripOf(id, `trip ${id % 700}`)));
    const schema = SCHEMAS[format];
    const options = { format, ...(schema !== undefined && { schema }) } as EncodeOptions;
    const table = (await throughBlock((sink) => emit(sink, list), 'rows')) as Rows;
    // Arrow copies columns, on the page.
    if (format === 'arrow') return await same(table, options, { inWorker: false });
    // The other formats without a schema hold sequences of records.
    await same({ trips: table }, options);
    await same({ trips: table.slice(500, 600) }, options);
    if (schema === undefined) await same(table, { ...options, options: { sequence: true } } as EncodeOptions);
    return undefined;
  });

  it('writes the same bytes as on the page in every schemaless format, for any content', async () => {
    const record = fc.dictionary(fc.constantFrom('id', 'name', 'größe', '__proto__', 'at', 'x'), values({ bigint: 'int64', dates: true }));
    const lists = fc.array(record, { minLength: 1, maxLength: 12 });
    const formats = fc.constantFrom<FormatId>('messagepack', 'cbor', 'sia', 'json', 'bson');
    await fc.assert(
      fc.asyncProperty(lists, formats, fc.integer({ min: 3, max: 40 }), async (kinds, format, times) => {
        const list = Array.from({ length: times }, () => kinds).flat();
        const table = (await throughBlock((sink) => emit(sink, list), 'rows')) as Rows;
        const options = { format, ...(format === 'json' && { options: { bigints: 'number' } }) } as EncodeOptions;
        const { encoder } = encoderWithWorker();
        const value = { one: table.slice(1), name: 'a', inner: { two: table } };
        const outcome = (made: typeof encoder): Promise<unknown> =>
          made.encode(value, options).then(
            (bytes) => Buffer.from(bytes).toString('latin1'),
            ({ name, code, path }: { name: string; code: string; path: unknown }) => ({ name, code, path }),
          );
        expect(await outcome(encoder)).toEqual(await outcome(here));
        encoder.close();
      }),
      { numRuns: 40 },
    );
  });

  it('writes the same bytes as on the page if nested records are raw JSON', async () => {
    const list = Array.from({ length: 1_200 }, (_, id) => ({ id, at: { x: id / 3, list: [{ id }, { name: `é ${id}` }] }, tags: [['a', id]] }));
    const table = await rawRowsOf(list);
    const bytes = await encoderWithWorker().encoder.encode(table, { format: 'json' });
    expect(Buffer.from(bytes).toString() === JSON.stringify(list)).toBe(true);
    await same({ table, again: { table: table.slice(7, 1_000) } }, { format: 'messagepack' });
  });

  it('writes the same bytes as on the page with references, records and bundled strings', async () => {
    const some = rows.slice(0, 2_000);
    for (const options of [{ references: true }, { records: true }, { bundleStrings: true }]) {
      await same({ rows: some, again: [1, { a: new Date(0) }], more: { rows: some } }, { format: 'messagepack', options });
    }
  });

  it('leaves rows readable', async () => {
    await same(rows, { format: 'json' });
    await same(rows, { format: 'json' });
    expect(rows.at(-1)).toEqual(trips.at(-1));
  });

  it('writes on the page if the worker cannot receive the rows or the value around them', async () => {
    const stays = { inWorker: false };
    const options = { format: 'messagepack' } as const;
    const tagged = (await throughBlock(
      (sink) =>
        emit(
          sink,
          Array.from({ length: 99 }, (_, id) => ({ id, of: /a/ })),
        ),
      'rows',
    )) as Rows;
    class Named {
      readonly name = 'a';
    }
    const some = rows.slice(0, 500);
    const list = trips.slice(0, 100);
    await same({ rows: some }, options);
    await same({ rows: some, columns: fromColumns({ id: list.map(({ id }) => id) }) }, options, stays);
    await same({ rows: some, all: [rows.slice(0, 10)] }, options, stays);
    await same({ rows: some, named: new Named() }, options, stays);
    await same({ rows: some, long: Array.from({ length: 2_000 }, () => 'a') }, options, stays);
    await same({ rows: some, bytes: new Uint8Array(4) }, options, stays);
    await same({ rows: tagged }, options, stays);
    await same({ rows: some }, { ...options, options: { onInvalidDate: () => 0 } }, stays);
    await same({ rows: some }, { ...options, options: { structures: [], records: true } }, stays);
    let calls = 0;
    const getting = {
      rows: some,
      get two() {
        calls += 1;
        return 2;
      },
    };
    await same(getting, options, stays);
    expect(calls).toBe(2);
    const shared = { rows: rows.slice(0, 50) };
    await same({ shared, all: [shared] }, options, stays);
  });

  it('sends rows to the worker by default if there are many', async () => {
    const { encoder, calls } = encoderWithWorker({ worker: undefined as never });
    await encoder.encode({ rows: rows.slice(0, 9_999) }, { format: 'json' });
    expect(calls()).toBe(0);
    await encoder.encode({ rows: rows.slice(0, 5_000), more: { rows: rows.slice(5_000, 10_000) } }, { format: 'json' });
    expect(calls()).toBe(1);
  });

  it('reports the index of an invalid record', async () => {
    const list: { id: number; big: bigint | number }[] = Array.from({ length: 3_000 }, (_, id) => ({ id, big: 1 }));
    list[2_345]!.big = 2n ** 70n;
    const table = (await throughBlock((sink) => emit(sink, list), 'rows')) as Rows;
    const { encoder, calls } = encoderWithWorker();
    const options = { format: 'messagepack', options: { msgpackr: false } } as const;
    const expected = (await here.encode({ rows: table }, options).catch((error: unknown) => error)) as Error;
    const failed = encoder.encode({ rows: table }, options);
    await expect(failed).rejects.toMatchObject({ name: 'EncodeError', message: expected.message });
    await expect(failed).rejects.toMatchObject({ code: 'range', format: 'messagepack', path: ['rows', 2_345, 'big'] });
    expect(calls()).toBe(1);
  });

  it('reports the bytes written, and writes only a few megabytes ahead of the reader', async () => {
    // The worker stops a limited distance ahead of the reader, however fast it is.
    stopClock();
    const ahead = AHEAD_BYTES + 1.5 * 2 ** 20;
    const told: number[] = [];
    let length = 0;
    let most = 0;
    const onProgress = ({ writtenBytes }: { writtenBytes: number }): void => {
      told.push(writtenBytes);
      most = Math.max(most, writtenBytes - length);
    };
    const { encoder } = encoderWithWorker();
    const many = Array.from({ length: 12 }, (_, index) => [`rows ${index}`, rows] as const);
    const reader = encoder.stream(Object.fromEntries(many), { format: 'json', onProgress }).getReader();
    length = (await reader.read()).value!.length;
    await expect.poll(() => told.at(-1)).toBeGreaterThan(AHEAD_BYTES);
    for (let read = await reader.read(); !read.done; read = await reader.read()) length += read.value.length;
    expect(length).toBeGreaterThan(2 * ahead);
    expect(most).toBeLessThan(ahead);
    expect(told.at(-1)).toBe(length);
    expect(told).toEqual(told.toSorted((one, other) => one - other));
  });

  it("stops with the signal's reason, and ends the worker when the encoder is closed", async () => {
    const { encoder, workers } = encoderWithWorker();
    const control = new AbortController();
    const running = encoder.encode({ rows }, { format: 'json', signal: control.signal, onProgress: () => control.abort('late') });
    await expect(running).rejects.toBe('late');
    let ended = 0;
    workers[0]!.terminate = () => (ended += 1);
    const closed = encoder.encode({ rows }, { format: 'json', onProgress: () => encoder.close() });
    await expect(closed).rejects.toMatchObject({ name: 'AbortError' });
    expect([workers.length, ended]).toEqual([1, 1]);
  });

  it('writes the next value after a cancelled stream', async () => {
    const { encoder, workers } = encoderWithWorker();
    const reader = encoder.stream({ rows }, { format: 'json' }).getReader();
    await reader.read();
    await reader.cancel();
    expect(Buffer.from(await encoder.encode(rows, { format: 'json' })).toString() === JSON.stringify(trips)).toBe(true);
    expect(workers).toHaveLength(1);
  });

  it('ends the worker after half a minute of idle time, and starts another for the next value', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { encoder, workers } = encoderWithWorker();
    await encoder.encode(rows, { format: 'json' });
    const ended = vi.fn();
    workers[0]!.terminate = ended;
    await vi.advanceTimersByTimeAsync(29_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledOnce();
    await encoder.encode(rows, { format: 'json' });
    expect(workers).toHaveLength(2);
    encoder.close();
  });
});

describe('encoder after a worker failure', () => {
  const expected = JSON.stringify(trips);

  it.each([
    [
      'cannot be made',
      () =>
        ((): Worker => {
          throw new DOMException('refused', 'SecurityError');
        })(),
    ],
    ['cannot load the writers', () => localRowsWriter({ load: () => Promise.reject(new Error('404')) })],
  ])('writes the whole value on the page if the worker %s, and starts no other', async (_, createWorker) => {
    let made = 0;
    const encoder = createEncoder({ worker: true, createWorker: () => ((made += 1), createWorker()) });
    for (let time = 0; time < 2; time += 1) {
      expect(Buffer.from(await encoder.encode(rows, { format: 'json' })).toString() === expected).toBe(true);
    }
    expect(made).toBe(1);
  });

  it("writes the whole value on the page if the worker's script fails to load", async () => {
    const worker = { postMessage() {}, terminate() {}, onerror: null } as unknown as Worker;
    const encoder = createEncoder({ worker: true, createWorker: () => worker });
    const bytes = encoder.encode(rows, { format: 'json' });
    await expect.poll(() => worker.onerror).not.toBeNull();
    worker.onerror!(new Event('error') as ErrorEvent);
    expect(Buffer.from(await bytes).toString() === expected).toBe(true);
  });

  it('writes the whole value on the page if something cannot be posted', async () => {
    const depth = { valueOf: () => 1_000 } as unknown as number;
    const { encoder, calls } = encoderWithWorker({ limits: { depth } });
    expect(Buffer.from(await encoder.encode(rows, { format: 'json' })).toString() === expected).toBe(true);
    expect(calls()).toBe(1);
  });

  it('writes the whole value on the page if the worker is silent for ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const silent = { postMessage() {}, terminate: vi.fn(), onerror: null };
    const encoder = createEncoder({ worker: true, createWorker: () => silent as unknown as Worker });
    const bytes = encoder.encode(rows, { format: 'json' });
    while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(9_999);
    expect(silent.terminate).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(Buffer.from(await bytes).toString() === expected).toBe(true);
    expect(silent.terminate).toHaveBeenCalledOnce();
  });

  it.each([
    ['json', {}],
    ['avro', { framing: 'container', blockBytes: 2_000 }],
  ] as const)('writes the rest of a stream of %s on the page if the worker dies', async (format, options) => {
    const { encoder, workers } = encoderWithWorker();
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`rows${index}`, rows]));
    let given = 0;
    const value = format === 'avro' ? rows : many;
    const progress: number[] = [];
    const onProgress = ({ writtenBytes }: { writtenBytes: number }): void => void progress.push(writtenBytes);
    const bytes = await readAll(encoder.stream(value, { format, options, onProgress } as EncodeOptions), () => {
      given += 1;
      if (given === 1) workers[0]!.onerror!(new Event('error') as ErrorEvent);
    });
    expect(given).toBeGreaterThan(1);
    expect(progress).toEqual(progress.toSorted((one, other) => one - other));
    if (format === 'json') expect(bytes.toString() === JSON.stringify(Object.fromEntries(Object.keys(many).map((key) => [key, trips])))).toBe(true);
    else expect(decodeSync(avro, bytes)).toEqual(trips);
    expect(workers).toHaveLength(1);
    await encoder.encode(rows, { format: 'json' });
    expect(workers).toHaveLength(2);
  });
});
