/** The names of sequences of JSON, as lines and with the record separator of RFC 7464. */
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../../main/index.ts';
import { receive, respond } from '../../../../../main/server.ts';

const values = Array.from({ length: 3_000 }, (_, id) => ({ id, text: `text ${id}`, list: [id, null] }));
const lines = values.map((value) => `${JSON.stringify(value)}\n`).join('');
const records = values.map((value) => `\u001e${JSON.stringify(value)}\n`).join('');
const mixed = '\u001e{"a":1}\n\u001e\u001e\n\u001e"b"\n\u001e3\n\u001e[null]\n\u001etrue\n';

const BODIES: readonly [type: string, body: string, expected: unknown[]][] = [
  ['application/x-ndjson', lines, values],
  ['application/ndjson', lines, values],
  ['application/jsonl', lines, values],
  ['application/x-jsonlines; charset=utf-8', lines, values],
  ['application/json-seq', records, values],
  ['application/json-seq', mixed, [{ a: 1 }, 'b', 3, [null], true]],
  ['application/geo+json-seq', records, values],
  ['application/json-seq', '', []],
];

/** A body that arrives in chunks. */
function streamOf(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(stream) {
      if (at >= bytes.length) stream.close();
      else stream.enqueue(bytes.slice(at, (at += 40_001)));
    },
  });
}

describe.each(BODIES)('%s', (type, body, expected) => {
  const decoder = createDecoder();
  const response = (given: BodyInit): Response => new Response(given, { headers: { 'content-type': type } });

  test.each([
    ['a text', (): BodyInit => body],
    ['a stream', (): BodyInit => streamOf(body)],
  ])('is a sequence for decode, rows, batches and a server: %s', async (_, make) => {
    expect(await decoder.decode(response(make()))).toEqual(expected);
    // Lists within the sequence are Rows as well.
    expect(JSON.parse(JSON.stringify(await decoder.decode(response(make()), { as: 'rows' })))).toEqual(expected);
    const items: unknown[] = [];
    for await (const batch of decoder.batches(response(make()))) items.push(...batch);
    expect(items).toEqual(expected);
    let last: unknown = [];
    for await (last of decoder.partial(response(make())));
    expect(last).toEqual(expected);
    const init = { method: 'POST', headers: { 'content-type': type }, body: make(), duplex: 'half' } as RequestInit;
    expect(await receive(new Request('http://localhost/', init))).toEqual(expected);
  });
});

test('a server writes sequences of JSON as lines alone', async () => {
  const answer = async (accept: string): Promise<[number, string | null]> => {
    const { status, headers } = await respond(new Request('http://localhost/', { headers: { accept } }), values);
    return [status, headers.get('content-type')];
  };
  for (const type of ['application/ndjson', 'application/x-jsonlines']) expect(await answer(type)).toEqual([200, type]);
  expect((await answer('application/json-seq'))[0]).toBe(406);
  expect(await answer('application/json-seq, application/json;q=0.1')).toEqual([200, 'application/json']);
});
