import { deflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { entropyOf, type EntropyReport } from '../../../../devtools-extension/panel/size/entropy.ts';
import { joinedBytes } from '../../../../devtools-extension/reading/framings/framing.ts';
import { finish } from '../open.ts';

const of = (...parts: Uint8Array[]): EntropyReport => finish(entropyOf(joinedBytes(parts)));
const text = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => 'The name of a station, and how many docks it has. '.charCodeAt((i * 7) % 50));
const words = (count: number): Uint8Array =>
  new TextEncoder().encode(Array.from({ length: count }, (_, i) => `${(i * 2_654_435_761) % 4_294_967_296}`).join(' '));

/** Pseudo-random bytes. */
function random(length: number): Uint8Array {
  let state = 0x2545f491;
  return Uint8Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 24;
  });
}

describe('entropy', () => {
  test('measures 0 for identical bytes, and 8 if all values are equally frequent', () => {
    expect(of(new Uint8Array(5_000)).whole).toBe(0);
    expect(of(Uint8Array.from({ length: 4_096 }, (_, i) => i & 0xff)).whole).toBe(8);
    expect(of(Uint8Array.from({ length: 4_096 }, (_, i) => i & 1)).whole).toBe(1);
    expect(of().whole).toBe(0);
  });

  test('covers the bytes in at most 200 blocks', () => {
    const { blocks, blockSize } = of(new Uint8Array(1_000_000), random(1_000_000));
    expect(blockSize).toBe(10_000);
    expect(blocks).toHaveLength(200);
    expect(Math.max(...blocks.subarray(0, 100))).toBe(0);
    expect(Math.min(...blocks.subarray(100))).toBeGreaterThan(7.9);
  });

  test('locates compressed or encrypted data', () => {
    const packed = deflateSync(words(4_000));
    const { dense, blockSize } = of(text(8_192), packed, text(4_096));
    expect(dense).toHaveLength(1);
    const [{ from, end, bits }] = dense as [EntropyReport['dense'][number]];
    expect(Math.abs(from - 8_192)).toBeLessThanOrEqual(2 * blockSize);
    expect(Math.abs(end - 8_192 - packed.length)).toBeLessThanOrEqual(blockSize);
    expect(bits).toBeGreaterThan(7.8);
  });

  test.each([512, 700, 1_024, 5_000, 100_000, 3_000_000])('classifies %d random bytes as dense to the end', (length) => {
    expect(of(random(length)).dense).toMatchObject([{ from: 0, end: length }]);
  });

  test('classifies text, base64 and numbers as not compressed', () => {
    const base64 = new TextEncoder().encode(btoa(String.fromCharCode(...random(30_000))));
    const doubles = new Uint8Array(Float64Array.from({ length: 5_000 }, (_, i) => Math.sin(i)).buffer).map((byte, i) => (i % 8 < 4 ? 0 : byte));
    for (const bytes of [text(50_000), base64, doubles, random(100)]) expect(of(bytes).dense).toEqual([]);
  });
});
