/** Compares the browsers and the Node version in the README with the functions that the sources call. */
import { expect, it } from 'vitest';
import { readSource, sourceFiles } from '../../setup/sources/imports.ts';

/** Newest functions that the library calls without feature detection, with the first versions that have them. */
const CALLED: readonly [call: RegExp, chrome: number, firefox: number, safari: number][] = [
  [/\bURL\.canParse\(/, 120, 115, 17],
  [/\.toSorted\(|\.toReversed\(/, 110, 115, 16],
  [/\.findLast(?:Index)?\(/, 97, 104, 15.4],
  [/\bnavigator\s*\.locks\b/, 69, 96, 15.4],
];

/** Functions that a supported browser lacks. */
const TOO_NEW =
  /\b(?:Promise\.(?:withResolvers|try)|(?:Object|Map)\.groupBy|Array\.fromAsync|Iterator\.\w+|URL\.parse|RegExp\.escape|Error\.isError|Atomics\.(?:pause|waitAsync)|ReadableStream\.from|scheduler\.\w+|Uint8Array\.from(?:Base64|Hex)|Math\.(?:f16round|sumPrecise))\(|\.(?:toBase64|toHex|setFromBase64|getFloat16|setFloat16|isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/;

const library = [...sourceFiles('core'), ...sourceFiles('worker'), ...sourceFiles('main')].map(
  (file) => [file, withoutComments(readSource(file))] as const,
);

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '');
}

/** First supported version in a row of the README's table. */
function stated(name: string): number | undefined {
  const row = new RegExp(String.raw`^\| [^|\n]*\b${name}\b[^|\n]* \| ([\d.]+) \|$`, 'm').exec(readSource('README.md'));
  return row ? Number(row[1]) : undefined;
}

it('the README names the first versions of Chrome, Firefox and Safari with every function that the library calls', () => {
  const used = CALLED.filter(([call]) => library.some(([, source]) => call.test(source)));
  expect(used.length).toBe(CALLED.length);
  expect(stated('Chrome')).toBe(Math.max(...used.map(([, chrome]) => chrome)));
  expect(stated('Firefox')).toBe(Math.max(...used.map(([, , firefox]) => firefox)));
  expect(stated('Safari')).toBe(Math.max(...used.map(([, , , safari]) => safari)));
});

it('the library calls no function that a supported browser lacks', () => {
  expect(library.filter(([, source]) => TOO_NEW.test(source)).map(([file]) => file)).toEqual([]);
});

it('the README names the Node version that the package requires', () => {
  const { engines } = JSON.parse(readSource('package.json')) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${/^\| Node \| ([\d.]+) \|$/m.exec(readSource('README.md'))?.[1]}`);
});
