/** The check of all regular expressions is part of `npm run check`; this tests that it finds what is unsafe. */
import { expect, test } from 'vitest';
import { expressionsIn, problemOf } from '../../../scripts/checks/regular-expressions.mjs';

test('expressions are found as literals and as texts that are constants of their file', () => {
  const source = String.raw`
const DIGITS = '\\d+';
let changing = 'x';
const a = /=+$/gu;
const made = [new RegExp(String.raw${'`(?:${DIGITS}|\\w)*`'}, 'g'), RegExp(DIGITS), new RegExp(changing), new RegExp(input)];`;
  expect(expressionsIn('a.ts', source)).toEqual([
    { line: 4, text: '/=+$/gu', pattern: '=+$', flags: 'gu' },
    { line: 5, text: expect.any(String) as string, pattern: String.raw`(?:\d+|\w)*`, flags: 'g' },
    { line: 5, text: 'RegExp(DIGITS)', pattern: String.raw`\d+`, flags: '' },
    { line: 5, text: 'new RegExp(changing)', pattern: undefined, flags: '' },
    { line: 5, text: 'new RegExp(input)', pattern: undefined, flags: '' },
  ]);
});

test.each([
  ['two adjacent repeats of one class', /^(?:\d+\.?\d*(?:e\d+)?)$/],
  ['white space before a word, from each line on', /^\s*import/gm],
  ['a comment that does not end', /\/\*[^]*?\*\/|\/\/.*/g],
  ['a repeated suffix', /(?:Into|RequireUtf8)+$/],
  ['a look-ahead after a repeat', /[A-Za-z_]\w*(?=\0)/g],
  ['a name that may begin at each sign before it', /([?&]([^=&#]*)=)[^&#]+/g],
  ['a string that does not end', /"(?:[^"\\]|\\.)*"/g],
])('an expression is unsafe with %s', (_, { source, flags }) => {
  expect(problemOf(source, flags)).toMatch(/^is slow: .*polynomial.*, for example on '/);
});

test('an expression is safe whose time is linear', () => {
  const safe = [/^(?:\d+(?:\.\d*)?(?:e\d+)?)$/, /\/\*[^]*?(?:\*\/|$)|\/\/.*/g, /(?:Into|RequireUtf8){1,2}$/, /\w+\0?/g, /[?&][^&#]*/g];
  expect(safe.map(({ source, flags }) => problemOf(source, flags))).toEqual(safe.map(() => undefined));
});
