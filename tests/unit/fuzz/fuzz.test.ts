import { expect, test } from 'vitest';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { FORMATS, NAMED_FORMS } from '../../../core/formats/registry.ts';
import { loadWriter } from '../../../core/formats/writers.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { ColumnSink } from '../../../core/sinks/columns/columns.ts';
import { allBlockSeeds, fuzzBlocks, recordsInThemselves } from '../../fuzz/blocks.ts';
import { decodeObjects, decodeRows, fuzz, subjectOf } from '../../fuzz/fuzz.ts';
import { fuzzRoundTrips } from '../../fuzz/round-trips.ts';
import { fuzzSchemas, schemaLanguages } from '../../fuzz/schemas.ts';
import { fuzzTrees, treeTargets } from '../../fuzz/trees.ts';
import { caseCount } from '../../setup/properties/case-count.ts';
import { openFolder } from '../../setup/servers/folders.ts';
import { emit } from '../../setup/values/emit.ts';

const IDS = [...FORMATS, ...NAMED_FORMS].map(({ id }) => id);

/** `npm run fuzz` takes a million. */
const COUNT = caseCount(2000, { least: 80 });
const TRIPS = caseCount(2000, { least: 80 });
const TREES = caseCount(500, { least: 25 });
const SCHEMAS = caseCount(300, { least: 30 });
const BLOCKS = caseCount(3000, { least: 100 });

const WAYS = [
  ['objects', decodeObjects],
  ['columns', decodeRows],
] as const;

test.each(WAYS.flatMap(([form, decode]) => IDS.map((id) => [id, form, decode] as const)))(
  'mutated %s input gives %s or a typed error',
  async (id, _, decode) => {
    const [format, subject] = await Promise.all([loadFormat(id), subjectOf(id)]);
    const { good, refused, faults } = await fuzz(format, subject, decode, COUNT);
    expect(faults).toEqual([]);
    expect(good + refused).toBe(COUNT);
    // Both outcomes must occur, or the mutations are useless.
    expect(Math.min(good, refused)).toBeGreaterThan(COUNT / 100);
  },
);

test.each(IDS)('values decoded from mutated %s input survive a round trip', async (id: FormatId) => {
  const [format, writer, subject] = await Promise.all([loadFormat(id), loadWriter(id), subjectOf(id)]);
  const { good, refused, faults } = fuzzRoundTrips(id, format, writer, subject, TRIPS);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(TRIPS);
  expect(good).toBeGreaterThan(TRIPS / 50);
});

test.each(IDS)('mutated %s input is written as JSON text and in other formats, or gives a typed error', async (id: FormatId) => {
  const [format, subject, targets] = await Promise.all([loadFormat(id), subjectOf(id), treeTargets()]);
  const { good, refused, faults } = await fuzzTrees(id, format, targets, subject, TREES);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(TREES);
  expect(good).toBeGreaterThan(0);
});

test('decimals of CBOR that were read as tags are read back as tags, whatever their content', async () => {
  const [format, targets] = await Promise.all([loadFormat('cbor'), treeTargets()]);
  // Tag 5 around an integer, and around an array whose first item is a map.
  const seed = Uint8Array.of(0x82, 0xc5, 0x05, 0xc5, 0x82, 0xa0, 0x03);
  const { good, faults } = await fuzzTrees('cbor', format, targets, { seeds: () => [seed], options: [{ decimals: 'tag' }] }, 100);
  expect(faults).toEqual([]);
  expect(good).toBeGreaterThan(0);
});

const blockSeeds = allBlockSeeds();

test.each([1, 2, 3, 4, 5, 6, 7, 8])('mutated blocks, part streams and block files give a value or a typed error (seed %i)', async (seed) => {
  const { good, refused, faults } = await fuzzBlocks(await blockSeeds, BLOCKS, seed);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(BLOCKS);
  expect(Math.min(good, refused)).toBeGreaterThan(BLOCKS / 100);
});

test('blocks of records that contain themselves are opened in each form', async () => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const sink = new ColumnSink((part) => parts.push(new Uint8Array(part)), resolveLimits());
  emit(sink, recordsInThemselves());
  sink.finish();
  const { good, faults } = await fuzzBlocks([{ parts, batches: false, format: await loadFormat('cbor') }], 200);
  expect(faults).toEqual([]);
  expect(good).toBeGreaterThan(0);
});

const fixtures = (await openFolder('fixtures', '.'))!;
const languages = await schemaLanguages((path) => fixtures.bytes(path));

test.each(languages)('mutated $format schemas ($name) compile or give a SchemaError', async (language) => {
  const { good, refused, faults } = await fuzzSchemas(language, SCHEMAS);
  expect(faults).toEqual([]);
  expect(good + refused).toBe(SCHEMAS);
  expect(Math.min(good, refused)).toBeGreaterThan(SCHEMAS / 100);
});
