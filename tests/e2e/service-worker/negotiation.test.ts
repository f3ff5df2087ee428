/** A page and a service worker with a server that answers in the format that a request accepts. */
import { describe, expect, it } from 'vitest';
import { Application } from './application.ts';
import { avroSchema, protobufSchema } from './app/schema.js';
import { tripsOf } from './site.ts';

const application = Application.forTests({ isKept: true });

/** Formats by their names in paths: the media type, and the schema of the page. */
const FORMATS: readonly [name: string, type: string, schema?: object][] = [
  ['json', 'application/json'],
  ['messagepack', 'application/vnd.msgpack'],
  ['cbor', 'application/cbor'],
  ['avro', 'application/avro', avroSchema],
  ['protobuf', 'application/x-protobuf', protobufSchema],
];

/** Fetches with the page's decoder. Without `accept`, the decoder sends its own. */
function fetchAccepted(path: string, accept?: string, schema?: object): Promise<[type: string, value: unknown]> {
  return application.page.evaluate(
    async ([url, header, given]) => {
      const response = await decoder.fetch(url, header === undefined ? {} : { headers: { accept: header } });
      const value = await response.decode(given === undefined ? {} : { schema: given });
      return [response.headers.get('content-type')!, value] as [string, unknown];
    },
    [path, accept, schema] as const,
  );
}

describe('a page and a server that negotiate', () => {
  it.each(FORMATS)('speak %s without a service worker', async (name, type, schema) => {
    const accept = `${type}, application/json;q=0.1`;
    for (const rows of [10, 8_000]) {
      expect(await fetchAccepted(`negotiated/${name}?rows=${rows}`, accept, schema)).toEqual([type, tripsOf(rows)]);
    }
  });

  it.each(FORMATS)('speak %s with a service worker, which gives the page JSON', async (name, type) => {
    const accept = `${type}, application/json;q=0.1`;
    expect(await fetchAccepted(`json/negotiated/${name}?rows=8000`, accept)).toEqual(['application/json', tripsOf(8_000)]);
  });

  it.each(FORMATS)('speak %s with a service worker, which gives the page a block', async (name, type) => {
    const accept = `${type}, application/json;q=0.1`;
    const [blockType, value] = await fetchAccepted(`here/block/negotiated/${name}?rows=8000`, accept);
    expect([blockType.split(';', 1)[0], value]).toEqual(['application/vnd.unspool.block', tripsOf(8_000)]);
  });

  it('speak MessagePack by the Accept header of the decoder, and JSON by that of fetch', async () => {
    expect(await fetchAccepted('negotiated/any')).toEqual(['application/vnd.msgpack', tripsOf(100)]);
    expect(await application.fetchJson('negotiated/any')).toEqual({ status: 200, type: 'application/json', value: tripsOf(100) });
  });
});
