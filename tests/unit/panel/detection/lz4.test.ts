import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { compressionOf, inflate, mostInflated } from '../../../../devtools-extension/reading/compression/inflate.ts';
import { inflateBlock } from '../../../../devtools-extension/reading/compression/lz4/sized-blocks.ts';
import { xxHash32 } from '../../../../devtools-extension/reading/compression/lz4/xxhash32.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import fc from '../../../setup/properties/property.ts';

const from64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const packr = new Packr({ mapsAsObjects: true, useRecords: false });
const unpack = (bytes: Uint8Array): unknown => packr.unpack(bytes);
const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const MB = 1024 * 1024;

const TEXT = 'The name of a station, and how many docks it has. '.repeat(40);
const NUMBERS = Array.from({ length: 60_000 }, (_, i) => `${i % 97} `).join('');
const MESSAGE = { station: 'Oak', docks: Array.from({ length: 60 }, () => 7), note: 'free '.repeat(30) };

/** Output of `lz4 -c` 1.9.4 for the text. */
const FRAME = 'BCJNGGRAp0QAAAD/I1RoZSBuYW1lIG9mIGEgc3RhdGlvbiwgYW5kIGhvdyBtYW55IGRvY2tzIGl0IGhhcy4gMgD/////////jVBoYXMuIAAAAACHSm4t';
/** Output of Python's lz4.frame for the numbers: three linked blocks, all checksums, the size. */
const LINKED = `BCJNGFxA8qYCAAAAAAB/JAIAAP//CzAgMSAyIDMgNCA1IDYgNyA4IDkgMTAgMTEgMTIgMTMgMTQgMTUgMTYgMTcgMTggMTkgMjAgMjEgMjIgMjMgMjQgMjUgMjYgMjcgMjggMjkgMzAgMzEgMzIgMzMgMzQgMzUgMzYgMzcgMzggMzkgNDAgNDEgNDIgNDMgNDQgNDUgNDYgNDcgNDggNDkgNTAgNTEgNTIgNTMgNTQgNTUgNTYgNTcgNTggNTkgNjAgNjEgNjIgNjMgNjQgNjUgNjYgNjcgNjggNjkgNzAgNzEgNzIgNzMgNzQgNzUgNzYgNzcgNzggNzkgODAgODEgODIgODMgODQgODUgODYgODcgODggODkgOTAgOTEgOTIgOTMgOTQgOTUgOTYgGQH${'/'.repeat(340)}OUCAyMyAy7GILZQoBAAAPGQH${'/'.repeat(341)}6FAgNDQgNI9S8/exAAAADxkB${'/'.repeat(222)}+BUDIgNTMg+G42JAAAAACNmIgV`;
/** Output of Python's lz4.block, prefixed with the size. */
const SIZED = '0AcAAP8jVGhlIG5hbWUgb2YgYSBzdGF0aW9uLCBhbmQgaG93IG1hbnkgZG9ja3MgaXQgaGFzLiAyAP////////+NUGhhcy4g';
/** The message as MessagePack-CSharp writes it, in one block and in two, compressed by Python's lz4.block. */
const EXT_99 = 'yAA3Y9IAAADv/wiDp3N0YXRpb26jT2FrpWRvY2tz3AA8BwEAKM+kbm90ZdmWZnJlZSAFAHlQZnJlZSA=';
const EXT_98 = 'k8cCYnd4xDL/CIOnc3RhdGlvbqNPYWulZG9ja3PcADwHAQAoz6Rub3Rl2ZZmcmVlIAUAAVBmcmVlIMQPX2ZyZWUgBQBbUGZyZWUg';

const inflated = async (bytes: Uint8Array): Promise<Uint8Array> => (await inflate(bytes, compressionOf(bytes)!, 32 * MB)).bytes;

describe('reader of LZ4 frames', () => {
  test('decompresses a frame to the original', async () => {
    expect(compressionOf(from64(FRAME))).toBe('lz4');
    expect(utf8(await inflated(from64(FRAME)))).toBe(TEXT);
  });

  test('decompresses linked blocks, with checksums and a size', async () => {
    expect(utf8(await inflated(from64(LINKED)))).toBe(NUMBERS);
  });

  test('accepts several frames and skippable frames', async () => {
    const frames = [...from64(FRAME), 0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3, ...from64(FRAME)];
    expect(utf8(await inflated(Uint8Array.from(frames)))).toBe(TEXT + TEXT);
  });

  test.each([4, 6, 20, 78, 86])('leaves a frame damaged at byte %d unchanged', async (at) => {
    const bytes = from64(FRAME);
    bytes[at]! ^= 0x41;
    await expect(inflated(bytes)).rejects.toThrow(/LZ4/);
    expect(await unwrap(bytes, { contentType: '' })).toMatchObject({ bytes, wrappings: [] });
  });

  test('rejects a frame truncated anywhere', async () => {
    const bytes = from64(LINKED);
    for (let end = 4; end < bytes.length; end += 7) await expect(inflated(bytes.subarray(0, end))).rejects.toThrow(/LZ4/);
  });

  test('unpacks a frame that grows to 250 MB up to the limit', async () => {
    const bomb = bombOf(250 * MB);
    const { bytes, overflow, wrappings } = await unwrap(bomb, { contentType: '' });
    expect(wrappings).toEqual(['lz4']);
    expect(overflow).toEqual({ wrapping: 'lz4', most: mostInflated(bomb.length) });
    expect(bytes.length).toBe(mostInflated(bomb.length));
    expect((await unwrap(bomb, { contentType: '', most: 1000 })).bytes.length).toBe(1000);
  });
});

