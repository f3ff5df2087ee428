import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Names of the text and background colours among each style sheet's variables. */
const SHEETS = {
  'demo/styles/tokens.css': {
    words: ['text', 'text-muted', 'accent', 'accent-strong', 'smooth', 'late', 'blocked'],
    grounds: ['page', 'surface', 'sunken', 'accent-soft', 'blocked-soft'],
  },
  'devtools-extension/panel/styles/tokens.css': {
    words: ['text', 'text-muted', 'accent', 'good', 'warn', 'bad', 'value-string', 'value-number', 'value-word', 'value-binary', 'key'],
    grounds: ['page', 'surface', 'sunken', 'hover', 'accent-soft'],
  },
};
/** Minimum contrast for text of any size (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(a: string, b: string): number {
  const [less, more] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (more! + 0.05) / (less! + 0.05);
}

describe.each(Object.entries(SHEETS))('style sheet of %s', (file, { words, grounds }) => {
  const sheet = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const colours = new Map([...sheet.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(([, name, ...both]) => [name, both]));

  it.each(['light', 'dark'])('gives all text enough contrast on every background, %s', (theme) => {
    const index = theme === 'light' ? 0 : 1;
    const tooFaint = words.flatMap((word) =>
      grounds
        .map((ground) => ({ word, ground, contrast: contrast(colours.get(word)![index]!, colours.get(ground)![index]!) }))
        .filter((pair) => pair.contrast < MIN_CONTRAST),
    );
    expect(tooFaint).toEqual([]);
  });
});
