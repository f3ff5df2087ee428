import { describe, expect, it } from 'vitest';
import { createEncoder, EncodeError } from '../../../../main/encode.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { joined } from '../../../../core/bytes/byte-input.ts';
import { encodeSync } from '../../../../main/sync.ts';
import json from '../../../../core/formats/json/writer.ts';
import { stopClock } from '../../../setup/stand-ins/clock.ts';

const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, name: `station ${id}`, at: { x: id / 3, y: -id } }));
const whole = encodeSync(json, rows);
const FORMATS: readonly FormatId[] = ['json', 'messagepack', 'cbor', 'sia'];

/** List whose item reads are reported. */
function counted<T>(list: readonly T[], count: (index: number) => void): T[] {
  return new Proxy(list as T[], {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) count(Number(key));
      return Reflect.get(target, key) as unknown;
    },
  });
}

/** Runs a complete encode of another value, during which a stream that writes unasked would finish. */
async function another(format: FormatId = 'json'): Promise<void> {
  await createEncoder().encode(rows.slice(0, 25_000), { format });
}

describe('slowly read stream', () => {
  it.each(['json', 'messagepack'] as const)('writes %s at most one chunk ahead of the reader, however fast the thread is', async (format) => {
    stopClock();
    let written = 0;
    const stream = createEncoder().stream(rows, { format, onProgress: ({ writtenBytes }) => (written = writtenBytes) });
    const reader = stream.getReader();
    await another(format);
    expect(written).toBe(0);
    let read = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      const { value } = await reader.read();
      read += value!.length;
      await another(format);
      expect(written).toBeLessThanOrEqual(read + 2 ** 20);
    }
    await reader.cancel();
    await another(format);
    expect(written).toBeLessThanOrEqual(read + 2 ** 20);
  });

  it('reads no further items while idle', async () => {
    stopClock();
    let last = -1;
    const reader = createEncoder()
      .stream(
        counted(rows, (index) => (last = index)),
        { format: 'messagepack' },
      )
      .getReader();
    await reader.read();
    const before = last;
    await another();
    expect(last).toBe(before);
    expect(before).toBeLessThan(rows.length - 1);
    await reader.cancel();
  });

  it('applies backpressure to the source of a transcode', async () => {
    let given = 0;
    const text = new TextEncoder().encode(`${JSON.stringify(rows.slice(0, 500)).slice(1, -1)},`);
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          given += text.length;
          controller.enqueue(given === text.length ? Uint8Array.of(0x5b, ...text) : text);
        },
      },
      { highWaterMark: 0 },
    );
    const reader = createEncoder()
      .transcode(source, { from: { format: 'json' }, to: { format: 'json' } })
      .getReader();
    let read = 0;
    for (let turn = 0; turn < 3; turn += 1) read += (await reader.read()).value!.length;
    // Bytes already read from the source are written first.
    const most = read + 4 * 2 ** 20;
    for (let before = -1; given > before && given < most;) {
      before = given;
      await another();
    }
    expect(given).toBeLessThan(most);
    await reader.cancel();
  });
});

describe('closed encoder', () => {
  it('rejects an encode with the reason in any slice', async () => {
    // Slices end with chunks, since the clock is stopped.
    stopClock();
    let slices = 0;
    const list = rows.slice(0, 20_000);
    await createEncoder().encode(list, { format: 'json', onProgress: () => (slices += 1) });
    expect(slices).toBeGreaterThan(2);
    for (let at = 1; at < slices; at += 1) {
      const control = new AbortController();
      let left = at;
      const onProgress = (): void => {
        if (--left === 0) control.abort(`in slice ${at}`);
      };
      await expect(createEncoder().encode(list, { format: 'json', signal: control.signal, onProgress })).rejects.toBe(`in slice ${at}`);
      expect(left).toBe(0);
    }
  });

  it('fails its streams with an AbortError', async () => {
    const encoder = createEncoder();
    const readers = FORMATS.map((format) => encoder.stream(rows, { format }).getReader());
    const chunks = await Promise.all(readers.map((reader) => reader.read()));
    expect(chunks.every(({ value }) => value!.length < whole.length)).toBe(true);
    encoder.close();
    const ends = await Promise.allSettled(
      readers.map(async (reader) => {
        while (!(await reader.read()).done);
      }),
    );
    expect(ends.map((end) => end.status === 'rejected' && (end.reason as Error).name)).toEqual(FORMATS.map(() => 'AbortError'));
  });
});

describe('encoder, if a getter throws midway', () => {
  const thrown = new Error('no');
  const bad = {
    get name() {
      throw thrown;
    },
  };

  it.each(FORMATS)('fails the stream of %s with its error, after the preceding bytes', async (format) => {
    const reader = createEncoder()
      .stream([...rows, bad, ...rows], { format })
      .getReader();
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const end = await (async () => {
      for (;;) chunks.push((await reader.read()).value!);
    })().catch((error: unknown) => error);
    expect(end).toBeInstanceOf(EncodeError);
    expect(end).toMatchObject({ code: 'thrown', format, path: [rows.length, 'name'], cause: thrown });
    if (format === 'json') expect(Buffer.from(joined(chunks)).toString()).toBe(Buffer.from(whole).toString().slice(0, joined(chunks).length));
    await expect(reader.closed).rejects.toBe(end);
  });

  it('rejects a body, so that nothing incomplete is sent', async () => {
    await expect(createEncoder().body([...rows, bad], { format: 'json' })).rejects.toMatchObject({ code: 'thrown', cause: thrown });
  });
});
