import { describe, expect, test } from 'vitest';
import { crc32, digestsOf } from '../../../../devtools-extension/panel/size/checksums.ts';
import { bytesIn } from '../../../../devtools-extension/panel/copy/copy-bytes.ts';
import { textLines } from '../../../../devtools-extension/panel/text/text-lines.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import { deflateSync } from 'fflate';
import { finish } from '../open.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('bytesIn', () => {
  const bytes = Uint8Array.from({ length: 13 }, (_, i) => i * 20);
  const ROWS = '  0x00, 0x14, 0x28, 0x3c, 0x50, 0x64, 0x78, 0x8c, 0xa0, 0xb4, 0xc8, 0xdc,\n  0xf0';

  test.each([
    ['c', `const unsigned char data[13] = {\n${ROWS}\n};`],
    ['cpp', `constexpr std::array<unsigned char, 13> data = {\n${ROWS}\n};`],
    ['csharp', `byte[] data = {\n${ROWS}\n};`],
    ['go', `data := []byte{\n${ROWS},\n}`],
    ['js', `Uint8Array.of(\n${ROWS}\n)`],
    ['python', `data = bytes([\n${ROWS}\n])`],
    ['rust', `let data: [u8; 13] = [\n${ROWS}\n];`],
  ])('writes source text in %s', (language, text) => {
    expect(bytesIn(language, bytes)).toBe(text);
  });

  test('writes signed bytes in Java', () => {
    expect(bytesIn('java', Uint8Array.of(0x7f, 0x80))).toBe('byte[] data = {\n  0x7f, (byte) 0x80\n};');
  });
});

describe('digests', () => {
  test('yields the checksums of the standards', async () => {
    expect(finish(crc32(utf8('123456789'))).toString(16)).toBe('cbf43926');
    expect(finish(crc32(new Uint8Array(0)))).toBe(0);
    const digests = Object.fromEntries(await digestsOf(utf8('abc')));
    expect(digests['SHA-1']).toBe('a9993e364706816aba3e25717850c26c9cd0d89d');
    expect(digests['SHA-256']).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    expect(digests['SHA-512']).toMatch(/^ddaf35a193617aba/);
  });
});

describe('textLines', () => {
  test.each<[string, number[], string | undefined]>([
    ['größ', [0xff, 0xfe, 0x67, 0, 0x72, 0, 0xf6, 0, 0xdf, 0], undefined],
    ['größ', [0xfe, 0xff, 0, 0x67, 0, 0x72, 0, 0xf6, 0, 0xdf], undefined],
    ['日本', [0x93, 0xfa, 0x96, 0x7b], 'shift_jis'],
    ['да', [0xc4, 0xc1], 'koi8-r'],
  ])('returns %s by the byte order mark, or in the chosen encoding', (text, bytes, encoding) => {
    expect(finish(textLines(Uint8Array.from(bytes), encoding))).toEqual([text]);
  });
});

describe('unwrap of raw DEFLATE', () => {
  test('inflates if the user says so', async () => {
    const packed = deflateSync(utf8('a station and its docks '.repeat(50)));
    expect((await unwrap(packed, { contentType: '' })).wrappings).toEqual([]);
    const { bytes, wrappings } = await unwrap(packed, { contentType: '', bare: 'deflate' });
    expect(wrappings).toEqual(['deflate']);
    expect(new TextDecoder().decode(bytes)).toBe('a station and its docks '.repeat(50));
    expect((await unwrap(packed, { contentType: '', bare: 'deflate', limit: 10 })).overflow).toEqual({ wrapping: 'deflate', limit: 10 });
  });

  test('rejects invalid data', async () => {
    await expect(unwrap(Uint8Array.of(7, 0xff, 0xff, 0xff), { contentType: '', bare: 'deflate' })).rejects.toThrow(/invalid|unexpected/);
  });
});
