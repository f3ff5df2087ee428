import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder, type DecodeOptions } from '../../../../main/index.ts';
import { json, makeRows, openDecoder, pack, rejection } from './support.ts';

const rows = makeRows(2_000);
const packed = pack(rows);
const small = pack(rows.slice(0, 3));
const encoder = new TextEncoder();
const page = encoder.encode(`<!DOCTYPE html>\n<html><body><h1>502 Bad Gateway</h1>${'<p>nginx</p>'.repeat(2_000)}</body></html>`);

interface Case {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  format?: 'json' | 'messagepack';
  limits?: object;
  error: object;
}

/** 2,000 records, the last of which `spoil` damages. */
function spoilt(spoil: (bytes: Uint8Array, last: number) => void): Uint8Array<ArrayBuffer> {
  const bytes = packed.slice();
  // The last record ends with an empty array: …, active, false, "tags", [].
  spoil(bytes, bytes.length - 1);
  return bytes;
}

const cases: Case[] = [
  {
    name: 'truncated MessagePack',
    bytes: packed.slice(0, -3),
    format: 'messagepack',
    error: { name: 'DecodeError', code: 'truncated', format: 'messagepack', path: [1_999] },
  },
  {
    name: 'truncated JSON',
    bytes: json(rows).slice(0, -2),
    format: 'json',
    error: { name: 'DecodeError', code: 'truncated', format: 'json' },
  },
  {
    name: 'corrupted',
    bytes: spoilt((bytes, last) => (bytes[last] = 0xc1)),
    format: 'messagepack',
    error: { name: 'DecodeError', code: 'malformed', format: 'messagepack', offset: packed.length - 1, path: [1_999, 'tags'] },
  },
  {
    name: 'more than one value',
    bytes: new Uint8Array([...pack({ a: 1 }), ...pack({ b: 2 })]),
    error: { name: 'DecodeError', code: 'trailing-bytes', format: 'messagepack', offset: pack({ a: 1 }).length },
  },
  {
    name: 'a count beyond the input',
    bytes: new Uint8Array([0xdd, 0xff, 0xff, 0xff, 0xff, 0x01]),
    error: { format: 'messagepack' },
  },
  {
    name: 'too deep',
    bytes: new Uint8Array(5_000).fill(0x91),
    error: { name: 'LimitError', limit: 'depth', format: 'messagepack', offset: 1_000 },
  },
  {
    name: 'too deep in JSON',
    bytes: encoder.encode('['.repeat(2_000) + ']'.repeat(2_000)),
    error: { name: 'LimitError', limit: 'depth', format: 'json', offset: 1_000 },
  },
  {
    name: 'too many values',
    bytes: pack([1, 2, 3, 4, 5]),
    limits: { values: 4 },
    error: { name: 'LimitError', limit: 'values', format: 'messagepack' },
  },
  {
    name: 'no UTF-8',
    bytes: new Uint8Array([0x81, 0xa1, 0x61, 0xa2, 0x61, 0xff]),
    error: { name: 'DecodeError', code: 'invalid-utf8', format: 'messagepack', offset: 5 },
  },
  {
    name: 'no UTF-8 in JSON',
    bytes: new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
    error: { name: 'DecodeError', code: 'invalid-utf8', format: 'json', offset: 6 },
  },
  {
    name: 'another format',
    bytes: json({ a: [1, 2] }),
    format: 'messagepack',
    error: { name: 'DecodeError', format: 'messagepack' },
  },
  {
    name: 'empty',
    bytes: new Uint8Array(),
    error: { name: 'DecodeError', code: 'empty' },
  },
  {
    name: 'an HTML page where MessagePack was expected',
    bytes: page,
    format: 'messagepack',
    error: { name: 'DecodeError', code: 'malformed', reason: expect.stringMatching(/HTML/), offset: 0, format: 'messagepack' },
  },
  {
    name: 'an HTML page where JSON was expected',
    bytes: page,
    format: 'json',
    error: { name: 'DecodeError', code: 'malformed', reason: expect.stringMatching(/HTML/), format: 'json' },
  },
  {
    name: 'an HTML page where anything was expected',
    bytes: page,
    error: { name: 'DecodeError', code: 'unknown-format', reason: expect.stringMatching(/HTML/) },
  },
  {
    name: 'nothing that is known',
    bytes: encoder.encode('Internal Server Error'),
    error: { name: 'DecodeError', code: 'unknown-format' },
  },
];

describe.each(['page', 'worker'] as const)('invalid input (%s)', (route) => {
  // A shared decoder, which must survive all errors.
  const decoder = createDecoder({ workers: 1 });
  afterAll(() => decoder.close());

  test.each(cases)('rejects with the code and position of the fault: $name', async ({ bytes, format, limits, error }) => {
    const { failed } = decoder.stats();
    const given = bytes.slice();
    const thrown = await rejection(decoder.decode(given, { route, format, limits }));
    expect(thrown).toMatchObject(error);
    expect(['DecodeError', 'LimitError']).toContain(thrown.name);
    expect(thrown.stack).toBeTypeOf('string');
    // The buffer is unchanged, and the decoder still works.
    expect(given.every((byte, at) => byte === bytes[at])).toBe(true);
    expect(await decoder.decode(small, { route })).toEqual(rows.slice(0, 3));
    expect(decoder.stats()).toMatchObject({ crashes: 0, pending: 0, running: 0, failed: failed + 1 });
  });
});

test('the message of an error contains its position in the payload', async () => {
  const decoder = openDecoder();
  const bytes = pack({ trips: [{ name: 'x' }, { name: 'y' }] });
  bytes[bytes.length - 1] = 0xff;
  expect((await rejection(decoder.decode(bytes))).message).toMatch(
    new RegExp(String.raw`\(messagepack, byte ${bytes.length - 1}, at \$\.trips\[1\]\.name\)$`),
  );
});

test('a detached buffer rejects with the code detached', async () => {
  const decoder = openDecoder();
  const bytes = packed.slice();
  const { buffer } = bytes;
  structuredClone(buffer, { transfer: [buffer] });
  for (const source of [bytes, buffer]) {
    for (const route of ['page', 'worker'] as const) {
      await expect(decoder.decode(source, { route })).rejects.toMatchObject({ name: 'DecodeError', code: 'detached' });
    }
  }
});

test('a format that does not exist rejects with a TypeError that lists the known formats', async () => {
  const decoder = openDecoder();
  await expect(decoder.decode(packed, { format: 'xml' as never })).rejects.toMatchObject({
    name: 'TypeError',
    message: expect.stringMatching(/invalid option format: xml; expected one of json, messagepack/),
  });
});

test('missing and unsuitable schemas reject with a SchemaError', async () => {
  const decoder = openDecoder({ schemas: { trip: { format: 'jsbinary', schema: 'nothing' } } });
  await expect(decoder.decode(packed, { schema: 'none' })).rejects.toMatchObject({ name: 'SchemaError', schema: 'none' });
  await expect(decoder.decode(packed, { schema: 'trip', format: 'messagepack' } as unknown as DecodeOptions)).rejects.toMatchObject({
    name: 'SchemaError',
    schema: 'trip',
    format: 'messagepack',
  });
  await expect(decoder.decode(json([]), { schema: 'trip' })).rejects.toMatchObject({ name: 'SchemaError', format: 'jsbinary' });
});

test('options that cannot be cloned reject the call', async () => {
  const decoder = openDecoder();
  const options = { structures: [() => {}] } as never;
  await expect(decoder.decode(packed, { route: 'worker', options })).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(await decoder.decode(packed)).toEqual(rows);
});
