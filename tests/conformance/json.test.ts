import { describe, expect, test } from 'vitest';
import json from '../../core/formats/json/index.ts';
import { decodeWith, difference, outcome } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';

/** Number of files by first letter: must be accepted, must be rejected, either. */
const COUNTS = { y: 95, n: 188, i: 35 };

/** Parses strict UTF-8 with `JSON.parse`. */
function reference(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return undefined;
  }
}

await describeCorpus('json-test-suite', (corpus) => {
  const files = corpus.files.filter((name) => name.endsWith('.json')).map((name) => name.replace('test_parsing/', ''));

  test.each(Object.entries(COUNTS))('the suite contains all files that begin with %s', (letter, count) => {
    expect(files.filter((name) => name.startsWith(letter))).toHaveLength(count);
  });

  describe('the JSON reader', () => {
    test.each(files)('agrees with JSON.parse, in one piece and byte by byte, on %s', async (name) => {
      const bytes = await corpus.bytes(`test_parsing/${name}`);
      const limits = { depth: 200_000 };
      const whole = outcome(() => decodeWith(json, bytes, { limits }));
      const expected = reference(bytes);
      if (expected) expect(difference(whole, expected)).toBeUndefined();
      else expect(whole).toHaveProperty('error');
      if (name.startsWith('y')) expect(expected).toBeDefined();
      if (name.startsWith('n')) expect(expected).toBeUndefined();
      const cut = outcome(() => decodeWith(json, bytes, { limits, chunkSizes: Array.from({ length: Math.min(bytes.length, 5_000) }, () => 1) }));
      expect(cut).toEqual(whole);
    });
  });
});
