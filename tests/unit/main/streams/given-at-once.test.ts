/** Items of a list are given when they are complete, though nothing follows yet. */
import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder, type BatchOptions, type FormatId } from '../../../../main/index.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';
import { hex } from '../../../setup/values/hex.ts';

const decoder = createDecoder({ createWorker: localWorker });
afterAll(() => decoder.close());

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Chunks of a list whose first three have an item each. */
const CHUNKS: [name: string, format: FormatId, options: object, chunks: Uint8Array[]][] = [
  ['a JSON array', 'json', {}, ['[{"a":1}', ',{"a":2}', ',{"a":3}', ']'].map(utf8)],
  ['a JSON array with white space', 'json', {}, ['[ {"a":1} ', '\n, {"a":2}', ' ,{"a":3}\n', ']\n'].map(utf8)],
  ['JSON lines', 'json', { sequence: true }, ['{"a":1}\n', '{"a":2}\n', '{"a":3}\n', ''].map(utf8)],
  ['a MessagePack array', 'messagepack', {}, ['94 81 a1 61 01', '81 a1 61 02', '81 a1 61 03', '81 a1 61 04'].map(hex)],
  ['a CBOR array of indefinite length', 'cbor', {}, ['9f a1 61 61 01', 'a1 61 61 02', 'a1 61 61 03', 'ff'].map(hex)],
];

/** A source that gives a chunk when it is told to. */
function source(): { stream: ReadableStream<Uint8Array>; give: (chunk: Uint8Array) => void; end: () => void } {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) });
  return { stream, give: (chunk) => controller.enqueue(chunk), end: () => controller.close() };
}

describe.each(CHUNKS)('the items of %s', (_, format, options, chunks) => {
  test.each(['page', 'worker'] as const)('are given at once as batches: on the route %s', async (route) => {
    for (const as of ['objects', 'rows'] as const) {
      const { stream, give, end } = source();
      const batches = decoder.batches(stream as never, { format, options, route, as } as BatchOptions);
      for (const [at, chunk] of chunks.slice(0, 3).entries()) {
        give(chunk);
        const { value } = await batches.next();
        expect([...(value as Iterable<unknown>)]).toEqual([{ a: at + 1 }]);
      }
      if (chunks[3]!.length > 0) give(chunks[3]!);
      end();
      for await (const rest of batches) expect(rest).toHaveLength(1);
    }
  });

  test.each(['page', 'worker'] as const)('are given at once as growing rows: on the route %s', async (route) => {
    const { stream, give, end } = source();
    give(chunks[0]!);
    const rows = await decoder.growingRows<{ a: number }>(stream as never, { format, options, route } as object);
    expect(rows.toArray()).toEqual([{ a: 1 }]);
    for (const [at, chunk] of chunks.slice(1, 3).entries()) {
      give(chunk);
      await expect.poll(() => rows.length).toBe(at + 2);
    }
    if (chunks[3]!.length > 0) give(chunks[3]!);
    end();
    await rows.done;
    expect(rows.at(2)).toEqual({ a: 3 });
  });
});

test.each(['page', 'worker'] as const)(
  'a number that the input ends with, whose other digits may be missing, is no item: on the route %s',
  async (route) => {
    for (const [text, path] of [
      ['[1,2,12', [2]],
      ['[1,2,-1.5e3', [2]],
      ['[1,{"a":12', [1, 'a']],
    ] as const) {
      const { stream, give, end } = source();
      give(utf8(text));
      end();
      const items: unknown[] = [];
      const reading = (async () => {
        for await (const batch of decoder.batches(stream as never, { format: 'json', route } as BatchOptions)) items.push(...(batch as unknown[]));
      })();
      await expect(reading).rejects.toMatchObject({ code: 'truncated', offset: text.length, path });
      expect(items).toEqual(text.includes('{') ? [1] : [1, 2]);
    }
  },
);
