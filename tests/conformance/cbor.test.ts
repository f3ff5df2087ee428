import { describe, expect, test } from 'vitest';
import cbor from '../../core/formats/cbor/index.ts';
import { decodeWith, difference, outcome, sameInEveryCut } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';
import { parseEdn } from './cbor-edn.ts';

interface Vector {
  description: string;
  encoded: Uint8Array<ArrayBuffer>;
  decoded?: unknown;
}

interface Suite {
  title: string;
  fail?: boolean;
  tests: Vector[];
}

/** Number of vectors by file. */
const SUITES: Record<string, number> = {
  'rfc8949-appendixA/mt0': 11,
  'rfc8949-appendixA/mt1': 5,
  'rfc8949-appendixA/mt2': 2,
  'rfc8949-appendixA/mt3': 7,
  'rfc8949-appendixA/mt4': 4,
  'rfc8949-appendixA/mt5': 5,
  'rfc8949-appendixA/mt6': 8,
  'rfc8949-appendixA/mt7-float': 22,
  'rfc8949-appendixA/mt7-simple': 6,
  'rfc8949-appendixA/streaming': 11,
  'rfc8949/good': 88,
  'rfc8949/bad': 47,
  'spike/spike': 1165,
};

/** Longest vector that is cut at every position. Longer ones are nested containers. */
const CUTTABLE = 64;

await describeCorpus('cbor-test-vectors', (corpus) => {
  for (const [name, count] of Object.entries(SUITES)) {
    describe(name, async () => {
      const suite = parseEdn(await corpus.text(`tests/${name}.edn`)) as Suite;

      test(`holds ${count} vectors`, () => {
        expect(suite.tests.length).toBe(count);
      });

      test('decodes to its JSON form', async () => {
        const decoded = decodeWith(cbor, await corpus.bytes(`tests/${name}.cbor`)) as Suite;
        expect(decoded.tests.length).toBe(count);
        for (const [index, vector] of suite.tests.entries()) {
          expect(difference(decoded.tests[index]!.encoded, vector.encoded)).toBeUndefined();
        }
      });

      test.each(suite.tests.map((vector, index) => ({ ...vector, index })))('decodes to the value of the vector: $index $description', (vector) => {
        const { encoded, decoded } = vector;
        const result = encoded.length <= CUTTABLE ? sameInEveryCut(cbor, encoded) : outcome(() => decodeWith(cbor, encoded));
        if (suite.fail) {
          expect(result).toHaveProperty('error');
          return;
        }
        if (!('value' in result)) throw new Error(result.error);
        // The notation does not distinguish bignums from integers.
        const value = typeof result.value === 'bigint' && typeof decoded === 'number' ? Number(result.value) : result.value;
        expect(difference(value, decoded)).toBeUndefined();
      });
    });
  }
});
