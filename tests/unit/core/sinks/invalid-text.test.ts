import { decode as decodeByMsgpack } from '@msgpack/msgpack';
import { afterAll, describe, expect, test } from 'vitest';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import { loadWriter } from '../../../../core/formats/writers.ts';
import type { DecodeOptions } from '../../../../main/call/options/options.ts';
import { createDecoder, DecodeError, type Rows } from '../../../../main/index.ts';
import { createPartial } from '../../../../main/partial.ts';
import { receive } from '../../../../main/server.ts';
import { compileSchema, decodeSync } from '../../../../main/sync.ts';
import { FORMATS, type FormatLine } from '../../../matrix/formats.ts';
import { type Shape, valueFor } from '../../../matrix/shapes.ts';
import fc from '../../../setup/properties/property.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';

/** Text that is written, and whose bytes are then replaced by others. */
const MARK = 'qzwxvkjy';
const encoder = new TextEncoder();
const MARK_BYTES = encoder.encode(MARK);
/** Sia writes shorter strings in another encoding. */
const LONG = 'a'.repeat(90);

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** Bytes as long as the mark, which JSON need not escape. */
const broken = fc
  .array(fc.oneof(fc.constantFrom(0x20, 0x61, 0x7e), fc.integer({ min: 0x80, max: 0xff })), { minLength: MARK.length, maxLength: MARK.length })
  .map((bytes) => Uint8Array.from(bytes));

/** Puts other bytes in place of each mark. */
function damaged(bytes: Uint8Array<ArrayBuffer>, by: Uint8Array): { bytes: Uint8Array<ArrayBuffer>; marks: number } {
  const result = bytes.slice();
  let marks = 0;
  for (let at = 0; at + MARK.length <= bytes.length; at += 1) {
    if (!MARK_BYTES.every((byte, index) => bytes[at + index] === byte)) continue;
    result.set(by, at);
    marks += 1;
  }
  return { bytes: result, marks };
}

type Mode = 'replace' | 'bytes';

/** The value with what becomes of its text. */
function expected(value: unknown, by: Uint8Array, mode: Mode): unknown {
  const replaced = (text: string): string => text.replaceAll(MARK, () => lenient.decode(by));
  if (typeof value === 'string') {
    if (mode === 'replace' || !value.includes(MARK)) return replaced(value);
    const [before = '', after = ''] = value.split(MARK);
    const bytes = Uint8Array.of(...encoder.encode(before), ...by, ...encoder.encode(after));
    try {
      return strict.decode(bytes);
    } catch {
      return bytes;
    }
  }
  if (Array.isArray(value)) return value.map((item) => expected(item, by, mode));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [replaced(key), expected(item, by, mode)]));
}

const texts = (at: number): string => [`${LONG}${MARK}`, `${LONG} fine é`, `${MARK}${LONG}`, ''][at % 4]!;

/** Values with marks in their text, in the terms of the formats. */
const SHAPE: Shape = {
  name: 'marks',
  size: 12,
  isTable: true,
  value: (size) => Array.from({ length: size }, (_, at) => ({ id: at, text: texts(at), none: null })),
  tree: (size) => ({
    text: `${LONG}${MARK}`,
    rows: Array.from({ length: size }, (_, id) => ({ id, name: texts(id), x: id / 7 })),
    texts: Array.from({ length: size }, (_, at) => texts(at)),
  }),
};
const KEYED: Shape = {
  ...SHAPE,
  value: (size) =>
    Array.from({ length: size }, (_, id) => ({ id, [`${LONG}${MARK}${id % 3}`]: [texts(id)], [`${MARK}${LONG}`]: { inner: texts(id + 2) } })),
};

interface Case {
  readonly line: FormatLine;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly value: unknown;
}

async function casesOf(line: FormatLine, size: number): Promise<Case[]> {
  const writer = await loadWriter(line.id, line.writing ?? {});
  const schema = line.schema === undefined ? undefined : await (await loadFormat(line.id)).compileSchema!(line.schema);
  const shapes = line.holds === 'tables' ? [SHAPE] : [SHAPE, KEYED];
  return shapes.flatMap((shape) => {
    const value = valueFor(line, shape, size);
    return value === undefined ? [] : [{ line, value, bytes: encodeWith(writer, value, { options: line.writing ?? {}, schema, format: line.id }) }];
  });
}

const LINES = FORMATS.filter(({ name }) => !name.startsWith('a compressed') && !name.startsWith('packed'));
const MODES: readonly Mode[] = ['replace', 'bytes'];

const decoders = (['page', 'worker'] as const).map((route) => createDecoder({ route, workers: 1, syncBelow: 0, createWorker: localWorker }));
afterAll(() => decoders.forEach((decoder) => decoder.close()));

