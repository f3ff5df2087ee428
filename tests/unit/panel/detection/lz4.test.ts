import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { inflateBlock } from '../../../../devtools-extension/reading/compression/lz4-sized-blocks.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import fc from '../../../setup/properties/property.ts';

const from64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const packr = new Packr({ mapsAsObjects: true, useRecords: false });
const unpack = (bytes: Uint8Array): unknown => packr.unpack(bytes);
const utf8 = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const MB = 1024 * 1024;

const TEXT = 'The name of a station, and how many docks it has. '.repeat(40);
const MESSAGE = { station: 'Oak', docks: Array.from({ length: 60 }, () => 7), note: 'free '.repeat(30) };

/** Output of Python's lz4.block, prefixed with the size. */
const SIZED = '0AcAAP8jVGhlIG5hbWUgb2YgYSBzdGF0aW9uLCBhbmQgaG93IG1hbnkgZG9ja3MgaXQgaGFzLiAyAP////////+NUGhhcy4g';
/** The message as MessagePack-CSharp writes it, in one block and in two, compressed by Python's lz4.block. */
const EXT_99 = 'yAA3Y9IAAADv/wiDp3N0YXRpb26jT2FrpWRvY2tz3AA8BwEAKM+kbm90ZdmWZnJlZSAFAHlQZnJlZSA=';
const EXT_98 = 'k8cCYnd4xDL/CIOnc3RhdGlvbqNPYWulZG9ja3PcADwHAQAoz6Rub3Rl2ZZmcmVlIAUAAVBmcmVlIMQPX2ZyZWUgBQBbUGZyZWUg';

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
    await expect(unwrap(from64(EXT_99), { contentType: '', bare: 'lz4 block' })).rejects.toThrow(/LZ4 block/);
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
    ['refers to bytes before it', [0x10, 1, 2, 0, 0], 'before its output'],
    ['has an offset of zero', [0x10, 1, 0, 0, 0], 'before its output'],
    ['ends after a match', [0x10, 1, 1, 0], 'after a match'],
    ['is empty', [], 'after a match'],
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
