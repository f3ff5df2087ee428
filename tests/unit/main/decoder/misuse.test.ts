/** Mistakes that TypeScript catches, made by callers in plain JavaScript. */
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

describe('createDecoder', () => {
  it.each([
    [{ workers: -1 }, 'invalid option workers: -1; expected an integer of at least 1'],
    [{ workers: 0 }, 'invalid option workers: 0; expected an integer of at least 1'],
    [{ workers: 2.5 }, 'invalid option workers: 2.5; expected an integer of at least 1'],
    [{ formatOptions: { msgpack: {} } }, /^invalid option formatOptions: msgpack; expected one of json, messagepack, /],
    [{ route: 'main' }, 'invalid option route: main; expected one of auto, page, worker'],
    [{ threads: 2 }, /^unknown option threads; expected one of workers, createWorker, .*keepBodies$/],
    [{ limits: { dept: 2 } }, 'unknown limit dept; expected one of bytes, depth, values, stringLength, binaryLength, expansion'],
    [{ schemas: { trip: { format: 'proto', schema: {} } } }, /^invalid option schemas\.trip\.format: proto; expected one of json, messagepack, /],
  ])('rejects invalid options with their name and valid values: %j', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});

describe('decoder', () => {
  it.each([
    [{ as: 'row' }, 'invalid option as: row; expected one of objects, rows, columns'],
    [{ route: 'main' }, 'invalid option route: main; expected one of auto, page, worker'],
    [{ optons: {} }, expect.stringMatching(/^unknown option optons; expected one of format, options, schema, /) as string],
    [{ rows: 100 }, expect.stringMatching(/^unknown option rows; .* batchSize/) as string],
    [{ limits: { inputLength: 2 } }, 'unknown limit inputLength; expected one of bytes, depth, values, stringLength, binaryLength, expansion'],
    [{ format: 'xml' }, expect.stringMatching(/^invalid option format: xml; expected one of json, messagepack, /) as string],
  ])('rejects invalid options of a call with their name and valid values: %j', async (options, message) => {
    const error = { name: 'TypeError', message };
    await expect(make().decode(bytes, options as DecodeOptions)).rejects.toMatchObject(error);
    await expect(
      make()
        .batches(bytes, options as DecodeOptions)
        .next(),
    ).rejects.toMatchObject(error);
  });

  it('rejects an unknown format in preload', async () => {
    await expect(make().preload(['msgpack' as 'json'])).rejects.toThrow('invalid option preload: msgpack; expected one of json');
  });
});

describe('decoder', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a string', '[1]', 'a string'],
    ['a number', 12, '12'],
    ['a promise', Promise.resolve(bytes), 'a Promise (await it first)'],
    ['an array', [1, 2], 'an object (Array)'],
    ['a plain object', {}, 'an object (Object)'],
  ])('rejects a source without bytes with its kind: %s', async (_, source, kind) => {
    const error = {
      name: 'TypeError',
      message: `cannot decode ${kind}: expected bytes, a Blob, a Response, or a stream or iterator of bytes`,
    };
    const decoder = make();
    await expect(decoder.decode(source as DecodeSource)).rejects.toMatchObject(error);
    await expect(decoder.decode(source as DecodeSource, { as: 'rows' })).rejects.toMatchObject(error);
    await expect(decoder.decode(source as DecodeSource, { compression: 'zstd' })).rejects.toMatchObject(error);
    await expect(decoder.batches(source as DecodeSource).next()).rejects.toMatchObject(error);
    await expect(decoder.growingRows(source as DecodeSource)).rejects.toMatchObject(error);
    expect(() => decodeSync(json, source as ArrayBuffer)).toThrow(`cannot decode ${kind}: expected an ArrayBuffer or a view of one`);
  });
});
