import json from '../../../core/formats/json/index.ts';
import { createDecoder } from '../../../main/decoder/create-decoder.ts';
import type { DecodeSource } from '../../../main/call/options/options.ts';
import { createEncoder } from '../../../main/encode.ts';
import type { ChunkSource } from '../../../main/live/chunks.ts';
import { createPartial } from '../../../main/partial.ts';
import { decodeSync } from '../../../main/sync.ts';

const decoder = createDecoder();
const encoder = createEncoder();

/** Long strings, which engines decode with a TextDecoder. */
export const VALUE = [
  { id: 0, text: 'é'.repeat(1_000) },
  { id: 1, text: 'x'.repeat(700) },
];

/** The JSON of a value in chunks of whole words of 8 bytes. */
export function chunksOfJson(value: unknown, count = 3): Uint8Array<ArrayBuffer>[] {
  const text = new TextEncoder().encode(JSON.stringify(value));
  const size = Math.ceil(text.length / count / 8) * 8;
  const bytes = new Uint8Array(size * count).fill(0x20);
  bytes.set(text);
  return Array.from({ length: count }, (_, at) => bytes.slice(at * size, at * size + size));
}

/** Makes a buffer of a class with the same bytes. */
function copyInto<Buffer extends ArrayBufferLike>(buffer: Buffer, bytes: Uint8Array): Buffer {
  new Uint8Array(buffer).set(bytes);
  return buffer;
}

/** The class of shared memory, which pages that are not isolated reach by WebAssembly alone. */
const Shared = new WebAssembly.Memory({ initial: 0, maximum: 1, shared: true }).buffer.constructor as SharedArrayBufferConstructor;
const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer;

const shared = (bytes: Uint8Array): SharedArrayBuffer => copyInto(new Shared(bytes.length), bytes);
const resizable = (bytes: Uint8Array): ArrayBuffer => copyInto(new Resizable(bytes.length, { maxByteLength: 2 ** 20 }), bytes);

/** Objects that bytes may be given in. Not every engine has resizable buffers. */
export const KINDS: Readonly<Record<string, (bytes: Uint8Array<ArrayBuffer>) => ArrayBufferLike | ArrayBufferView>> = {
  'a Uint8Array': (bytes) => bytes,
  'a part of a buffer': partOf,
  'an ArrayBuffer': (bytes) => bytes.buffer,
  'a Uint16Array': (bytes) => new Uint16Array(bytes.buffer),
  'a Float64Array': (bytes) => new Float64Array(bytes.buffer),
  'a DataView': (bytes) => new DataView(bytes.buffer),
  'shared memory': shared,
  'a view of shared memory': (bytes) => new Uint8Array(shared(bytes)),
  ...('resizable' in ArrayBuffer.prototype && {
    'a resizable buffer': resizable,
    'a view of a resizable buffer': (bytes: Uint8Array) => new Uint8Array(resizable(bytes)),
  }),
};

function partOf(bytes: Uint8Array): Uint8Array {
  const room = new Uint8Array(bytes.length + 16).fill(0x21);
  room.set(bytes, 8);
  return room.subarray(8, 8 + bytes.length);
}

async function* iterated<T>(chunks: readonly T[]): AsyncGenerator<T, void, undefined> {
  yield* chunks;
}

function streamed<T>(chunks: readonly T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function last(values: AsyncIterable<unknown>): Promise<unknown> {
  let value: unknown;
  for await (value of values);
  return value;
}

/** Ways to read chunks of a list, each to that list. */
export const CHUNK_WAYS: Readonly<Record<string, (chunks: readonly unknown[]) => Promise<unknown>>> = {
  'decode of an iterable': (chunks) => decoder.decode(iterated(chunks) as DecodeSource, { format: 'json' }),
  'decode of a stream': (chunks) => decoder.decode(streamed(chunks) as DecodeSource, { format: 'json' }),
  async batches(chunks) {
    const items: unknown[] = [];
    for await (const batch of decoder.batches(iterated(chunks) as DecodeSource)) items.push(...batch);
    return items;
  },
  growingRows: async (chunks) => (await (await decoder.growingRows(streamed(chunks) as DecodeSource)).done).toArray(),
  partial: (chunks) => last(decoder.partial(iterated(chunks) as ChunkSource, { format: 'json' })),
  async transcode(chunks) {
    // A Response, or another decode, would give its own error for that of the stream.
    const reader = encoder.transcode(streamed(chunks) as DecodeSource, { from: { format: 'json' }, to: { format: 'json' } }).getReader();
    const text = new TextDecoder();
    let written = '';
    for (let read = await reader.read(); !read.done; read = await reader.read()) written += text.decode(read.value, { stream: true });
    return JSON.parse(written) as unknown;
  },
  async createPartial(chunks) {
    const partial = createPartial(json);
    for (const chunk of chunks) partial.push(chunk as Uint8Array);
    return partial.finish();
  },
};

/** Ways to read one buffer with a whole payload. */
export const BUFFER_WAYS: Readonly<Record<string, (bytes: ArrayBufferLike | ArrayBufferView) => Promise<unknown>>> = {
  decode: (bytes) => decoder.decode(bytes),
  'decode with previous': (bytes) => decoder.decode(bytes, { previous: undefined }),
  decodeSync: async (bytes) => decodeSync(json, bytes),
  messages: async (bytes) => (await decoder.messages(iterated([bytes])).next()).value,
  'messages by key': async (bytes) => (await decoder.messages(iterated([bytes]), { policy: 'latest', key: 'id' }).next()).value,
  async events(bytes) {
    const begin = new TextEncoder().encode('data: ');
    const end = new TextEncoder().encode('\n\n');
    return (await decoder.events(iterated([begin, bytes, end]) as ChunkSource).next()).value?.data;
  },
};
