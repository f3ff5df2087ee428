import { afterAll, describe, expect, test } from 'vitest';
import { decodeSync } from '../../../main/sync.ts';
import bson from '../../../core/formats/bson/index.ts';
import bsonWriter from '../../../core/formats/bson/writer.ts';
import cbor from '../../../core/formats/cbor/index.ts';
import type { AnyFormat } from '../../../core/format/format.ts';
import json from '../../../core/formats/json/index.ts';
import messagepack from '../../../core/formats/messagepack/index.ts';
import sia from '../../../core/formats/sia/index.ts';
import siaWriter from '../../../core/formats/sia/writer.ts';
import { mutate, Random } from '../../fuzz/mutate.ts';
import { difference } from '../../setup/ways/differential.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';
import { documentAround, encodeTree, randomItems, type Tree, valueOf } from '../../setup/values/irregular.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { openCodePaths, type Payload, type CodePath } from './code-paths.ts';

const FORMATS = { json, messagepack, cbor, bson, sia } as unknown as Record<Id, AnyFormat>;
/** Writers of the library, which do not repeat keys. */
const WRITERS: Partial<Record<Id, unknown>> = { bson: bsonWriter, sia: siaWriter };

type Id = 'json' | 'messagepack' | 'cbor' | 'bson' | 'sia';
type Place = 'at the root' | 'in a document' | 'in a sequence';

const env = (import.meta as { env?: Record<string, unknown> }).env;
const tier = env?.['UNSPOOL_TIER'];
/** CI and slower engines run fewer cases. */
const isFew = (tier !== undefined && tier !== 'deep') || !navigator.userAgent.includes('Chrome/');
const ROWS = isFew ? [500] : [500, 3_000];
/** Rows of cases that take a minute. */
const LONG = isFew ? [] : [8_000];
const DAMAGED = isFew ? 4 : 6;
const DAMAGED_ROWS = isFew ? 150 : 500;
/** Time limit of a case, which only ends what hangs: longer on a machine that is kept busy. */
const timeout = 600_000 * Number(env?.['UNSPOOL_PATIENCE'] ?? 1);

const { codePaths, close } = openCodePaths(FORMATS);
afterAll(close);

const ids = Object.keys(FORMATS) as Id[];
const places: readonly Place[] = ['at the root', 'in a document', 'in a sequence'];
const cases = ids.flatMap((id) =>
  places
    .filter((place) => (id === 'bson' ? place !== 'at the root' : id === 'sia' ? place !== 'in a sequence' : true))
    .map((place) => [id, place] as const),
);

describe.each(cases)('%s, with a list %s', (id, place) => {
  test.each(place === 'in a document' ? [...ROWS, ...LONG] : ROWS)(
    'decodes a random document of %i rows to the same value on every code path',
    { timeout },
    async (rows) => {
      const seed = rows + ids.indexOf(id) * 7 + places.indexOf(place);
      const { payload, value } = documentOf(id, place, rows, seed);
      expect(await differing(payload, { value })).toEqual([]);
    },
  );

  test('rejects damaged documents with the same error on every code path', { timeout }, async () => {
    const random = new Random(places.indexOf(place) + 100 * ids.indexOf(id));
    let refused = 0;
    for (let run = 0; run < DAMAGED; run += 1) {
      const { payload } = documentOf(id, place, DAMAGED_ROWS, run);
      const bytes = mutate(random, payload.bytes, [payload.bytes]) as Uint8Array<ArrayBuffer>;
      if (bytes.length === 0) continue;
      const damaged = { ...payload, bytes };
      const expected = await outcomeOf(() => decodeSync(payload.format, bytes, { options: payload.options }));
      if (expected.error !== undefined) refused += 1;
      expect(await differing(damaged, expected), `run ${run}`).toEqual([]);
    }
    expect(refused).toBeGreaterThan(DAMAGED / 4);
  });
});

/** A random document and its value. */
function documentOf(id: Id, place: Place, rows: number, seed: number): { payload: Payload; value: unknown } {
  const random = new Random(seed);
  const loose = random.below(3) === 0 && !(id === 'bson' && place === 'in a sequence') ? 0.01 : 0;
  const items = randomItems(random, { rows, loose, repeated: WRITERS[id] ? 0 : random.pick([0, 0.01]) });
  const tree = place === 'in a document' ? documentAround(random, items) : items;
  const isSequence = place === 'in a sequence';
  const payload: Payload = {
    id,
    format: FORMATS[id],
    bytes: bytesOf(id, tree, isSequence),
    options: { ...(isSequence && { sequence: true }), ...(id === 'cbor' && { maps: 'object' }) },
    path: place === 'in a document' ? ['items'] : [],
    seed,
  };
  return { payload, value: valueOf(tree) };
}

function bytesOf(id: Id, tree: Tree, sequence: boolean): Uint8Array<ArrayBuffer> {
  const writer = WRITERS[id];
  return writer ? encodeWith(writer, valueOf(tree), { options: sequence ? { sequence } : {} }) : encodeTree(id as 'json', tree, sequence);
}

/** Code paths with a different outcome. */
async function differing(payload: Payload, expected: Outcome): Promise<string[]> {
  const differ: string[] = [];
  for (const route of codePaths) {
    if (route.unfit === payload.id) continue;
    const found = await route.run(payload);
    const wanted = route.isBatches ? batchesOf(expected, payload.path) : expected;
    const where = differs(found, wanted, route);
    if (where !== undefined) differ.push(`${route.name}: ${where}`);
  }
  return differ;
}

function differs(found: Outcome, wanted: Outcome, { form, reading }: CodePath): string | undefined {
  if (found.error !== wanted.error) return `${found.error ?? 'a value'} instead of ${wanted.error ?? 'a value'}`;
  if (wanted.error !== undefined) return undefined;
  return difference(reading ? reading(found.value) : found.value, form ? form(wanted.value) : wanted.value);
}

/** Splits a value into the items of its list and the rest, as batches do. */
function batchesOf(outcome: Outcome, path: readonly string[]): Outcome {
  if (outcome.error !== undefined) return outcome;
  if (path.length === 0) return Array.isArray(outcome.value) ? { value: { items: outcome.value, rest: [] } } : { error: NO_LIST };
  const [key] = path as [string];
  const root = outcome.value as Record<string, unknown>;
  if (typeof root !== 'object' || root === null || !Object.hasOwn(root, key) || !Array.isArray(root[key])) return { error: NO_LIST };
  return { value: { items: root[key], rest: { ...root, [key]: [] } } };
}

const NO_LIST = 'DecodeError no-list ';
