import { gzipSync, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressionOf, inflate, maxInflatedSize } from '../../../../devtools-extension/reading/compression/inflate.ts';
import { readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';

const MB = 1024 * 1024;

/** Zstandard frame (RFC 8878) whose blocks each repeat one byte 128 KiB times. */
function zstdBomb(bytes: number): Uint8Array {
  const blocks = Math.ceil(bytes / 0x20000);
  const parts = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x38];
  for (let block = 1; block <= blocks; block += 1) {
    const head = (0x20000 << 3) | (1 << 1) | (block === blocks ? 1 : 0);
    parts.push(head & 0xff, (head >> 8) & 0xff, head >> 16, 0);
  }
  return Uint8Array.from(parts);
}

/** Twice the limit of a small body. */
const SIZE = 64 * MB;
const BOMBS: readonly [string, Uint8Array][] = [
  ['gzip', gzipSync(Buffer.alloc(SIZE))],
  ['zlib', deflateSync(Buffer.alloc(SIZE))],
  ['zstd', zstdBomb(SIZE)],
];

describe('unwrap of a body that grows to 64 MB', () => {
  test.each(BOMBS)('unpacks %s up to the limit, and reports the rest', async (name, bomb) => {
    expect(bomb.length).toBeLessThan(300_000);
    const { bytes, overflow, wrappings } = await unwrap(Uint8Array.from(bomb), { contentType: '' });
    expect(wrappings).toEqual([name]);
    expect(overflow).toEqual({ wrapping: name, limit: maxInflatedSize(bomb.length) });
    expect(bytes.length).toBe(maxInflatedSize(bomb.length));
    expect(bytes.length).toBeLessThanOrEqual(32 * MB);
  });

  test.each(BOMBS)('opens %s in part', async (_, bomb) => {
    const { bytes, overflow } = await unwrap(Uint8Array.from(bomb), { contentType: '', limit: 1000 });
    expect(bytes.length).toBe(1000);
    expect(overflow).toMatchObject({ limit: 1000 });
  });

  test('stops gzip in gzip at the layer that grows', async () => {
    const { overflow, wrappings } = await unwrap(gzipSync(BOMBS[0]![1]), { contentType: '' });
    expect(wrappings).toEqual(['gzip', 'gzip']);
    expect(overflow).toMatchObject({ wrapping: 'gzip' });
  });

  test('stops frames at the limit for all frames together', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * MB));
    const frame = [1, bomb.length >>> 24, (bomb.length >> 16) & 0xff, (bomb.length >> 8) & 0xff, bomb.length & 0xff];
    const frames = Uint8Array.from(Array.from({ length: 5 }, () => [...frame, ...bomb]).flat());
    const { content } = await unwrap(frames, { contentType: 'application/grpc-web+proto' });
    expect(content.length).toBeLessThan(maxInflatedSize(frames.length) + frames.length);
  });
});

describe('inflate of a Zstandard frame', () => {
  const head = [0x28, 0xb5, 0x2f, 0xfd];
  /** Block that repeats one byte zero times. */
  const EMPTY = [0b010, 0, 0, 0];
  const LAST = [0b011, 0, 0, 0];

  test.each<[string, number[]]>([
    ['a window of 2 GB', [...head, 0x00, 0xa0, ...LAST]],
    ['a window of 3.75 TB', [...head, 0x00, 0xff, ...LAST]],
    ['a content of 2 GB in one segment', [...head, 0xa0, 0, 0, 0xe0, 0x7f, ...LAST]],
    ['a content of 2 TB and a window as large', [...head, 0xc0, 0xff, 0, 0, 0, 0, 0, 2, 0, 0, ...LAST]],
    ['a window of 128 MB that moves 65,536 times', [...head, 0x00, 0x88, ...Array.from({ length: 65_535 }, () => EMPTY).flat(), ...LAST]],
    ['a window of 128 MB in consecutive frames', Array.from({ length: 1_000 }, () => [...head, 0x00, 0x88, ...LAST]).flat()],
  ])('rejects windows that are too large before allocation: %s', async (_, frame) => {
    const bytes = Uint8Array.from(frame);
    await expect(inflate(bytes, 'zstd', maxInflatedSize(bytes.length))).rejects.toThrow('The windows of the Zstandard frames are too large');
  });

  test('leaves such a frame unchanged in the panel', async () => {
    const bytes = Uint8Array.of(...head, 0x00, 0xa0, ...LAST);
    expect(await unwrap(bytes, { contentType: '' })).toMatchObject({ bytes, wrappings: [] });
  });

  test.each([1, 2, 3, 5, 9])('rejects a frame truncated %d bytes before its end', async (missing) => {
    const bytes = zstdBomb(1000).slice(0, -missing);
    await expect(inflate(bytes, 'zstd', MB)).rejects.toThrow('The Zstandard frame is incomplete');
  });

  test('allocates at most the limit and one block', async () => {
    const { bytes, isCut } = await inflate(zstdBomb(250 * MB), 'zstd', 100);
    expect([bytes.length, isCut]).toEqual([100, true]);
  });
});

test('an unterminated gzip header is rejected after a megabyte', async () => {
  const endless = new Uint8Array(40 * MB).fill(0x41);
  endless.set([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 0]);
  await expect(inflate(endless, 'gzip', MB)).rejects.toThrow('The gzip header does not end');
});

test('a body may grow thirtyfold or to 32 MB, but to at most 128 MB', () => {
  expect(maxInflatedSize(1000)).toBe(32 * MB);
  expect(maxInflatedSize(2 * MB)).toBe(60 * MB);
  expect(maxInflatedSize(15 * MB)).toBe(128 * MB);
});

test.each([
  ['gzip', gzipSync],
  ['zlib', deflateSync],
] as const)('%s data of several pieces decompress to the original', async (name, compress) => {
  const bytes = Buffer.from(Array.from({ length: 40_000 }, (_, i) => `${i * 7919}`).join());
  const packed = Uint8Array.from(compress(bytes));
  expect(compressionOf(packed)).toBe(name);
  expect(Buffer.from((await inflate(packed, name, 32 * MB)).bytes).equals(bytes)).toBe(true);
});

test('the members of a gzip file are concatenated', async () => {
  const two = Uint8Array.from(Buffer.concat([gzipSync('abc'), gzipSync('def')]));
  expect(new TextDecoder().decode((await inflate(two, 'gzip', 1000)).bytes)).toBe('abcdef');
});

test('a tree holds and shows at most 12 million values', async () => {
  const bytes = new Uint8Array(13_000_000);
  bytes.set([0xdd, 0, 0xc6, 0x5d, 0x3b]);
  const { data, error } = await readSpans(bytes, { format: 'messagepack' });
  expect(error).toMatchObject({ name: 'LimitError', limit: 'values' });
  expect(data.count).toBeGreaterThan(11_900_000);
  expect(data.count).toBeLessThanOrEqual(12_000_001);
});

test('a declared count alone does not allocate memory', async () => {
  const bytes = new Uint8Array(30_000_000);
  bytes.set([0xdd, 0x01, 0xc9, 0xc3, 0x7b, 0xc1]);
  const { data, error } = await readSpans(bytes, { format: 'messagepack' });
  expect(error).toBeDefined();
  expect(data.kinds.buffer.byteLength).toBeLessThan(4_000_000);
});
