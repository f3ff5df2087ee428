/** Responses of servers that negotiate, written as their documentation says: see docs/guides/fetching.md. */
import { encode } from 'cbor-x';
import { Packr } from 'msgpackr';
import { expect, it } from 'vitest';
import { createDecoder } from './decoders.ts';

const trips = Array.from({ length: 3_000 }, (_, id) => ({ id, station: `Station ${id % 300}`, at: new Date(id * 1000) }));

/** A response with a body of several chunks. */
function answer(type: string, chunks: Iterable<Uint8Array>): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': type } });
}

it('decodes query results of Harper as CBOR: an array of indefinite length (RFC 8949 section 3.2.2)', async () => {
  const items = trips.map((trip) => new Uint8Array(encode(trip)));
  const response = answer('application/cbor', [Uint8Array.of(0x9f), ...items, Uint8Array.of(0xff)]);
  expect(await createDecoder().decode(response)).toEqual(trips);
});

it('decodes query results of Harper as MessagePack: one value after another', async () => {
  const type = 'application/x-msgpack';
  const packr = new Packr({ useRecords: false });
  const chunks = (): Uint8Array[] => trips.map((trip) => new Uint8Array(packr.pack(trip)));
  expect(await createDecoder().decode(answer(type, chunks()), { options: { sequence: true } })).toEqual(trips);
  const some: unknown[] = [];
  for await (const batch of createDecoder().batches(answer(type, chunks()), { options: { sequence: true } })) some.push(...batch);
  expect(some).toEqual(trips);
});

it('decodes a response of Elasticsearch: CBOR with a suffix and a version in its type, and objects of indefinite length', async () => {
  // {_ "took": 5, "hits": {_ "hits": [_ {_ "_id": "1"}]}}
  const bytes = Uint8Array.from(Buffer.from('bf64746f6f6b056468697473bf64686974739fbf635f69646131ffffffff', 'hex'));
  const response = answer('application/vnd.elasticsearch+cbor;compatible-with=8', [bytes]);
  expect(await createDecoder().decode(response)).toEqual({ took: 5, hits: { hits: [{ _id: '1' }] } });
});
