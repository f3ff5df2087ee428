import { describe, expect, it } from 'vitest';
import { createDecoder, type DecodeOptions, defineSchema } from '../../../../main/index.ts';
import { createEncoder } from '../../../../main/encode.ts';

const proto = 'syntax = "proto3"; message Trip { string ride_id = 1; int32 minutes = 2; }';
const trips = defineSchema<{ rideId: string; minutes: number }>({ format: 'protobuf', schema: { proto, message: 'Trip' } });
const trip = { rideId: 'a', minutes: 7 };
const encoder = createEncoder();
const decoder = createDecoder();

describe('defineSchema', () => {
  it('attaches the format to the schema, for decoding and encoding', async () => {
    const bytes = await encoder.encode(trip, { schema: trips });
    expect(await decoder.decode(bytes, { schema: trips })).toEqual(trip);
    expect(await decoder.decode(bytes, { format: 'protobuf', schema: trips })).toEqual(trip);
    expect((await encoder.body(trip, { schema: trips })).type).toBe('application/x-protobuf');
  });

  it('returns a schema that decoders can register by name', async () => {
    const bytes = await encoder.encode(trip, { schema: trips });
    expect(await createDecoder({ schemas: { trips } }).decode(bytes, { schema: 'trips' })).toEqual(trip);
  });

  it("rejects a decode in a format other than the schema's", async () => {
    const options = { format: 'avro', schema: trips } as unknown as DecodeOptions;
    await expect(decoder.decode(Uint8Array.of(0), options)).rejects.toMatchObject({
      name: 'SchemaError',
      message: 'the schema is for protobuf, not avro (avro)',
    });
  });

  it('leaves js-binary types with a field named format unchanged', async () => {
    const schema = { format: 'json', schema: 'string' } as const;
    const bytes = await encoder.encode({ format: [1], schema: 'a' }, { format: 'jsbinary', schema });
    expect(await decoder.decode(bytes, { format: 'jsbinary', schema })).toEqual({ format: [1], schema: 'a' });
  });
});

describe('a response whose Content-Type is JSON', () => {
  const json = (type = 'application/json'): Response => new Response('{"rideId":"a","minutes":7}', { headers: { 'content-type': type } });

  it.each([
    ['a schema with its format', { schema: trips }],
    ['the name of a schema', { schema: 'trips' }],
    ['a schema without a format', { schema: { proto, message: 'Trip' } }],
  ])('decodes as JSON even if the call passes %s', async (_, options) => {
    const own = createDecoder({ schemas: { trips } });
    expect(await own.decode(json(), options as DecodeOptions)).toEqual(trip);
    expect(await own.decode(json('application/problem+json; charset=utf-8'), options as DecodeOptions)).toEqual(trip);
    expect(
      await own.decode(
        new Response(json('application/x-ndjson').body, { headers: { 'content-type': 'application/x-ndjson' } }),
        options as DecodeOptions,
      ),
    ).toEqual([trip]);
  });

  it('decodes in the format that the call names', async () => {
    await expect(decoder.decode(json(), { format: 'protobuf', schema: trips })).rejects.toMatchObject({ name: 'DecodeError', format: 'protobuf' });
  });
});

describe('text passed as a schema', () => {
  it('is refused, and a long name is shortened in the error', async () => {
    const text = `syntax = "proto3"; ${'message Trip { string ride_id = 1; }'.repeat(50)}`;
    await expect(decoder.decode(Uint8Array.of(0), { format: 'protobuf', schema: text })).rejects.toThrow(
      'text given as a schema: pass { proto, message }, or an Avro schema as parsed JSON',
    );
    await expect(decoder.decode(Uint8Array.of(0), { format: 'protobuf', schema: 'n'.repeat(500) })).rejects.toThrow(
      `the schema ${'n'.repeat(60)} is not registered; known: none (protobuf)`,
    );
  });
});
