import { describe, expect, test } from 'vitest';
import { BUFFER_WAYS, CHUNK_WAYS, chunksOfJson, KINDS, VALUE } from '../../../../setup/ways/chunk-kinds.ts';

/** Makes the buffer of a chunk a detached one. */
function detach<Chunk extends ArrayBuffer | ArrayBufferView<ArrayBuffer>>(chunk: Chunk): Chunk {
  structuredClone(0, { transfer: [ArrayBuffer.isView(chunk) ? chunk.buffer : chunk] });
  return chunk;
}

const DETACHED = { name: 'DecodeError', code: 'detached', message: expect.stringContaining('the buffer is detached') as string };

describe.each(Object.entries(CHUNK_WAYS))('%s', (_, read) => {
  test.each(Object.entries(KINDS))('reads chunks by their bytes: %s', async (__, kind) => {
    expect(await read(chunksOfJson(VALUE).map(kind))).toEqual(VALUE);
  });

  test.each<[string, unknown]>([
    ['an object (Array)', [1, 2]],
    ['an object (Object)', { length: 3 }],
    ['null', null],
    ['7', 7],
  ])('refuses a chunk that is no bytes with a TypeError that names it: %s', async (name, chunk) => {
    const reading = read([...chunksOfJson(VALUE), chunk]);
    await expect(reading).rejects.toThrow(TypeError);
    await expect(reading).rejects.toThrow(`cannot decode ${name}: expected `);
  });

  test('rejects with a DecodeError for a detached buffer', async () => {
    for (const chunk of [new Uint8Array(800), new Uint8Array(8), new ArrayBuffer(8), new DataView(new ArrayBuffer(8))]) {
      await expect(read([...chunksOfJson(VALUE), detach(chunk)])).rejects.toMatchObject(DETACHED);
    }
  });
});

describe.each(Object.entries(BUFFER_WAYS))('%s', (way, read) => {
  test.each(Object.entries(KINDS))('reads a payload by its bytes: %s', async (_, kind) => {
    for (const value of [VALUE[1], { id: 2, text: 'short' }]) expect(await read(kind(chunksOfJson(value, 1)[0]!))).toEqual(value);
  });

  test('rejects with a DecodeError for a detached buffer', async () => {
    for (const buffer of [new Uint8Array(800), new Uint8Array(8), new ArrayBuffer(8)]) {
      await expect(read(detach(buffer)), way).rejects.toMatchObject(DETACHED);
    }
  });
});
