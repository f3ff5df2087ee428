/** Effective limits. */
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../main/index.ts';
import { decodeSync } from '../../../main/sync.ts';
import { compileAvroSchema } from '../../../core/formats/avro/compile-schema.ts';
import avro from '../../../core/formats/avro/index.ts';
import json from '../../../core/formats/json/index.ts';
import messagepack from '../../../core/formats/messagepack/index.ts';
import { Budget } from '../../../core/budget.ts';
import { DEFAULT_LIMITS, resolveLimits } from '../../../core/limits.ts';

const deep = new TextEncoder().encode(`${'['.repeat(1_001)}${']'.repeat(1_001)}`);
/** Code compiled without exact optional properties may pass this. */
const missing = { depth: undefined } as object;

describe('limit set to undefined', () => {
  test('uses the default', () => {
    expect(resolveLimits(missing)).toEqual(DEFAULT_LIMITS);
    expect(resolveLimits({ ...missing, values: 5 })).toEqual({ ...DEFAULT_LIMITS, values: 5 });
  });

  test("falls back to the decoder's limit in a call", async () => {
    using strict = createDecoder({ limits: { depth: 3 } });
    await expect(strict.decode(new TextEncoder().encode('[[[[]]]]'), { limits: missing })).rejects.toMatchObject({ limit: 'depth' });
    using usual = createDecoder({ limits: missing });
    await expect(usual.decode(deep)).rejects.toMatchObject({ limit: 'depth' });
  });
});

/** Stream of one-byte chunks. */
function byteByByte(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => (at < bytes.length ? controller.enqueue(bytes.slice(at, (at += 1))) : controller.close()),
  });
}

describe('bytes', () => {
  const text = new TextEncoder().encode(JSON.stringify(Array.from({ length: 200 }, (_, index) => index)));
  const packed = Uint8Array.from([0xdc, 0, 200, ...Array.from({ length: 200 }, (_, index) => index % 128)]);
  const refused = { name: 'LimitError', code: 'limit', limit: 'bytes' };

  test.each([
    ['json', text],
    ['messagepack', packed],
  ] as const)('rejects buffers and streams of %s that exceed it, and accepts those of equal length', async (format, bytes) => {
    using decoder = createDecoder({ route: 'page' });
    for (const source of [() => bytes, () => new Blob([bytes]), () => new Response(bytes), () => byteByByte(bytes)]) {
      expect(await decoder.decode(source(), { format, limits: { bytes: bytes.length } })).toHaveLength(200);
      await expect(decoder.decode(source(), { format, limits: { bytes: bytes.length - 1 } })).rejects.toMatchObject({
        ...refused,
        offset: bytes.length - 1,
      });
    }
    const collect = async (): Promise<void> => {
      for await (const batch of decoder.batches(byteByByte(bytes), { format, limits: { bytes: bytes.length - 1 } }))
        expect(batch.length).toBeLessThan(200);
    };
    await expect(collect()).rejects.toMatchObject(refused);
  });

  test('applies to synchronous decodes', () => {
    for (const [format, bytes] of [
      [json, text],
      [messagepack, packed],
    ] as const) {
      expect(() => decodeSync(format as typeof json, bytes, { limits: { bytes: 10 } })).toThrow(expect.objectContaining(refused));
    }
    const schema = compileAvroSchema({ type: 'array', items: 'int' });
    const list = Uint8Array.of(4, 2, 4, 0);
    expect(decodeSync(avro, list, { schema, limits: { bytes: 4 } })).toEqual([1, 2]);
    expect(() => decodeSync(avro, list, { schema, limits: { bytes: 3 } })).toThrow(expect.objectContaining(refused));
  });

  test('counts Zstandard bytes before and after decompression', async () => {
    using decoder = createDecoder({ route: 'page' });
    // A frame of one block that repeats a space 1,000 times, and "1".
    const frame = Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0x50, 0x42, 0x1f, 0, 0x20, 0x09, 0, 0, 0x31);
    for (const source of [() => frame, () => byteByByte(frame)]) {
      const decode = (bytes: number): Promise<unknown> => decoder.decode(source(), { format: 'json', compression: 'zstd', limits: { bytes } });
      expect(await decode(1_001)).toBe(1);
      await expect(decode(1_000)).rejects.toMatchObject(refused);
      await expect(decode(13)).rejects.toMatchObject({ ...refused, offset: 13 });
    }
  });
});

describe('budget', () => {
  test('allows 16 values per byte, or 256 bytes, after the first 100,000 values', () => {
    const budget = new Budget(DEFAULT_LIMITS);
    budget.spend(100_000);
    expect(() => budget.spend(1, 7)).toThrow(expect.objectContaining({ limit: 'expansion', offset: 7 }));
    const bytes = new Budget(DEFAULT_LIMITS);
    bytes.receive(10);
    bytes.spendBytes(1_600_000 + 2_560);
    expect(() => bytes.spendBytes(16)).toThrow(expect.objectContaining({ limit: 'expansion' }));
  });

  test('allows 10 million values without bytes, however much is read', () => {
    const budget = new Budget(resolveLimits({ expansion: 1_000_000 }));
    budget.receive(1_000_000);
    budget.spendEmpty(10_000_000);
    budget.spend(20_000_000);
    expect(() => budget.spendEmpty(1)).toThrow(expect.objectContaining({ limit: 'expansion' }));
  });
});