describe.each(LINES.map((line) => [line.name, line] as const))('text in %s that is not UTF-8', (_, line) => {
  test('is replaced, given as bytes, or an error, wherever it stands', async () => {
    const format = await loadFormat(line.id);
    const schema = line.schema === undefined ? undefined : await compileSchema(format, line.schema);
    for (const { bytes, value } of await casesOf(line, 12)) {
      fc.assert(
        fc.property(broken, (by) => {
          const payload = damaged(bytes, by);
          expect(payload.marks).toBeGreaterThan(3);
          for (const invalidText of MODES) {
            const found = decodeSync(format, payload.bytes, { options: line.options ?? {}, schema, invalidText });
            expect(found).toStrictEqual(expected(value, by, invalidText));
            const partial = createPartial(format, { options: line.options ?? {}, schema, invalidText });
            for (let at = 0; at < payload.bytes.length; at += 37) {
              partial.push(payload.bytes.slice(at, at + 37));
              if (at % 5 === 0) void partial.value;
            }
            expect(partial.finish()).toStrictEqual(found);
          }
        }),
        { numRuns: 30 },
      );
      const { bytes: payload } = damaged(bytes, Uint8Array.of(0x61, 0xff, 0x80, 0xc3, 0x20, 0xe2, 0x82, 0x62));
      for (const invalidText of ['error', undefined] as const) {
        expect(() => decodeSync(format, payload, { options: line.options ?? {}, schema, invalidText })).toThrow('not valid UTF-8');
      }
    }
  });

  test('becomes the same in each form and with each way to decode', async () => {
    const by = Uint8Array.of(0x61, 0xff, 0x80, 0xc3, 0x20, 0xe2, 0x82, 0x62);
    const { options, schema, id: format } = line;
    for (const decoder of decoders) {
      for (const { bytes: whole, value } of await casesOf(line, 40)) {
        const { bytes } = damaged(whole, by);
        for (const invalidText of MODES) {
          const call = { format, options, schema, invalidText } as DecodeOptions;
          const wanted = expected(value, by, invalidText);
          expect(await decoder.decode(bytes, call)).toStrictEqual(wanted);
          expect(await decoder.decode(new Blob([bytes]).stream(), call)).toStrictEqual(wanted);
          const rows = await decoder.decode<Rows>(bytes, { ...call, as: 'rows' } as DecodeOptions);
          expect(plain(rows)).toStrictEqual(wanted);
          await decoder.decode(bytes, { ...call, as: 'columns' } as DecodeOptions);
          if (!Array.isArray(wanted)) continue;
          const items: unknown[] = [];
          for await (const batch of decoder.batches(new Blob([bytes]).stream(), call as object)) items.push(...batch);
          expect(items).toStrictEqual(wanted);
        }
      }
    }
  });
});

/** Rows as objects. */
function plain(value: unknown): unknown {
  if (typeof (value as Rows | null)?.toArray === 'function') return (value as Rows).toArray().map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

const json = (await loadFormat('json')) as Parameters<typeof decodeSync>[0];
const messagepack = (await loadFormat('messagepack')) as Parameters<typeof decodeSync>[0];

/** JSON with random bytes in its strings and between them. */
const jsonBytes = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('{"a":"', '",', '"', '[1,"', '\\u00e9', '\\ud83d', '\\ude00', '\\n', 'x', ']', '}', ':', '\ufeff', '"]'),
      },
      { weight: 4, arbitrary: fc.integer({ min: 0x80, max: 0xff }).map((byte) => Uint8Array.of(byte)) },
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...(typeof part === 'string' ? encoder.encode(part) : part)])));

test('replaced text in JSON is that of the TextDecoder and JSON.parse, whatever the bytes', () => {
  const framed = fc.oneof(
    jsonBytes,
    jsonBytes.map((bytes) => Uint8Array.of(0x5b, 0x22, ...bytes, 0x22, 0x5d)),
  );
  fc.assert(
    fc.property(framed, (bytes) => {
      let wanted: { value: unknown } | undefined;
      try {
        wanted = { value: JSON.parse(new TextDecoder().decode(bytes)) };
      } catch {
        // It is no JSON.
      }
      if (wanted) expect(decodeSync(json, bytes, { invalidText: 'replace' })).toStrictEqual(wanted.value);
      else expect(() => decodeSync(json, bytes, { invalidText: 'replace' })).toThrow(DecodeError);
    }),
    { numRuns: 3000 },
  );
});

test('replaced text in MessagePack is that of @msgpack/msgpack', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 31 }), { maxLength: 8 }), (strings) => {
      const bytes = Uint8Array.of(0x90 + strings.length, ...strings.flatMap((string) => [0xa0 + string.length, ...string]));
      // That library drops a byte order mark in strings that the TextDecoder decodes, which are longer.
      expect(decodeSync(messagepack, bytes, { invalidText: 'replace' })).toStrictEqual(strings.map((string) => lenient.decode(string)));
      const raw = decodeByMsgpack(bytes, { rawStrings: true }) as Uint8Array[];
      const found = decodeSync<(string | Uint8Array)[]>(messagepack, bytes, { invalidText: 'bytes' });
      expect(found.map((item) => (typeof item === 'string' ? encoder.encode(item) : item))).toStrictEqual(raw.map((item) => Uint8Array.from(item)));
    }),
  );
});

