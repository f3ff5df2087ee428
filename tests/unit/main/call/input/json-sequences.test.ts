/** The names of sequences of JSON, as lines and with the record separator of RFC 7464. */
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../../main/index.ts';
import { decodeSync } from '../../../../../main/sync.ts';
import json from '../../../../../core/formats/json/index.ts';
import { receive, respond } from '../../../../../main/server.ts';

const values = Array.from({ length: 1_600 }, (_, id) => ({ id, text: `text ${id}`, list: [id, null] }));
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
function streamOf(text: string, size = 40_001): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(stream) {
      if (at >= bytes.length) stream.close();
      else stream.enqueue(bytes.slice(at, (at += size)));
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

describe.each([
  ['a number', '12'],
  ['a long number', '1'.repeat(20_000)],
  ['true', 'true'],
  ['null', 'null'],
])('%s at the end of a record, after which white space must follow', (_, scalar) => {
  const decoder = createDecoder();
  const type = 'application/json-seq';
  const response = (body: BodyInit): Response => new Response(body, { headers: { 'content-type': type } });
  const before = { id: 1, list: ['a', 2] };
  const lists = records + '\u001e[1]\n';
  const start = `\u001e${JSON.stringify(before)}\n`;

  test.each([
    ['at the end', `${start}\u001e${scalar}`, [before]],
    ['before another record', `${start}\u001e${scalar}\u001e${JSON.stringify(before)}\n`, [before]],
    ['after a scalar', `${start}\u001e"a"\n\u001e1\n\u001e${scalar}`, [before, 'a', 1]],
    ['in a long sequence', `${lists}\u001e${scalar}\u001e2\n`, [...values, [1]]],
    ['at the end of a long sequence', `${lists}\u001e${scalar}`, [...values, [1]]],
  ])('is an error, and not given: %s', async (_, body, expected) => {
    const error = { code: 'truncated', message: expect.stringContaining('the record may be cut') };
    for (const make of [(): BodyInit => body, (): BodyInit => streamOf(body), (): BodyInit => streamOf(body, body.length > 20_000 ? 1_009 : 3)]) {
      await expect(decoder.decode(response(make()))).rejects.toMatchObject(error);
      await expect(decoder.decode(response(make()), { as: 'rows' })).rejects.toMatchObject(error);
      const items: unknown[] = [];
      const loop = async (): Promise<void> => {
        for await (const batch of decoder.batches(response(make()))) items.push(...batch);
      };
      await expect(loop()).rejects.toMatchObject(error);
      expect(items).toEqual(expected);
    }
    expect(() => decodeSync(json, new TextEncoder().encode(body), { options: { sequence: true } })).toThrow('the record may be cut');
    await expect(receive(new Request('http://localhost/', { method: 'POST', headers: { 'content-type': type }, body }))).rejects.toMatchObject({
      status: 400,
    });
  });

  test('is given with white space after it, and without record separators', async () => {
    const value: unknown = JSON.parse(scalar);
    for (const white of ['\n', ' ', '\t', '\r']) expect(await decoder.decode(response(`\u001e1\n\u001e${scalar}${white}`))).toEqual([1, value]);
    expect(await decoder.decode(response(`\u001e1\n\u001e"${scalar}"`))).toEqual([1, scalar]);
    expect(await decoder.decode(response(`1\n${scalar}`))).toEqual([1, value]);
    expect(await decoder.decode(response(streamOf(`\u001e1\n\u001e${scalar}\n`, 1_001)))).toEqual([1, value]);
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
