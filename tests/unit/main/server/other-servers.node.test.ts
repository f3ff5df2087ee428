/** Answers of servers that negotiate, as `tests/fixtures/servers` has recorded them: see docs/guides/fetching.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDecoder } from './decoders.ts';

interface Recorded {
  readonly answers: readonly { readonly accept: string; readonly type: string; readonly body: string }[];
}

const FOLDER = join(import.meta.dirname, '../../../fixtures/servers');

/** Bytes of the chunks in which a body arrives. */
const CHUNK = 100;

/** The answer of a server in JSON, and its response to a request for another type. */
function recorded(server: string, accept: string): { json: unknown; response: () => Response } {
  const { answers } = JSON.parse(readFileSync(join(FOLDER, `${server}.json`), 'utf8')) as Recorded;
  const { type, body } = answers.find((answer) => answer.accept === accept)!;
  const bytes = Buffer.from(body, type.includes('json') ? 'utf8' : 'base64');
  const chunked = (): ReadableStream<Uint8Array<ArrayBuffer>> =>
    new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += CHUNK) controller.enqueue(new Uint8Array(bytes.subarray(at, at + CHUNK)));
        controller.close();
      },
    });
  const response = (): Response => new Response(chunked(), { headers: { 'Content-Type': type } });
  return { json: JSON.parse(answers[0]!.body), response };
}

/** A value after a round trip through JSON, in which dates are text. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The list of types that a decoder sent when the answers were recorded: the last one. */
function ownAccept(server: string): string {
  const { answers } = JSON.parse(readFileSync(join(FOLDER, `${server}.json`), 'utf8')) as Recorded;
  return answers.at(-1)!.accept;
}

describe('a recorded answer', () => {
  it.each([['elasticsearch'], ['vespa'], ['harper']])('of %s to a request for CBOR has the value of its answer in JSON', async (server) => {
    const { json, response } = recorded(server, 'application/cbor');
    expect(response().headers.get('content-type')).toMatch(/^application\/cbor/);
    expect(asJson(await createDecoder().decode(response()))).toEqual(json);
  });

  it.each([
    ['elasticsearch', 'application/json'],
    ['vespa', 'application/cbor'],
    ['harper', 'application/cbor'],
  ])('of %s to the list of types that a decoder sends is %s', async (server, type) => {
    const { json, response } = recorded(server, ownAccept(server));
    expect(response().headers.get('content-type')).toMatch(new RegExp(`^${type}`));
    expect(asJson(await createDecoder().decode(response()))).toEqual(json);
  });

  it('of Harper has its dates as dates in CBOR', async () => {
    const trips = await createDecoder().decode<{ started: Date }[]>(recorded('harper', 'application/cbor').response());
    expect(trips[1]!.started).toEqual(new Date('2026-01-01T00:00:01Z'));
  });

  it('of Harper to a request for MessagePack has one trip after another, as a list and in batches', async () => {
    const { json, response } = recorded('harper', 'application/x-msgpack');
    const options = { options: { sequence: true } } as const;
    expect(asJson(await createDecoder().decode(response(), options))).toEqual(json);
    const some: unknown[] = [];
    for await (const batch of createDecoder().batches(response(), options)) some.push(...batch);
    expect(asJson(some)).toEqual(json);
  });
});

it('decodes the type of Elasticsearch 8, which has a suffix and a version', async () => {
  const { json, response } = recorded('elasticsearch', 'application/cbor');
  const headers = { 'Content-Type': 'application/vnd.elasticsearch+cbor;compatible-with=8' };
  expect(await createDecoder().decode(new Response(response().body, { headers }))).toEqual(json);
});
