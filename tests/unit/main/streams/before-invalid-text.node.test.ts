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
  'in the records of an inner list': (at) => Array.from({ length: 60 }, (_, id) => ({ id, lines: lines(id, at), end: `${LONG}${id}` })),
  'in the records of the last inner list of a record': (at) =>
    Array.from({ length: 60 }, (_, id) => ({ id, few: lines(id, -1), lines: lines(id, at) })),
  'in the records of a list in an object': (at) => Array.from({ length: 60 }, (_, id) => ({ id, order: { id, lines: lines(id, at), end: true } })),
  'in the records of a list in the records of a list': (at) =>
    Array.from({ length: 60 }, (_, id) => ({
      id,
      orders: [
        { no: 1, lines: lines(id, -1) },
        { no: 2, lines: lines(id, at) },
      ],
      end: true,
    })),
  'in the records of items that are lists': (at) => Array.from({ length: 60 }, (_, id) => lines(id, at)),
  'in the records of inner lists of items that have no common keys': (at) =>
    Array.from({ length: 60 }, (_, id) => ({ [`key ${id}`]: lines(id, at), [`other ${id}`]: 1 })),
  'in the records of inner lists of items of many kinds': (at) =>
    Array.from({ length: 60 }, (_, id) =>
      id % 3 === 0 ? [id, lines(id, at)] : id % 3 === 1 ? { id, lines: lines(id, at) } : { lines: lines(id, at), id },
    ),
};

/** Records of one shape, one of which has the mark if `id` is `at`. */
function lines(id: number, at: number): object[] {
  return Array.from({ length: 3 }, (_, line) => ({ line, text: id === at && line === 1 ? LONG + MARK : `${LONG}${id}-${line}` }));
}

describe.each(Object.entries(LISTS))('batches in a worker give what comes before an invalid text %s', (_, list) => {
  test.each<FormatId>(['json', 'messagepack', 'cbor', 'bson', 'sia'])('of %s', async (format) => {
    const writer = await loadWriter(format, undefined);
    for (const [place, at] of [0, 1, 15, 39].entries()) {
      let turn = place;
      const items = list(at);
      const bytes = encodeSync(writer as never, { list: items });
      bytes[Buffer.from(bytes).indexOf(MARK)] = 0xff;
      for (const decoder of decoders) {
        for (const as of ['objects', 'rows'] as const) {
          // One in two of a buffer, the others of a stream.
          const source = turn++ % 2 === 0 ? bytes : new Blob([bytes]).stream();
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
  });
});
