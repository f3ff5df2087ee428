import { expect, test } from 'vitest';
import { piecesOf } from '../../../../devtools-extension/panel/text/text-colors.ts';
import type { Language } from '../../../../devtools-extension/reading/file-types/language.ts';
import fc from '../../../setup/properties/property.ts';

/** Highlighted pieces of a line, as `kind text`. */
const of = (line: string, language: Language): string[] =>
  piecesOf(line, language)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text.trim()}`);

test.each<[Language, string, string[]]>([
  ['json', '  "a\\"b": "c", ', ['name "a\\"b"', 'string "c"']],
  ['json', '[-1.5e3, true, null]', ['number -1.5e3', 'word true', 'word null']],
  ['javascript', "const a1 = b.new('x', 0x1f) // c", ['word const', "string 'x'", 'number 0x1f', 'comment // c']],
  ['javascript', 'return `a ${b}` /* c */ + 10n', ['word return', 'string `a ${b}`', 'comment /* c */', 'number 10n']],
  ['javascript', ' * of a comment', ['comment * of a comment']],
  ['css', '@media (min-width: 10px) {', ['word @media', 'number 10px']],
  ['css', '  color: #ff8800 !important;', ['name color', 'number #ff8800', 'word !important']],
  [
    'xml',
    '<a:b c="d>e" f=\'g\'>h &amp; i</a:b>',
    ['name <a:b', 'number c', 'string "d>e"', 'number f', "string 'g'", 'name >', 'word &amp;', 'name </a:b', 'name >'],
  ],
  ['css', '/* a\u2028b */ c', ['comment /* a\u2028b */']],
  ['xml', '<!-- a\u2028b --> c', ['comment <!-- a\u2028b -->']],
  ['html', '<!doctype html><br/><!-- a -->', ['word <!doctype', 'name >', 'name <br', 'name />', 'comment <!-- a -->']],
])('a line of %s is split into tokens: %s', (language, line, pieces) => {
  expect(of(line, language)).toEqual(pieces);
});

test('all characters of a line are kept', () => {
  const language = fc.constantFrom<Language>('json', 'javascript', 'css', 'xml', 'html');
  const part = fc.constantFrom(
    '"',
    "'",
    '`',
    '\\',
    '//',
    '/*',
    '*/',
    '<a',
    '>',
    '<!--',
    '-->',
    '=',
    ' ',
    '1.5',
    '-',
    'const',
    '#',
    ':',
    '&',
    ';',
    'é',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), language, (parts, name) => {
      expect(
        piecesOf(parts.join(''), name)
          .map(({ text }) => text)
          .join(''),
      ).toBe(parts.join(''));
    }),
  );
});

test('a hostile line ends', () => {
  for (const line of ['"'.repeat(2_000), '\\"'.repeat(1_000), '/*'.repeat(1_000), '<!--'.repeat(500), `${'1'.repeat(1_999)}a`, "'\\".repeat(1_000)])
    for (const language of ['json', 'javascript', 'css', 'xml'] as const) expect(piecesOf(line, language).length).toBeLessThanOrEqual(line.length);
});
