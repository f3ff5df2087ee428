import { describe, expect, test } from 'vitest';
import arrow, { type ArrowOptions } from '../../core/formats/arrow/index.ts';
import { DecodeError, LimitError } from '../../core/errors.ts';
import { assertSame, decodeWith, outcome } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';
import { type ArrowJson, rowsOf } from './arrow-json.ts';

/** Options for values like those of the JSON files, which have 64-bit integers as text. */
const options: ArrowOptions = { int64: 'string', timestamps: 'number', maps: 'map' };

/** Rounds the nanoseconds that the JSON files have as numbers. */
function asJson(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, key === 'nanoseconds' ? { rounded: Number(item) } : asJson(item)]));
}

async function unzipped(bytes: Uint8Array<ArrayBuffer>): Promise<ArrowJson> {
  return (await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).json()) as ArrowJson;
}

await describeCorpus('arrow', (corpus) => {
  const names = corpus.files.filter((file) => file.endsWith('.json.gz')).map((file) => file.slice(0, -'.json.gz'.length));

  describe('integration', () => {
    test.each(names)('%s decodes to the values of its JSON, as a stream and as a file, whole and in chunks', async (name) => {
      const rows = rowsOf(await unzipped(await corpus.bytes(`${name}.json.gz`)));
      for (const extension of ['stream', 'arrow_file']) {
        const bytes = await corpus.bytes(`${name}.${extension}`);
        await arrow.prepare!(bytes);
        assertSame(asJson(decodeWith(arrow, bytes, { options })), rows);
        assertSame(asJson(decodeWith(arrow, bytes, { options, chunkSizes: [3, 100, 700] })), rows);
      }
    });
  });

  test('each hostile stream is an error with a place, or decodes to the same rows in chunks', async () => {
    await arrow.prepare!(new Uint8Array(8).fill(0xff, 0, 5));
    for (const file of corpus.files.filter((path) => path.startsWith('fuzz/'))) {
      const bytes = await corpus.bytes(file);
      const whole = outcome(() => decodeWith(arrow, bytes));
      assertSame(
        outcome(() => decodeWith(arrow, bytes, { chunkSizes: [1, 50, 1000] })),
        whole,
      );
      try {
        decodeWith(arrow, bytes);
      } catch (error) {
        expect(error, file).toSatisfy((thrown) => thrown instanceof DecodeError || thrown instanceof LimitError);
        expect((error as DecodeError).offset, `${file}: ${(error as Error).message}`).toBeTypeOf('number');
      }
    }
  });
});
