import { describe, expect, test } from 'vitest';
import { textLines } from '../../../../devtools-extension/panel/text/text-forms.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import { deflateSync } from 'fflate';
import { finish } from '../open.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

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
