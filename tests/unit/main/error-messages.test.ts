/** Wording and length of the most common error messages. */
import { Packr } from 'msgpackr';
import { afterEach, describe, expect, test } from 'vitest';
import { createDecoder, type Decoder, type DecoderOptions, type DecodeOptions } from '../../../main/index.ts';

const decoders: Decoder[] = [];

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

async function message(bytes: Uint8Array | string, options: DecodeOptions = {}, own: DecoderOptions = {}): Promise<string> {
  const decoder = createDecoder(own);
  decoders.push(decoder);
  const source = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes);
  return decoder.decode(source, options).then(
    () => 'no error',
    (error: Error) => error.message,
  );
}

describe('error message', () => {
  test('names the registered schemas if a schema name is unknown', async () => {
    const schema = { format: 'avro', schema: 'int' } as const;
    expect(await message('', { format: 'avro', schema: 'tripp' }, { schemas: { trip: schema, station: schema } })).toBe(
      'the schema tripp is not registered; known: trip, station (avro)',
    );
    expect(await message('', { format: 'avro', schema: 'trip' })).toBe('the schema trip is not registered; known: none (avro)');
    expect(await message('\u0008\u0001', { schema: 'tripp' }, { schemas: { trip: schema } })).toBe('the schema tripp is not registered; known: trip');
  });

  test.each([{}, { format: 'json' }] as const)('names the status of a failed response without a body, with the options %o', async (options) => {
    const decoder = createDecoder();
    decoders.push(decoder);
    const response = new Response(null, { status: 404, statusText: 'Not Found', headers: { 'Content-Type': 'application/json' } });
    await expect(decoder.decode(response, options)).rejects.toThrow('HTTP 404: the payload is empty (byte 0)');
  });

  test.each([
    ['page not found', 'unknown format (byte 0)'],
    ['<!doctype html><title>404</title>', 'the payload is an HTML or XML document (byte 0)'],
  ])('begins with the status and the body of a failed response: %s', async (body, reason) => {
    const decoder = createDecoder();
    decoders.push(decoder);
    const failed = new Response(body, { status: 404, statusText: 'Not Found', headers: { 'Content-Type': 'text/plain' } });
    await expect(decoder.decode(failed)).rejects.toThrow(`HTTP 404: ${body}; ${reason}`);
  });

  test("suggests the option structures for msgpackr's shared structures", async () => {
    const packr = new Packr({ structures: [] });
    packr.pack({ a: 1, b: 2 });
    expect(await message(packr.pack({ a: 1, b: 2 }), { format: 'messagepack' })).toBe(
      'unexpected bytes after the value; if msgpackr wrote it with shared structures, set the option structures (messagepack, byte 1)',
    );
  });

  test('suggests the option sequence for newline-delimited JSON', async () => {
    expect(await message('{"a": 1}\n{"a": 2}\n', { format: 'json' })).toBe(
      "expected the end of the input after the value but found '{'; for newline-delimited JSON, set the option sequence: true (json, byte 9)",
    );
  });

  test.each(['json', 'messagepack', 'cbor', 'bson'] as const)('quotes the beginning of a text received instead of %s', async (format) => {
    expect(await message('Internal Server Error: no upstream is available', { format })).toContain(
      'the payload begins with the text "Internal Server Error: no upstream is av…"',
    );
  });

  test('shows the first bytes if the format is unknown', async () => {
    expect(await message('upstream timed out')).toBe('unknown format: the payload begins with "upstream timed out"; set the option format (byte 0)');
    expect(await message(Uint8Array.of(0xc1, 0, 0xff, 0xfe))).toBe(
      'unknown format: the payload begins with c1 00 ff fe; set the option format (byte 0)',
    );
  });

  test('abbreviates the middle of a long path', async () => {
    const text = await message('{"a":'.repeat(1_001), { format: 'json' });
    expect(text).toBe('depth limit exceeded (1000) (json, byte 5000, at $.a.a.a.a.a.a … 988 more … .a.a.a.a.a.a)');
    const decoder = createDecoder();
    decoders.push(decoder);
    const error: unknown = await decoder
      .decode(new TextEncoder().encode('{"a":'.repeat(1_001)), { format: 'json' })
      .catch((reason: unknown) => reason);
    expect((error as { path: string[] }).path).toHaveLength(1_000);
  });

  test('truncates a long key', async () => {
    expect((await message(`{"${'k'.repeat(5_000)}": ?}`, { format: 'json' })).length).toBeLessThan(200);
  });

  test.each(['objects', 'rows'] as const)('mentions invalid UTF-8 once, as %s', async (as) => {
    const bytes = Uint8Array.of(0x81, 0xa1, 0x61, 0xa1, 0xff);
    expect(await message(bytes, { format: 'messagepack', as })).toBe('a string is not valid UTF-8 (messagepack, byte 4, at $.a)');
  });
});
