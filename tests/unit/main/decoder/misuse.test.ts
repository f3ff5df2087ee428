/** Mistakes that TypeScript catches, made by callers in plain JavaScript. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createDecoder, type Decoder, type DecodeOptions, type DecodeSource } from '../../../../main/index.ts';
import { createEncoder } from '../../../../main/encode.ts';
import { createPartial } from '../../../../main/partial.ts';
import { decodeSync, encodeSync } from '../../../../main/sync.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborEncoder from '../../../../core/formats/cbor/writer.ts';
import json from '../../../../core/formats/json/index.ts';
import jsonEncoder from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackEncoder from '../../../../core/formats/messagepack/writer.ts';

const decoders: Decoder[] = [];
const bytes = new TextEncoder().encode('[{"a": 1}]');

function make(options: object = {}): Decoder {
  const decoder = createDecoder(options);
  decoders.push(decoder);
  return decoder;
}

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
  vi.unstubAllGlobals();
});

describe('a payload of a format that needs a schema', () => {
  const schemas = { trips: { format: 'protobuf', schema: { proto: 'syntax = "proto3"; message A {}', message: 'A' } } } as const;

  it('names the registered schema of its format, and where its responses are said', async () => {
    const message = "a schema is required: set the option schema to 'trips', or schemas.trips.urls";
    await expect(make({ schemas }).decode(bytes, { format: 'protobuf' })).rejects.toThrow(message);
    const response = new Response(bytes, { headers: { 'Content-Type': 'application/x-protobuf' } });
    await expect(make({ schemas }).decode(response)).rejects.toThrow(message);
    await expect(make({ schemas }).decode(bytes, { format: 'bebop' })).rejects.toThrow('a schema is required: set the option schema (bebop)');
  });
});

describe('createDecoder', () => {
  it.each([
    [{ workers: -1 }, 'invalid option workers: -1; expected an integer of at least 1'],
    [{ workers: 0 }, 'invalid option workers: 0; expected an integer of at least 1'],
    [{ workers: 2.5 }, 'invalid option workers: 2.5; expected an integer of at least 1'],
    [{ formatOptions: { msgpack: {} } }, /^invalid option formatOptions: msgpack; expected one of json, messagepack, /],
    [{ route: 'main' }, 'invalid option route: main; expected one of auto, page, worker'],
    [{ threads: 2 }, /^unknown option threads; expected one of workers, createWorker, .*keepBodies$/],
    [{ limits: { depth: Number.NaN } }, 'invalid option depth: NaN'],
    [{ limits: { bytes: -1 } }, 'invalid option bytes: -1'],
    [{ limits: { dept: 2 } }, 'unknown limit dept; did you mean depth? expected one of bytes, depth, values, stringLength, binaryLength, expansion'],
    [
      { schemas: { trip: { format: 'proto', schema: {} } } },
      /^invalid option schemas\.trip\.format: proto; did you mean protobuf\? expected one of json, messagepack, /,
    ],
  ])('rejects invalid options with their name and valid values: %j', (options, message) => {
    expect(() => make(options)).toThrow(message);
  });
});

describe('decoder', () => {
  it.each([
    [{ as: 'row' }, 'invalid option as: row; did you mean rows? expected one of objects, rows, columns'],
    [{ route: 'main' }, 'invalid option route: main; expected one of auto, page, worker'],
    [{ optons: {} }, expect.stringMatching(/^unknown option optons; did you mean options\? expected one of format, options, schema, /) as string],
    [{ rows: 100 }, expect.stringMatching(/^unknown option rows; .* batchSize/) as string],
    [{ limits: { inputLength: 2 } }, 'unknown limit inputLength; expected one of bytes, depth, values, stringLength, binaryLength, expansion'],
    [{ format: 'bsn' }, expect.stringMatching(/^invalid option format: bsn; did you mean bson\? /) as string],
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

  it('rejects unknown options of a format, and unknown values', async () => {
    const invalid = {
      name: 'TypeError',
      message: 'invalid format option int64: bigints; did you mean bigint? expected one of auto, number, bigint, string',
    };
    for (const [format, packed] of [
      ['messagepack', Uint8Array.of(0x93, 1, 2, 3)],
      ['cbor', Uint8Array.of(0x83, 1, 2, 3)],
    ] as const) {
      await expect(make().decode(packed, { format, options: { map: 'map' } as object })).rejects.toMatchObject({
        name: 'TypeError',
        message: expect.stringMatching(/^unknown format option map; did you mean maps\? expected one of /) as string,
      });
      await expect(make({ formatOptions: { [format]: { int64: 'bigints' } } }).decode(packed, { format })).rejects.toMatchObject(invalid);
      await expect(make({ syncBelow: 0 }).decode(packed, { format, options: { int64: 'bigints' } as never })).rejects.toMatchObject(invalid);
      await expect(
        make()
          .batches(packed, { format, options: { int64: 'bigints' } as never })
          .next(),
      ).rejects.toMatchObject(invalid);
    }
    await expect(make().decode(bytes, { options: { bigint: 'bigint' } as object })).rejects.toThrow(
      'unknown format option bigint; did you mean bigints? expected one of bigints, sequence, ranges',
    );
    const list = Uint8Array.of(0x83, 1, 2, 3);
    expect(() => decodeSync(cbor, list, { options: { maps: 'maps' as 'map' } })).toThrow(
      'invalid format option maps: maps; did you mean map? expected one of auto, object, map',
    );
    expect(await make().decode(list, { format: 'cbor', options: { maps: undefined } })).toEqual([1, 2, 3]);
  });

  it.each<[unknown, object, string]>([
    [cbor, { packedValues: true }, 'packedValues: true; expected an array'],
    [cbor, { structures: 3 }, 'structures: 3; expected an array'],
    [messagepack, { structures: 'shared' }, 'structures: shared; expected an array'],
    [messagepack, { valueExtensions: 1 }, 'valueExtensions: 1; expected an array'],
  ])('rejects an option for reading whose value is of another type: %#', (format, options, message) => {
    expect(() => decodeSync(format as typeof cbor, Uint8Array.of(0x80), { options })).toThrow(`invalid format option ${message}`);
  });

  it.each<[unknown, object, string | undefined]>([
    [cborEncoder, { packedValues: true }, 'packedValues: true; expected an array'],
    [cborEncoder, { extensions: {} }, 'extensions: [object Object]; expected an array'],
    [cborEncoder, { records: 'all' }, 'records: all; expected true, false or a function'],
    [cborEncoder, { getStructures: [] }, 'getStructures: ; expected a function'],
    [cborEncoder, { maxSharedStructures: 'many' }, 'maxSharedStructures: many; expected a number from 0 on'],
    [messagepackEncoder, { skipValues: 0 }, 'skipValues: 0; expected an array'],
    [messagepackEncoder, { saveStructures: true }, 'saveStructures: true; expected a function'],
    [messagepackEncoder, { onInvalidDate: null, extensions: null }, undefined],
  ])('rejects an option for writing whose value is of another type: %#', (encoder, options, message) => {
    const encode = (): Uint8Array => encodeSync(encoder as typeof cborEncoder, [], { options });
    if (message === undefined) expect(encode()).toHaveLength(1);
    else expect(encode).toThrow(`invalid format option ${message}`);
  });

  it('writes packed values with missing entries', () => {
    // oxlint-disable-next-line no-sparse-arrays -- Numbers that other values had.
    const packedValues = [, 'a'] as string[];
    const bytes = encodeSync(cborEncoder, ['a', 'b'], { options: { packedValues } });
    expect(decodeSync(cbor, bytes, { options: { packedValues } })).toEqual(['a', 'b']);
  });

  it('rejects a route to workers where there are none, and says what to do', async () => {
    vi.stubGlobal('Worker', undefined);
    const error = { name: 'TypeError', message: expect.stringMatching(/^invalid option route: worker; there are no workers here: /) as string };
    await expect(make().decode(bytes, { route: 'worker' })).rejects.toMatchObject(error);
    await expect(make({ route: 'worker' }).decode(new Blob([bytes]))).rejects.toMatchObject(error);
    await expect(make().batches(bytes, { route: 'worker' }).next()).rejects.toMatchObject(error);
    expect(await make().decode(bytes)).toEqual([{ a: 1 }]);
  });

  it('rejects invalid options of fetch before the request', async () => {
    await expect(make().fetch('/trips', { as: 'row' as 'rows' })).rejects.toThrow('invalid option as: row; did you mean rows? ');
    await expect(make().fetch('/trips', { format: 'jsonn' as 'json' })).rejects.toThrow('invalid option format: jsonn; did you mean json? ');
  });

  it('rejects the text of a schema, and says what to pass', async () => {
    const error = {
      name: 'SchemaError',
      message: expect.stringMatching(/^text given as a schema: pass \{ proto, message \}/) as string,
    };
    await expect(make().decode(bytes, { format: 'protobuf', schema: 'syntax = "proto3"; message Trip {}' })).rejects.toMatchObject(error);
    await expect(make().decode(bytes, { format: 'avro', schema: '{ "type": "array", "items": "int" }' })).rejects.toMatchObject(error);
    await expect(createEncoder().encode({}, { schema: 'message Trip {}' })).rejects.toMatchObject(error);
  });

  it('rejects an unknown format in preload', async () => {
    await expect(make().preload(['msgpack' as 'json'])).rejects.toThrow('invalid option preload: msgpack; expected one of json');
  });
});

describe('decoder.messages, events and partial', () => {
  type Calls = Readonly<
    Record<'messages' | 'events' | 'partial', (source: ReadableStream<string>, options: object) => AsyncGenerator<unknown, void>>
  >;
  const empty = (): ReadableStream<string> => new Blob([]).stream().pipeThrough(new TextDecoderStream());

  it.each([
    ['messages', { polcy: 'drop' }, 'unknown option polcy; did you mean policy? expected one of format, options, '],
    ['messages', { data: 'text' }, 'unknown option data; expected one of format, options, '],
    ['messages', { as: 'row' }, 'invalid option as: row; did you mean rows? '],
    ['events', { dta: 'text' }, 'unknown option dta; did you mean data? expected one of data, end, '],
    ['events', { data: 'text', limits: { stringLengths: 5 } }, 'unknown limit stringLengths; did you mean stringLength? '],
    ['partial', { delt: () => '' }, 'unknown option delt; did you mean delta? expected one of format, options, '],
    ['partial', { as: 'rows' }, 'unknown option as; expected one of format, options, '],
  ] as const)('%s rejects invalid options with their name and valid ones: %j', async (name, options, message) => {
    const decoder = make();
    const onError = vi.fn();
    const given = name === 'messages' ? { ...options, onError } : options;
    await expect((decoder as Calls)[name](empty(), given).next()).rejects.toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining(message) as string,
    });
    expect(onError).not.toHaveBeenCalled();
    expect(decoder.stats().pending).toBe(0);
  });

  it.each([
    ['messages', { format: 'json', options: {}, schema: undefined, as: 'objects', limits: {}, reviveTag: undefined, signal: undefined, label: 'a' }],
    ['messages', { policy: 'latest', key: 'a', limit: 1, limitBytes: 1, batch: true, onError: undefined, counts: {} }],
    ['events', { data: 'text', end: 'end', limits: {}, signal: undefined, label: 'a', stallTimeout: 60_000 }],
    ['partial', { format: 'json', options: {}, schema: undefined, limits: {}, reviveTag: undefined, signal: undefined, label: 'a' }],
    ['partial', { numbers: 'growing', prose: true, delta: () => '{}', stallTimeout: 60_000 }],
  ] as const)('%s takes each of its options: %j', async (name, options) => {
    const text = name === 'messages' ? '{"a":1}' : 'data: 1\n\n';
    const source = name === 'partial' && !('delta' in options) ? '1' : text;
    const values: unknown[] = [];
    const stream = new Blob([source]).stream().pipeThrough(new TextDecoderStream());
    for await (const value of (make() as Calls)[name](stream, options)) values.push(value);
    expect(values).not.toHaveLength(0);
  });

  it('createPartial rejects invalid options with their name and valid ones', () => {
    expect(() => createPartial(json, { number: 'growing' } as never)).toThrow(
      'unknown option number; did you mean numbers? expected one of options, ',
    );
    expect(() => createPartial(json, { limits: { dept: 1 } } as never)).toThrow('unknown limit dept; did you mean depth? ');
  });
});

describe('encoder', () => {
  const missing = "no format given: pass { format: 'json' } or another format, or a schema with its format";

  it('says that a format is missing', async () => {
    const encoder = createEncoder();
    await expect(encoder.body([1], undefined as never)).rejects.toThrow(missing);
    await expect(encoder.encode([1], {} as never)).rejects.toThrow(missing);
    await expect(
      encoder
        .stream([1], undefined as never)
        .getReader()
        .read(),
    ).rejects.toThrow(missing);
    await expect(encoder.encode([1], { schema: 'trip' })).rejects.toThrow('the schema trip is not registered; known: none');
  });

  it('rejects unknown options with the nearest name', async () => {
    await expect(createEncoder({ schema: {} } as never).encode(1, { format: 'json' })).rejects.toThrow(
      'unknown option schema; did you mean schemas? expected one of formatOptions, ',
    );
    await expect(createEncoder({ limits: { dept: 1 } } as never).encode(1, { format: 'json' })).rejects.toThrow(
      'unknown limit dept; did you mean depth? ',
    );
    await expect(createEncoder({ formatOptions: { jsn: {} } } as never).encode(1, { format: 'json' })).rejects.toThrow(
      'invalid option formatOptions: jsn; did you mean json? ',
    );
    await expect(createEncoder().encode([1], { format: 'json', shema: 'trip' } as never)).rejects.toThrow(
      'unknown option shema; did you mean schema? ',
    );
  });
});

describe('encoder.messages', () => {
  it('rejects unknown options with the nearest name, and takes its own', async () => {
    const written = async (options: object): Promise<unknown> => {
      const { readable, writable } = createEncoder().messages({ format: 'json', ...options });
      const writer = writable.getWriter();
      await Promise.all([writer.write(1), readable.getReader().read()]);
      return undefined;
    };
    await expect(written({ txt: true })).rejects.toThrow('unknown option txt; did you mean text? expected one of format, schema, ');
    await expect(written({ limitBytes: 1 })).rejects.toThrow('unknown option limitBytes; expected one of format, schema, ');
    await expect(written({ text: true, options: {}, schema: undefined, signal: undefined, onProgress: undefined })).resolves.toBeUndefined();
  });
});

describe('encoders', () => {
  it('reject unknown options of a format, and unknown values', async () => {
    await expect(createEncoder().encode([1], { format: 'cbor', options: { date: 'text' } as object })).rejects.toThrow(
      'unknown format option date; did you mean dates? expected one of ',
    );
    await expect(createEncoder({ formatOptions: { json: { maps: 'map' as 'object' } } }).encode([1], { format: 'json' })).rejects.toThrow(
      'invalid format option maps: map; expected one of empty, object, entries',
    );
    expect(() => encodeSync(jsonEncoder, [1], { options: { bytes: 'hex' as 'base64' } })).toThrow(
      'invalid format option bytes: hex; expected one of object, base64, base64url',
    );
  });
});

describe('decodeSync and encodeSync', () => {
  it('reject unknown options with the nearest name', () => {
    expect(() => decodeSync(json, bytes, { option: {} } as never)).toThrow('unknown option option; did you mean options? expected one of options, ');
    expect(() => decodeSync(json, bytes, { limits: { value: 1 } } as never)).toThrow('unknown limit value; did you mean values? ');
    expect(() => encodeSync(jsonEncoder, [1], { shema: {} } as never)).toThrow('unknown option shema; did you mean schema? ');
  });
});

describe('decoder', () => {
  it.each<[string, unknown, string]>([
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a string', '[1]', 'a string (use TextEncoder)'],
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
