import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';
import { breaksOf } from '../../../scripts/build/break-lines.mjs';

const SOURCE = Array.from(
  { length: 40 },
  (_, index) => `
export class Reader${index} {
  #place = 'é\${}';
  read(text) { if (text === \`a${index % 10 === 0 ? '\n' : ' '}b\${this.#place}\`) { throw new RangeError('no ${index}'); } else { for (const one of text) this.#place += one; }
    return this.#place; }
}`,
).join('\n');

test('minified lines are broken between statements', () => {
  const { code } = transformSync(SOURCE, { minify: true });
  const breaks = breaksOf(code);
  const broken = [0, ...breaks].map((from, index) => code.slice(from, breaks[index])).join('\n');
  expect(breaks.length).toBeGreaterThan(5);
  expect(transformSync(broken, { minify: true }).code).toBe(transformSync(code, { minify: true }).code);
});