test('bytes of a string in JSON are without its escapes', () => {
  const bytes = Uint8Array.of(0x22, 0x5c, 0x6e, 0xff, ...encoder.encode('\\u00e9"'));
  expect(decodeSync(json, bytes, { invalidText: 'bytes' })).toStrictEqual(Uint8Array.of(0x0a, 0xff, 0xc3, 0xa9));
});

test('only the parts that are picked become bytes, and others are no error', async () => {
  const bytes = Uint8Array.from([...encoder.encode('[{"a":"x'), 0xff, ...encoder.encode('","b":"y'), 0xfe, ...encoder.encode('"}]')]);
  expect(decodeSync(json, bytes, { invalidText: 'bytes', pick: ['b'] })).toStrictEqual([{ b: Uint8Array.of(0x79, 0xfe) }]);
  const decoder = createDecoder({ invalidText: 'replace', workers: 1, createWorker: localWorker });
  for (const route of ['page', 'worker'] as const) {
    expect(await decoder.decode(bytes, { format: 'json', pick: ['a'], route })).toStrictEqual([{ a: 'x\ufffd' }]);
    expect(await decoder.decode(bytes, { format: 'json', route })).toStrictEqual([{ a: 'x\ufffd', b: 'y\ufffd' }]);
    await expect(decoder.decode(bytes, { format: 'json', route, invalidText: 'error' })).rejects.toMatchObject({
      code: 'invalid-utf8',
      path: [0, 'a'],
    });
  }
  decoder.close();
});

async function* twice(message: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield message;
  yield message;
}

test('messages, values in part and requests take the option', async () => {
  const bytes = Uint8Array.from([...encoder.encode('{"id":"x'), 0xff, ...encoder.encode('"}')]);
  const packed = Uint8Array.of(0x81, 0xa2, 0x69, 0x64, 0xa2, 0x78, 0xff);
  const wanted = { id: 'x\ufffd' };
  const decoder = createDecoder({ route: 'page' });
  for (const [format, payload] of [
    ['json', bytes],
    ['messagepack', packed],
  ] as const) {
    const options = { format, invalidText: 'replace' } as const;
    const values: unknown[] = [];
    for await (const value of decoder.messages(twice(payload), options)) values.push(value);
    expect(values).toStrictEqual([wanted, wanted]);
    for await (const value of decoder.messages(twice(payload), { ...options, policy: 'latest', key: 'id' })) expect(value).toStrictEqual(wanted);
    let last: unknown;
    for await (const value of decoder.partial(new Blob([payload]).stream(), options)) last = value;
    expect(last).toStrictEqual(wanted);
    const headers = { 'Content-Type': `application/${format === 'json' ? 'json' : 'msgpack'}` };
    const request = (): Request => new Request('http://localhost/', { method: 'POST', headers, body: payload.slice() });
    expect(await receive(request(), { invalidText: 'replace' })).toStrictEqual(wanted);
    await expect(receive(request())).rejects.toMatchObject({ status: 400 });
  }
  decoder.close();
});

test('a value of the option that does not exist, and one with previous, are refused', async () => {
  expect(() => decodeSync(json, encoder.encode('1'), { invalidText: 'replaced' as never })).toThrow('did you mean replace?');
  expect(() => decodeSync(json, encoder.encode('1'), { invalidText: 'replace', previous: undefined })).toThrow(
    'the options invalidText and previous cannot',
  );
  expect(() => createPartial(json, { invalidText: 'byte' as never })).toThrow('invalid option invalidText: byte');
  const decoder = createDecoder({ route: 'page' });
  const bytes = encoder.encode('[1]');
  await expect(decoder.decode(bytes, { format: 'json', invalidText: 'byte' as never })).rejects.toThrow('invalid option invalidText: byte');
  await expect(decoder.decode(bytes, { format: 'json', invalidText: 'bytes', previous: undefined })).rejects.toThrow('invalidText and previous');
  decoder.close();
});

test('text of which a format makes another value is replaced also where bytes are asked for', async () => {
  // A regular expression of BSON: { r: /x<ff>/i }.
  const bson = (await loadFormat('bson')) as Parameters<typeof decodeSync>[0];
  const bytes = Uint8Array.of(13, 0, 0, 0, 0x0b, 0x72, 0, 0x78, 0xff, 0, 0x69, 0, 0);
  expect(decodeSync(bson, bytes, { invalidText: 'bytes' })).toStrictEqual({ r: new RegExp('x\ufffd', 'i') });
});
