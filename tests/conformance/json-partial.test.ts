import { describe, expect, test } from 'vitest';
import json from '../../core/formats/json/index.ts';
import { createPartial } from '../../main/partial.ts';
import { decodeWith, difference, outcome } from '../setup/ways/differential.ts';
import { cutEvery, decodeInPart } from '../setup/ways/in-part.ts';
import { describeCorpus } from '../setup/servers/folders.ts';

/** Maximum number of positions at which a file is cut. */
const MAX_CUTS = 2_000;
/** Depth of files that are nested too deep for the default limits. */
const limits = { depth: 200_000 };

await describeCorpus('json-test-suite', (corpus) => {
  const files = corpus.files.filter((name) => name.endsWith('.json')).map((name) => name.replace('test_parsing/', ''));

  describe('a value in part', () => {
    test.each(files)('begins the value, or ends in the error, of a decode at every cut of %s', async (name) => {
      const bytes = await corpus.bytes(`test_parsing/${name}`);
      // Too deep for a snapshot at every cut within the default limits.
      const isDeep = bytes.length >= 100_000;
      const setting = isDeep ? {} : { limits };
      const chunks = cutEvery(bytes, Math.ceil(bytes.length / MAX_CUTS));
      const parts = decodeInPart(createPartial(json, setting), chunks, name.includes('duplicated_key'));
      expect(
        difference(
          parts,
          outcome(() => decodeWith(json, bytes, setting)),
        ),
      ).toBeUndefined();
    });
  });
});
