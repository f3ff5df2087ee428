import { afterAll, describe, expect, test } from 'vitest';
import { loadWriter } from '../../../../core/formats/writers.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { createDecoder } from '../../../../main/index.ts';
import { encodeSync } from '../../../../main/sync.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';

const MARK = 'qzwxvkjy';
/** Sia writes shorter strings in another encoding. */
const LONG = 'a'.repeat(90);
const decoders = [true, false].map((kernel) => createDecoder({ createWorker: localWorker, route: 'worker', kernel }));
afterAll(() => decoders.forEach((decoder) => decoder.close()));

/** Items of which the first with the mark is at `at`, and what stands after them. */
const LISTS: Record<string, (at: number) => unknown[]> = {
  'in records of two shapes': (at) => [
    ...Array.from({ length: 40 }, (_, id) => ({ id, text: id === at ? LONG + MARK : `${LONG}${id}` })),
    ...Array.from({ length: 40 }, (_, id) => ({ other: id, name: `${LONG}${id}` })),
  ],
  'before items that are not records': (at) => [
    ...Array.from({ length: 40 }, (_, id) => ({ id, text: id === at ? LONG + MARK : `${LONG}${id}` })),
    1,
    [2],
    null,
    'text',
  ],
  'in records of shapes that alternate': (at) =>
    Array.from({ length: 90 }, (_, id) => {
      const text = id === at ? LONG + MARK : `${LONG}${id}`;
      return id % 30 < 10 ? { id, text } : id % 30 < 20 ? { text, id } : { id, text, flag: true };
    }),
};

describe.each(Object.entries(LISTS))('batches in a worker give what comes before an invalid text %s', (_, list) => {
  test.each<FormatId>(['json', 'messagepack', 'cbor', 'bson', 'sia'])('of %s', async (format) => {
    const writer = await loadWriter(format, undefined);
    for (const at of [0, 1, 15, 39]) {
      const items = list(at);
      const bytes = encodeSync(writer as never, { list: items });
      bytes[Buffer.from(bytes).indexOf(MARK)] = 0xff;
      for (const decoder of decoders) {
        for (const as of ['objects', 'rows'] as const) {
          for (const source of [bytes, new Blob([bytes]).stream()]) {
            const found: unknown[] = [];
            const read = async (): Promise<void> => {
              for await (const batch of decoder.batches(source as never, { format, as, path: 'list' })) found.push(...(batch as unknown[]));
            };
            await expect(read()).rejects.toMatchObject({ code: 'invalid-utf8' });
            expect(found).toHaveLength(at);
            expect(JSON.parse(JSON.stringify(found))).toEqual(items.slice(0, at));
          }
        }
      }
    }
  });
});
