import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { acceptOf, SAFELISTED } from '../../../../core/formats/accept.ts';
import avroEncoder from '../../../../core/formats/avro/writer.ts';
import { FORMATS } from '../../../../core/formats/registry.ts';
import { createDecoder, type Decoder, type DecoderOptions, MEDIA_TYPES } from '../../../../main/index.ts';
import { compileSchema, encodeSync } from '../../../../main/sync.ts';

const JSON_AND_OTHERS = 'application/json;q=0.9, */*;q=0.5';
const trips = { format: 'avro', schema: { type: 'array', items: 'int' } } as const;
const proto = { format: 'protobuf', schema: { proto: 'syntax = "proto3"; message Trip { int32 id = 1; }', message: 'Trip' } } as const;

/** Answers with `[1, 2]` in Avro, with the media type in the query, and with the `Accept` header of the request. */
let server: Server;
let origin = '';
const decoders: Decoder[] = [];

beforeAll(async () => {
  const bytes = encodeSync(avroEncoder, [1, 2], { schema: await compileSchema(avroEncoder, trips.schema) });
  server = createServer((request, response) => {
    const type = new URL(request.url!, origin).searchParams.get('type');
    response.writeHead(200, { 'Content-Type': type ?? 'application/avro', 'X-Accept': request.headers.accept ?? '' });
    response.end(type === 'application/json' ? '[3]' : bytes);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());
afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

function make(options: DecoderOptions = {}): Decoder {
  const decoder = createDecoder(options);
  decoders.push(decoder);
  return decoder;
}

describe('Accept', () => {
  test('names the formats that need no schema, and fits into a request to another origin', () => {
    const { accept } = make();
    expect(accept).toBe(`application/vnd.msgpack, application/cbor, application/bson, application/x-sia, ${JSON_AND_OTHERS}`);
    expect(accept.length).toBeLessThanOrEqual(SAFELISTED);
  });

  test('names the formats of registered schemas first, and keeps the others', () => {
    const { accept } = make({ schemas: { trips, proto } });
    expect(accept).toBe(`application/avro, application/x-protobuf, ${make().accept}`);
    expect(acceptOf(['avro', 'protobuf', 'messagepack', 'cbor', 'bson', 'sia'], SAFELISTED)).toBe(
      `application/avro, application/x-protobuf, application/vnd.msgpack, application/cbor, ${JSON_AND_OTHERS}`,
    );
  });

  test('asks for the format of a schema at its URLs only', async () => {
    const decoder = make({ schemas: { trips: { ...trips, urls: /\/trips\/|[?]type=/ } } });
    for (const [path, isOffered] of [
      ['/trips/1', true],
      ['/trips', false],
      ['/stations', false],
      ['/all?type=a', true],
    ] as const) {
      const response = await decoder.fetch(origin + path);
      expect(response.headers.get('X-Accept')!.startsWith('application/avro, ')).toBe(isOffered);
    }
  });
});

describe('a registered schema', () => {
  test('is used for the responses of its URLs and media types', async () => {
    const decoder = make({
      schemas: { proto: { ...proto, urls: /\/trips$/ }, trips: { ...trips, urls: /\/trips$/, mediaTypes: ['application/vnd.trips'] } },
    });
    expect(await (await decoder.fetch(`${origin}/trips`)).json()).toEqual([1, 2]);
    expect(await (await decoder.fetch(`${origin}/any?type=application/vnd.trips;%20v=1`)).json()).toEqual([1, 2]);
    expect(await decoder.decode(await fetch(`${origin}/trips`))).toEqual([1, 2]);
    await expect(decoder.decode(await fetch(`${origin}/stations`))).rejects.toThrow();
  });

  test('is left aside for JSON, and for a format or a schema that the call names', async () => {
    const decoder = make({ schemas: { trips: { ...trips, urls: /./ }, others: { format: 'avro', schema: { type: 'array', items: 'long' } } } });
    expect(await (await decoder.fetch(`${origin}/trips?type=application/json`)).json()).toEqual([3]);
    expect(await (await decoder.fetch(`${origin}/trips`)).json({ schema: 'others' })).toEqual([1, 2]);
    await expect((await decoder.fetch(`${origin}/trips`)).json({ format: 'cbor' })).rejects.toMatchObject({ format: 'cbor' });
  });

  test('is checked for misspelled options', () => {
    expect(() => make({ schemas: { trips: { ...trips, url: /./ } as never } })).toThrow('unknown option url; did you mean urls? ');
  });
});

test('the documents list the media types of each format', () => {
  const text = readFileSync('docs/reference/formats.md', 'utf8');
  const rows = [...text.matchAll(/^[|] `(\w+)` [|] (`[+\w/.-]+`(?:, `[+\w/.-]+`)*) [|]$/gm)];
  expect(Object.fromEntries(rows.map(([, id, types]) => [id, types!.replaceAll('`', '').split(', ')]))).toEqual(MEDIA_TYPES);
  expect(Object.keys(MEDIA_TYPES)).toEqual(FORMATS.map(({ id }) => id));
});
