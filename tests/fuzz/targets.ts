import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadFormat } from '../../core/formats/loaders.ts';
import { FORMATS, NAMED_FORMS } from '../../core/formats/registry.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import { allBlockSeeds, fuzzBlocks } from './blocks.ts';
import { decodeObjects, decodeRows, fuzz, type FuzzResult, subjectOf } from './fuzz.ts';
import { fuzzPanel } from './panel.ts';
import { fuzzRoundTrips } from './round-trips.ts';
import { fuzzSchemas, schemaLanguages } from './schemas.ts';
import { fuzzTrees, treeTargets } from './trees.ts';

/** One kind of input that is fuzzed. */
export interface Target {
  /** One of `SUBJECTS`. */
  subject: string;
  name: string;
  /** Number of inputs, as a fraction of those that are decoded. */
  share: number;
  run: (count: number, seed: number) => FuzzResult | Promise<FuzzResult>;
}

const IDS = [...FORMATS, ...NAMED_FORMS].map(({ id }) => id);

/** The subjects that `--format` selects. */
export const SUBJECTS: readonly string[] = [...IDS, 'block', 'panel'];

/** All targets of some subjects. */
export async function targetsOf(subjects: readonly string[]): Promise<Target[]> {
  const unknown = subjects.find((subject) => !SUBJECTS.includes(subject));
  if (unknown !== undefined) throw new RangeError(`Unknown format ${unknown}.`);
  const ids = IDS.filter((id) => subjects.includes(id));
  const trees = await treeTargets();
  const ofFormats = await Promise.all(
    ids.map(async (format): Promise<Target[]> => {
      const [reader, writer, subject] = await Promise.all([loadFormat(format), loadWriter(format), subjectOf(format)]);
      return [
        { subject: format, name: 'decoded', share: 1, run: (count, seed) => fuzz(reader, subject, decodeObjects, count, seed) },
        // Fewer, as an input is decoded twice.
        { subject: format, name: 'decoded into columns', share: 1 / 4, run: (count, seed) => fuzz(reader, subject, decodeRows, count, seed) },
        // Fewer, as values are also written and read again.
        {
          subject: format,
          name: 'written and read again',
          share: 1 / 4,
          run: (count, seed) => fuzzRoundTrips(format, reader, writer, subject, count, seed),
        },
        // Fewer, as shared values are written repeatedly.
        {
          subject: format,
          name: 'written as trees',
          share: 1 / 10,
          run: (count, seed) => fuzzTrees(format, reader, trees, subject, count, seed),
        },
      ];
    }),
  );
  // Fewer, as schemas take longer than payloads.
  const languages = await schemaLanguages(async (path) => new Uint8Array(await readFile(join(process.cwd(), 'tests/fixtures', path))));
  const ofSchemas = languages
    .filter(({ format }) => ids.includes(format))
    .map((language): Target => {
      const { format, name } = language;
      return { subject: format, name: `compiled: ${name}`, share: 1 / 20, run: (count, seed) => fuzzSchemas(language, count, seed) };
    });
  const others: Target[] = [];
  if (subjects.includes('block')) {
    const seeds = await allBlockSeeds();
    others.push({ subject: 'block', name: 'opened', share: 1, run: (count, seed) => fuzzBlocks(seeds, count, seed) });
  }
  // Fewer, as the panel reads a body in many ways.
  if (subjects.includes('panel')) others.push({ subject: 'panel', name: 'read', share: 1 / 20, run: fuzzPanel });
  return [...ofFormats.flat(), ...ofSchemas, ...others];
}
