import { describe, expect, test } from 'vitest';
import bson, { type BsonOptions } from '../../core/formats/bson/index.ts';
import writer from '../../core/formats/bson/writer.ts';
import { resolveLimits } from '../../core/limits.ts';
import type { Sink } from '../../core/reading/sink.ts';
import { decodeWith, outcome, sameInEveryCut } from '../setup/ways/differential.ts';
import { encodeEveryWay } from '../setup/ways/encode-with.ts';
import { describeCorpus, openFolder } from '../setup/servers/folders.ts';
import { hex, toHex } from '../setup/values/hex.ts';
import { throughBlock } from '../setup/ways/through-block.ts';

/** A file of the BSON corpus (https://github.com/mongodb/specifications/blob/master/source/bson-corpus/bson-corpus.md). */
interface CorpusFile {
  valid?: {
    description: string;
    canonical_bson: string;
    degenerate_bson?: string;
    canonical_extjson: string;
    relaxed_extjson?: string;
    lossy?: boolean;
  }[];
  decodeErrors?: { description: string; bson: string }[];
}

/** Number of cases in the corpus. */
const VALID = 728;
const DECODE_ERRORS = 75;

const folder = await openFolder('corpora', 'bson');
const files: [name: string, file: CorpusFile][] = [];
for (const name of folder?.files ?? []) if (name.endsWith('.json')) files.push([name, JSON.parse(await folder!.text(name)) as CorpusFile]);

await describeCorpus('bson', () => {
  const valid = files.flatMap(([name, file]) => (file.valid ?? []).map((item) => ({ ...item, title: `${name}: ${item.description}` })));
  const errors = files.flatMap(([name, file]) => (file.decodeErrors ?? []).map((item) => ({ ...item, title: `${name}: ${item.description}` })));

  test('the corpus is complete', () => {
    expect([valid.length, errors.length]).toEqual([VALID, DECODE_ERRORS]);
  });

  describe('a valid document', () => {
    test.each(valid)(
      'decodes to its Extended JSON in every way: $title',
      async ({ canonical_bson, degenerate_bson, canonical_extjson, relaxed_extjson }) => {
        const forms: [NonNullable<BsonOptions['types']>, string][] = [['canonical', canonical_extjson]];
        if (relaxed_extjson !== undefined) forms.push(['relaxed', relaxed_extjson]);
        for (const source of degenerate_bson === undefined ? [canonical_bson] : [canonical_bson, degenerate_bson]) {
          const bytes = hex(source);
          for (const [types, text] of forms) {
            const options = { types };
            const expected = numeric(JSON.parse(text));
            expect(numeric(decodeWith(bson, bytes, { options }))).toEqual(expected);
            const cut = sameInEveryCut(bson, bytes, { options });
            expect(numeric('value' in cut ? cut.value : cut)).toEqual(expected);
            const read = (sink: Sink): void => bson.createReader(sink, options, resolveLimits(), undefined).end(bytes);
            expect(numeric(await throughBlock(read, 'objects', (tag, inner) => bson.revive!(tag, inner)))).toEqual(expected);
          }
        }
      },
    );
  });

  describe('a document', () => {
    test.each(valid)('encodes to its canonical bytes: $title', ({ canonical_bson, canonical_extjson, lossy = false }) => {
      const classes = decodeWith(bson, hex(canonical_bson), { options: { types: 'classes', promoteValues: false, int64: 'bigint' } });
      expect(withoutPayload(toHex(encodeEveryWay(writer, classes)))).toBe(withoutPayload(canonical_bson.toLowerCase()));
      if (lossy) return;
      for (const value of [decodeWith(bson, hex(canonical_bson), { options: { types: 'canonical' } }), JSON.parse(canonical_extjson)]) {
        expect(toHex(encodeEveryWay(writer, value, { options: { types: 'canonical' } }))).toBe(canonical_bson.toLowerCase());
      }
    });
  });

  describe('an invalid document', () => {
    test.each(errors)('fails to decode: $title', ({ bson: source }) => {
      for (const types of ['plain', 'canonical', 'relaxed', 'classes'] as const) {
        expect(outcome(() => decodeWith(bson, hex(source), { options: { types } }))).toHaveProperty('error');
      }
    });
  });
});

/** The hex of a document without the payloads of NaNs, which engines may drop. */
function withoutPayload(document: string): string {
  return document.replace(/(?<=^10000000016400)[0-9a-f]{12}(?=f87f00$)/, '000000000000');
}

/** Replaces bigints and texts of doubles, which have several forms, by numbers. */
function numeric(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(numeric);
  if (typeof value !== 'object' || value === null) return value;
  if ('$numberDouble' in value) return { $numberDouble: Number(value.$numberDouble) };
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, numeric(inner)]));
}
