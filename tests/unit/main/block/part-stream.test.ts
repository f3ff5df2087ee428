import { describe, expect, test } from 'vitest';
import { frameFailure, frameHeader, frameTrailer, readParts } from '../../../../main/block/part-stream.ts';
import { roomFor } from '../../../../main/block/room.ts';
import { readBlock } from '../../../../main/block/stream.ts';
import { serialiseBlock } from '../../../../core/block/block-file.ts';
import { DecodeError } from '../../../../core/errors.ts';

const bytesOf = (...pieces: ArrayBuffer[]): Blob => new Blob(pieces);
const doubles = (...numbers: number[]): ArrayBuffer => new Float64Array(numbers).buffer;

async function read(body: Blob): Promise<number[]> {
  const lengths: number[] = [];
  for await (const part of readParts(new Response(body))) lengths.push(part.byteLength);
  return lengths;
}

describe('reader of parts in a stream', () => {
  test('yields parts one by one, even if longer than the initial buffer', async () => {
    const lengths = [0, 5, 3 * 1024 * 1024 + 1];
    const frames = lengths.flatMap((length) => [frameHeader(length), new ArrayBuffer(length)]);
    expect(await read(bytesOf(...frames, frameTrailer()))).toEqual(lengths);
  });

  test.each([-3, 0.5, NaN, Infinity, 3e9, 2 ** 31])('rejects a part of length %d', async (length) => {
    await expect(read(bytesOf(doubles(length)))).rejects.toMatchObject({ name: 'DecodeError', code: 'malformed' });
    await expect(read(bytesOf(doubles(-2, length)))).rejects.toMatchObject({ name: 'DecodeError', code: 'malformed' });
  });

  test('throws a network error if the stream ends before the declared length', async () => {
    await expect(read(bytesOf(doubles(2e9), new ArrayBuffer(100)))).rejects.toMatchObject({ name: 'NetworkError', receivedBytes: 108 });
    await expect(read(bytesOf(frameHeader(8)))).rejects.toMatchObject({ name: 'NetworkError', receivedBytes: 8 });
  });

  test("throws the stream's error, or a network error if there is none", async () => {
    const failure = frameFailure({ name: 'DecodeError', code: 'malformed', reason: 'no value' });
    await expect(read(bytesOf(frameHeader(0), failure))).rejects.toEqual(new DecodeError('malformed', 'no value'));
    for (const text of ['', '{', 'null', '{"name":"DecodeError","reason":"","path":"x"}']) {
      const bytes = new TextEncoder().encode(text);
      await expect(read(bytesOf(doubles(-2, bytes.length), bytes.buffer))).rejects.toMatchObject({ name: 'NetworkError' });
    }
  });
});

test('a serialised block that declares many or long parts without their bytes is incomplete', async () => {
  const file = serialiseBlock([]);
  new Int32Array(file)[2] = 2 ** 31 - 1;
  const readAll = async (bytes: ArrayBuffer): Promise<void> => {
    for await (const part of readBlock(new Response(bytes))) void part;
  };
  await expect(readAll(file)).rejects.toMatchObject({ name: 'DecodeError', code: 'truncated' });
  const long = serialiseBlock([new ArrayBuffer(8)]);
  new Float64Array(long, 16)[1] = 2e9;
  await expect(readAll(long)).rejects.toMatchObject({ name: 'DecodeError', code: 'truncated' });
});

test('memory for a declared length grows as its bytes arrive', () => {
  let bytes = roomFor(2 ** 31 - 1);
  expect(bytes.length).toBe(1024 * 1024);
  bytes[7] = 7;
  bytes = roomFor(2 ** 31 - 1, bytes);
  expect([bytes.length, bytes[7]]).toEqual([2 * 1024 * 1024, 7]);
  expect(roomFor(10).length).toBe(10);
  expect(roomFor(1024 * 1024 + 5, roomFor(1024 * 1024)).length).toBe(1024 * 1024 + 5);
});
