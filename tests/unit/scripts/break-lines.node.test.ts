import { SourceMap, type SourceMapPayload } from 'node:module';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { breaksOf, brokenMappings } from '../../../scripts/build/break-lines.mjs';

const SOURCE = Array.from(
  { length: 40 },
  (_, index) => `
export class Reader${index} {
  #place = 'é\${}';
  read(text) { if (text === \`a${index % 10 === 0 ? '\n' : ' '}b\${this.#place}\`) { throw new RangeError('no ${index}'); } else { for (const one of text) this.#place += one; }
    return this.#place; }
}`,
).join('\n');

test('minified lines are broken between statements, and every place keeps its source', () => {
  const { code, map } = transformSync(SOURCE, { minify: true, sourcemap: 'external', sourcefile: 'source.js' });
  const payload = JSON.parse(map) as SourceMapPayload;
  const breaks = breaksOf(code);
  const broken = [0, ...breaks].map((from, index) => code.slice(from, breaks[index])).join('\n');
  expect(breaks.length).toBeGreaterThan(5);
  expect(transformSync(broken, { minify: true }).code).toBe(transformSync(code, { minify: true }).code);
  const before = new SourceMap(payload);
  const after = new SourceMap({ ...payload, mappings: brokenMappings(payload.mappings, code, breaks) });
  const placeOf = (text: string, offset: number): [number, number] => {
    const lines = text.slice(0, offset).split('\n');
    return [lines.length - 1, lines.at(-1)!.length];
  };
  let moved = 0;
  for (const { index } of code.matchAll(/throw|class|return/g)) {
    const shift = breaks.filter((offset) => offset <= index).length;
    const { originalLine, originalColumn } = before.findEntry(...placeOf(code, index)) as { originalLine: number; originalColumn: number };
    expect(after.findEntry(...placeOf(broken, index + shift))).toMatchObject({ originalLine, originalColumn });
    moved += shift > 0 ? 1 : 0;
  }
  expect(moved).toBeGreaterThan(50);
});
