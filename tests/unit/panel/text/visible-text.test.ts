import { describe, expect, test } from 'vitest';
import { nameOf } from '../../../../devtools-extension/text/address.ts';
import { measure } from '../../../../devtools-extension/panel/size/size.ts';
import { pathText, previewText, valueText } from '../../../../devtools-extension/values/value-text.ts';
import { quoted, visible, visibleLines, visibleName } from '../../../../devtools-extension/text/visible-text.ts';
import { finish, openBody } from '../open.ts';

describe('visible', () => {
  test.each([
    ['an override of direction', 'user\u202egpj.exe', 'user\\u202egpj.exe'],
    ['an isolate', 'a\u2066b\u2069', 'a\\u2066b\\u2069'],
    ['a zero-width space', 'ad\u200bmin', 'ad\\u200bmin'],
    ['a byte order mark', '\ufeffid', '\\ufeffid'],
    ['a soft hyphen', 'a\u00adb', 'a\\u00adb'],
    ['a filler', 'x\u3164', 'x\\u3164'],
    ['a no-break space', 'a\u00a0b', 'a\\u00a0b'],
    ['a control', 'a\u0007\u0085', 'a\\u0007\\u0085'],
    ['a tag', 'a\u{e0041}', 'a\\u{e0041}'],
    ['half of a pair', 'a\ud800b', 'a\\ud800b'],
    ['a separator of lines', 'a\u2028b', 'a\\u2028b'],
  ])('escapes invisible characters such as %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('preserves them in words, emoji and text of any script', () => {
    for (const text of ['Größe', '日本語 テキスト', 'שלום', 'مرحبا', 'a b', '👩‍👩‍👧', '❤️', '🏳️‍🌈', 'e\u0301']) expect(visible(text)).toBe(text);
  });

  test('puts a name that contains them in quotes, and an empty one', () => {
    expect(visibleName('plain')).toBe('plain');
    expect(visibleName('pl\u200bain')).toBe(String.raw`"pl\u200bain"`);
    expect(visibleName('')).toBe('""');
  });

  test('distinguishes them from the same characters written as an escape', () => {
    expect(quoted(String.raw`\u202e`)).toBe(String.raw`"\\u202e"`);
    expect(quoted('\u202e')).toBe(String.raw`"\u202e"`);
  });

  test('preserves the line ends of a text', () => {
    expect(visibleLines('a\r\n\tb\u200b')).toBe('a\n\tb\\u200b');
  });
});

test('keys, values, paths, previews, sizes and names of requests contain no invisible characters', async () => {
  const body = await openBody('json', new TextEncoder().encode(JSON.stringify({ 'is\u202eAdmin': { 'x\u200b': 'a\u2067b' } })));
  const tree = body.tree!;
  expect(pathText(tree, 3)).toBe(String.raw`$["is\u202eAdmin"]["x\u200b"]`);
  expect(valueText(tree, 3).text).toBe(String.raw`"a\u2067b"`);
  expect(previewText(tree, 2)).toBe(String.raw`"x\u200b": "a\u2067b"`);
  const report = finish(measure(body));
  expect([...report.byPath, ...report.byKey].map(({ name }) => name).filter((name) => name !== visible(name))).toEqual([]);
  expect(nameOf('https://a.test/bill%E2%80%AEfdp.exe')).toBe(String.raw`bill\u202efdp.exe`);
});
