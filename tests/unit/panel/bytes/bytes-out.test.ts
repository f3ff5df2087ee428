import { describe, expect, test } from 'vitest';
import { textLines } from '../../../../devtools-extension/panel/text/text-forms.ts';
import { finish } from '../open.ts';

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