describe('reader of LZ4 blocks', () => {
  test.each([
    ['its size as uint32', SIZED, utf8],
    ['its size, in an extension of MessagePack', EXT_99, unpack],
    ['the sizes of two, in an array of MessagePack', EXT_98, unpack],
  ])('recognises a block after %s because it decompresses to that size', async (_, text, open) => {
    const { bytes, wrappings } = await unwrap(from64(text), { contentType: '' });
    expect(wrappings).toEqual(['lz4 block']);
    expect(open(bytes)).toEqual(text === SIZED ? TEXT : MESSAGE);
  });

  test('recognises a block in a value by its size as a MessagePack int32', async () => {
    const { bytes } = await unwrap(from64(EXT_99).subarray(4), { contentType: '' });
    expect(unpack(bytes)).toEqual(MESSAGE);
  });

  test('decompresses a block without a size if the user says so', async () => {
    expect((await unwrap(from64(SIZED).subarray(4), { contentType: '' })).wrappings).toEqual([]);
    const { bytes, wrappings } = await unwrap(from64(SIZED).subarray(4), { contentType: '', bare: 'lz4 block' });
    expect(wrappings).toEqual(['lz4 block']);
    expect(utf8(bytes)).toBe(TEXT);
    await expect(unwrap(from64(FRAME), { contentType: '', bare: 'lz4 block' })).rejects.toThrow(/LZ4 block/);
  });

  test.each([
    ['a size that is too small', [0xcf, 7]],
    ['a size that is too large', [0xd1, 7]],
  ])('leaves a block after %s unchanged', async (_, size) => {
    const bytes = Uint8Array.from([...size, ...from64(SIZED).subarray(2)]);
    expect(await unwrap(bytes, { contentType: '' })).toMatchObject({ bytes, wrappings: [] });
  });

  test.each([
    ['ends inside a length', [0xf0, 255], 'inside a length'],
    ['ends inside its literals', [0x50, 1, 2], 'inside its literals'],
    ['ends inside an offset', [0x10, 1, 1], 'inside an offset'],
    ['refers to bytes before it', [0x10, 1, 2, 0, 0], 'before all bytes'],
    ['has an offset of zero', [0x10, 1, 0, 0, 0], 'before all bytes'],
    ['ends after a match', [0x10, 1, 1, 0], 'behind a match'],
    ['is empty', [], 'behind a match'],
  ])('rejects a block that %s', (_, bytes, reason) => {
    expect(() => inflateBlock(Uint8Array.from(bytes), MB)).toThrow(reason);
  });

  test('ends within the limit for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        let size = 0;
        try {
          size = inflateBlock(bytes, 5_000).bytes.length;
        } catch (error) {
          expect((error as Error).message).toMatch(/LZ4 block/);
        }
        expect(size).toBeLessThanOrEqual(5_000);
      }),
    );
  });
});

test('XXH32 matches its specification', () => {
  const of = (text: string): string => xxHash32(new TextEncoder().encode(text)).toString(16);
  expect([of(''), of('a'), of('abc'), of('Nobody inspects the spammish repetition')]).toEqual(['2cc5d05', '550d7456', '32d153ff', 'e2293b2f']);
});

/** Frame whose only block repeats a zero. */
function bombOf(size: number): Uint8Array {
  const longer = Math.floor((size - 1 - 19) / 255);
  const block = new Uint8Array(4 + longer + 2).fill(255);
  block.set([0x1f, 0, 1, 0]);
  // The rest of the length, and an end without literals.
  block.set([0, 0], block.length - 2);
  const header = [0x60, 0x70];
  const frame = new Uint8Array(4 + 3 + 4 + block.length + 4);
  const view = new DataView(frame.buffer);
  frame.set([0x04, 0x22, 0x4d, 0x18, ...header, (xxHash32(Uint8Array.from(header)) >>> 8) & 0xff]);
  view.setUint32(7, block.length, true);
  frame.set(block, 11);
  return frame;
}
