import { expect, test } from 'vitest';
import type { ResultForm } from '../../main/rows/form.ts';
import { Materialiser } from '../../main/rows/materialise.ts';
import type { Rows } from '../../main/rows/rows.ts';
import { decodeSync } from '../../main/sync.ts';
import json from '../../core/formats/json/index.ts';
import { resolveLimits } from '../../core/limits.ts';
import { reviveCore } from '../../core/reading/revive.ts';
import { RowSink } from '../../core/kernels/row-sink.ts';
import { assertSame, decodeWith } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';
import { kernelOf, KERNELS } from '../setup/kernels/kernels.ts';

/** The documents, which are compared with `JSON.parse`. */
const DOCUMENTS = [
  'amazon_cellphones.ndjson',
  'apache_builds.json',
  'canada.json',
  'citm_catalog.json',
  'github_events.json',
  'gsoc-2018.json',
  'instruments.json',
  'marine_ik.json',
  'mesh.json',
  'numbers.json',
  'random.json',
  'twitter.json',
  'twitterescaped.json',
  'update-center.json',
];

/** Decodes chunks of a size as a worker and a page do. */
async function byColumns(bytes: Uint8Array, options: object, size: number, as: ResultForm, kernel = 'without a kernel'): Promise<unknown> {
  const materialiser = new Materialiser({ as, revive: reviveCore });
  const sink = new RowSink((part) => materialiser.push(structuredClone(part, { transfer: [part] })), resolveLimits(), {}, kernelOf(kernel));
  const reader = json.createReader(sink, options, resolveLimits(), undefined);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.slice(at, at + size));
  reader.end();
  sink.finish();
  return materialiser.done();
}

await describeCorpus('json-documents', (corpus) => {
  test('the corpus is complete', () => {
    expect(corpus.files).toEqual(expect.arrayContaining(DOCUMENTS));
  });

  test.each(DOCUMENTS)('%s decodes to the value of JSON.parse in every way', async (name) => {
    const bytes = await corpus.bytes(name);
    const text = new TextDecoder().decode(bytes);
    const sequence = name.endsWith('.ndjson');
    const options = { sequence };
    const expected: unknown = sequence
      ? text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : JSON.parse(text);
    assertSame(decodeWith(json, bytes, { options }), expected);
    assertSame(decodeSync(json, bytes, { options }), expected);
    for (const size of [65_536, 4099]) {
      const chunkSizes = new Array<number>(Math.floor(bytes.length / size)).fill(size);
      assertSame(decodeWith(json, bytes, { options, chunkSizes }), expected);
      for (const kernel of Object.keys(KERNELS)) assertSame(await byColumns(bytes, options, size, 'objects', kernel), expected);
    }
  });

  test.each(DOCUMENTS)('the rows of %s equal its records', async (name) => {
    const text = new TextDecoder().decode(await corpus.bytes(name));
    const document: unknown = JSON.parse(name.endsWith('.ndjson') ? `[${text.trim().replaceAll('\n', ',')}]` : text);
    // The longest list of records in the document, or a list with the document twice.
    const lists = [...listsOf(document)].filter((list) => list.length > 1 && list.every(isRecord));
    const source = JSON.stringify(lists.toSorted((a, b) => b.length - a.length)[0] ?? [{ document }, { document }]);
    const list = JSON.parse(source) as unknown[];
    for (const kernel of Object.keys(KERNELS)) {
      const rows = (await byColumns(new TextEncoder().encode(source), {}, 65_536, 'rows', kernel)) as Rows;
      expect(rows.length).toBe(list.length);
      assertSame([...rows], list);
      assertSame(rows.at(list.length - 1), list.at(-1));
    }
  });
});

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Every list in a value. */
function* listsOf(value: unknown): Generator<unknown[]> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) yield value as unknown[];
  for (const inner of Object.values(value)) yield* listsOf(inner);
}
