import { describe, expect, test } from 'vitest';
import json from '../../core/formats/json/index.ts';
import { decodeWith, difference, outcome } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';

/** Files by their first letter: must be accepted, must be rejected, may be either. */
const COUNTS = { y: 95, n: 188, i: 35 };

/** What `JSON.parse` makes of bytes that must be UTF-8. */
function reference(bytes: Uint8Array): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return undefined;
  }
}

await describeCorpus('json-test-suite', (corpus) => {
  const files = corpus.files.filter((name) => name.endsWith('.json')).map((name) => name.replace('test_parsing/', ''));

  test.each(Object.entries(COUNTS))('the suite holds the files that begin with %s', (letter, count) => {
    expect(files.filter((name) => name.startsWith(letter))).toHaveLength(count);
  });

  describe('the JSON reader', () => {
    test.each(files)('agrees with JSON.parse, whole and byte by byte, on %s', async (name) => {
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
