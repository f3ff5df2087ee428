/** Mistakes that TypeScript would catch, made by callers in plain JavaScript. */
import { afterEach, describe, expect, it } from 'vitest';
import { createDecoder, type Decoder, type DecodeOptions, type DecodeSource } from '../../../../main/index.ts';
import { decodeSync } from '../../../../main/sync.ts';
import json from '../../../../core/formats/json/index.ts';

const decoders: Decoder[] = [];
const bytes = new TextEncoder().encode('[{"a": 1}]');

function make(options: object = {}): Decoder {
  const decoder = createDecoder(options);
  decoders.push(decoder);
  return decoder;
}

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

describe('options of createDecoder', () => {
  it.each([
    [{ workers: -1 }, 'invalid option workers: -1; expected an integer of at least 1'],
    [{ workers: 0 }, 'invalid option workers: 0; expected an integer of at least 1'],
    [{ workers: 2.5 }, 'invalid option workers: 2.5; expected an integer of at least 1'],
    [{ formats: { msgpack: {} } }, /^invalid option formats: msgpack; expected one of json, messagepack, /],
    [{ warm: ['msgpack'] }, /^invalid option warm: msgpack; expected one of json, messagepack, /],
    [{ route: 'main' }, 'invalid option route: main; expected one of auto, page, worker'],
  ])('are rejected with the name of the option and what it takes: %j', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});

describe('options of a call', () => {
  it.each([
    [{ as: 'row' }, 'invalid option as: row; expected one of objects, rows, columns'],
    [{ route: 'main' }, 'invalid option route: main; expected one of auto, page, worker'],
  ])('are rejected with the name of the option and what it takes: %j', async (options, message) => {
    const error = { name: 'TypeError', message };
    await expect(make().decode(bytes, options as DecodeOptions)).rejects.toMatchObject(error);
    await expect(
      make()
        .batches(bytes, options as DecodeOptions)
        .next(),
    ).rejects.toMatchObject(error);
  });

  it('of warm are rejected where a format is unknown', async () => {
    await expect(make().warm(['msgpack' as 'json'])).rejects.toThrow('invalid option warm: msgpack; expected one of json');
  });
});

describe('a source that has no bytes', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a string', '[1]', 'a string'],
    ['a number', 12, '12'],
    ['a promise', Promise.resolve(bytes), 'a Promise (await it first)'],
    ['an array', [1, 2], 'an object (Array)'],
    ['a plain object', {}, 'an object (Object)'],
  ])('is rejected with what it is: %s', async (_, source, kind) => {
    const error = {
      name: 'TypeError',
      message: `cannot decode ${kind}: expected an ArrayBuffer, a view of one, a Blob, a Response or a ReadableStream`,
    };
    const decoder = make();
    await expect(decoder.decode(source as DecodeSource)).rejects.toMatchObject(error);
    await expect(decoder.decode(source as DecodeSource, { as: 'rows' })).rejects.toMatchObject(error);
    await expect(decoder.decode(source as DecodeSource, { compression: 'zstd' })).rejects.toMatchObject(error);
    await expect(decoder.batches(source as DecodeSource).next()).rejects.toMatchObject(error);
    await expect(decoder.rows(source as DecodeSource)).rejects.toMatchObject(error);
    expect(() => decodeSync(json, source as ArrayBuffer)).toThrow(`cannot decode ${kind}: expected an ArrayBuffer or a view of one`);
  });
});
