import { expect, test } from 'vitest';
import { piecesOf } from '../../../../devtools-extension/panel/text/text-colors.ts';
import fc from '../../../setup/properties/property.ts';

/** Highlighted pieces of a line, as `kind text`. */
const of = (line: string): string[] =>
  piecesOf(line)
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text.trim()}`);

test.each([
  ['  "a\\"b": "c", ', ['name "a\\"b"', 'string "c"']],
  ['[-1.5e3, true, null]', ['number -1.5e3', 'word true', 'word null']],
])('a line of JSON is split into tokens: %s', (line, pieces) => {
  expect(of(line)).toEqual(pieces);
});

test('all characters of a line are kept', () => {
  const part = fc.constantFrom('"', '\\', '{', '}', '[', ',', ' ', '1.5', '-', 'true', ':', 'e', 'é');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      expect(
        piecesOf(parts.join(''))
          .map(({ text }) => text)
          .join(''),
      ).toBe(parts.join(''));
    }),
  );
});

test('a hostile line ends', () => {
  for (const line of ['"'.repeat(2_000), '\\"'.repeat(1_000), `${'1'.repeat(1_999)}a`, '"\\'.repeat(1_000)])
    expect(piecesOf(line).length).toBeLessThanOrEqual(line.length);
});
