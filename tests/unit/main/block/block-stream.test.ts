import { describe, expect, it } from 'vitest';
import { readBlock } from '../../../../main/block/stream.ts';
import { blockParts, serialiseBlock } from '../../../../core/block/block-file.ts';
import { NetworkError } from '../../../../core/errors.ts';
import { cutStep } from '../../../setup/properties/case-count.ts';
import fc from '../../../setup/properties/property.ts';

/** Parts of lengths that need padding, and an empty part. */
const parts = [5, 0, 64, 1_000, 8].map((length, index) => new Uint8Array(length).fill(index + 1).buffer);
const file = new Uint8Array(serialiseBlock(parts));

/** Body whose chunks have these lengths, in turn; `type` is that of the browser's own bodies. */
function body(bytes: Uint8Array, lengths: readonly number[], type: 'bytes' | undefined, end?: Error): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  const pull = (controller: ReadableByteStreamController | ReadableStreamDefaultController<Uint8Array>): void => {
    if (at < bytes.length) {
      const length = lengths[turn++ % lengths.length]!;
      controller.enqueue(bytes.slice(at, at + length));
      at += length;
    } else if (end) {
      controller.error(end);
    } else {
      controller.close();
      (controller as Partial<ReadableByteStreamController>).byobRequest?.respond(0);
    }
  };
  return type ? new ReadableStream({ type, pull }) : new ReadableStream({ pull });
}

async function read(stream: ReadableStream<Uint8Array>): Promise<ArrayBuffer[]> {
  const found: ArrayBuffer[] = [];
  for await (const part of readBlock(new Response(stream))) found.push(part);
  return found;
}

describe.each(['bytes', undefined] as const)('reader of a serialised block from a stream (%s)', (type) => {
  it('yields the parts for any chunks', async () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const found = await read(body(file, lengths, type));
        expect(found.map((part, index) => new Uint8Array(part, 0, parts[index]!.byteLength))).toEqual(parts.map((part) => new Uint8Array(part)));
      }),
      { numRuns: 100 },
    );
  });

  it('throws if the stream ends early, at any byte', async () => {
    const { offset, length } = blockParts(file.buffer).at(-1)!;
    for (let end = 0; end < offset + length; end += cutStep()) {
      await expect(read(body(file.subarray(0, end), [300], type))).rejects.toThrow('the serialised block is incomplete');
    }
  });

  it('throws if the stream is not a block or has another version', async () => {
    await expect(read(body(new Uint8Array(64), [64], type))).rejects.toThrow('not a serialised block');
    const other = file.slice();
    new Int32Array(other.buffer, 0, 2)[1] = 99;
    await expect(read(body(other, [64], type))).rejects.toThrow('version 99');
    const moved = file.slice();
    new Float64Array(moved.buffer, 16, 1)[0] = 4_096;
    await expect(read(body(moved, [64], type))).rejects.toThrow('not a serialised block');
  });

  it('throws a network error if the connection breaks', async () => {
    const broken = read(body(file.subarray(0, 200), [50], type, new TypeError('reset')));
    await expect(broken).rejects.toThrow(NetworkError);
  });
});
