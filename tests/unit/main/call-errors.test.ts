/** The call that an error names. */
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CallError, DecodeError, EncodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../../../core/errors.ts';
import { createDecoder, type Decoder, type DecoderOptions, type DecodeOptions, type DecodeSource } from '../../../main/index.ts';
import { RequestError } from '../../../main/server/request-error.ts';
import { ValidationError } from '../../../main/validate.ts';
import { localWorker } from '../../setup/stand-ins/local-workers.ts';

const decoders: Decoder[] = [];

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

function open(options: DecoderOptions = {}): Decoder {
  const decoder = createDecoder(options);
  decoders.push(decoder);
  return decoder;
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

/** A response with a URL, as `fetch` gives it. */
function responseAt(url: string, body: BodyInit | null, init: ResponseInit = {}): Response {
  return Object.defineProperty(new Response(body, { headers: { 'content-type': 'application/json' }, ...init }), 'url', { value: url });
}

/** A body that arrives in a later task. */
function late(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(stream) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      stream.enqueue(utf8(text));
      stream.close();
    },
  });
}

async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => 'no error',
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CallError);
  return error as CallError;
}

async function eachOf(values: AsyncIterable<unknown>): Promise<void> {
  for await (const value of values) void value;
}

const URL = 'https://example.org/trips';
const BROKEN = '[{"a":1},{"a":tru}]';
const schema = z.object({ a: z.string() });

describe('an error', () => {
  const ways: Record<string, (decoder: Decoder) => Promise<unknown>> = {
    'a buffer': function findCaller(decoder) {
      return decoder.decode(utf8(BROKEN), { format: 'messagepack' });
    },
    'a response': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, BROKEN));
    },
    'a response that arrives late': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, late(BROKEN)));
    },
    'rows on the page': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, late(BROKEN)), { as: 'rows' });
    },
    'rows of a worker': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, late(BROKEN)), { as: 'rows', route: 'worker' });
    },
    'a limit': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, late('[[[1]]]')), { limits: { depth: 2 } });
    },
    'a time limit': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, new ReadableStream()), { timeout: 1 });
    },
    batches: function findCaller(decoder) {
      return eachOf(decoder.batches(responseAt(URL, late(BROKEN))));
    },
    'batches of a worker': function findCaller(decoder) {
      return eachOf(decoder.batches(responseAt(URL, late(BROKEN)), { as: 'rows', route: 'worker' }));
    },
    'rows that grow': async function findCaller(decoder) {
      await (
        await decoder.growingRows(responseAt(URL, late(BROKEN)))
      ).done;
    },
    'a value in part': function findCaller(decoder) {
      return eachOf(decoder.partial(responseAt(URL, late(BROKEN))));
    },
    events: function findCaller(decoder) {
      return eachOf(decoder.events(responseAt(URL, late('data: {"a":tru}\n\n'), { headers: { 'content-type': 'text/event-stream' } })));
    },
    messages: function findCaller(decoder) {
      return eachOf(decoder.messages(new Blob([BROKEN]).stream(), { format: 'json' }));
    },
    'a value that is not valid': function findCaller(decoder) {
      return decoder.decode(responseAt(URL, late('{"a":1}')), { validate: schema });
    },
    'batches with items that are not valid': function findCaller(decoder) {
      return eachOf(decoder.batches(responseAt(URL, late('[{"a":1}]')), { validate: schema }));
    },
  };

  test.each(Object.keys(ways))('names the function that called, and the URL: %s', async (way) => {
    const error = await errorOf(ways[way]!(open({ createWorker: localWorker })));
    expect(error.stack).toContain('findCaller');
    // A frame is there once.
    const frames = error.stack!.split('\n');
    expect(new Set(frames).size).toBe(frames.length);
    if (way !== 'a buffer' && way !== 'messages') expect(error.url).toBe(URL);
  });

  test('names the function that called a method of a response of decoder.fetch', async () => {
    const decoder = open();
    const response = await decoder.fetch(`data:application/json,${BROKEN}`);
    function findCaller(): Promise<unknown> {
      return response.json();
    }
    expect((await errorOf(findCaller())).stack).toContain('findCaller');
  });

  test('begins its stack with its name and message in engines whose stacks have them', async () => {
    const error = await errorOf(open().decode(responseAt(URL, BROKEN)));
    if (/^ +at /m.test(new Error('engine').stack!)) expect(error.stack).toMatch(/^DecodeError: .*\(json, byte 17, at \$\[1\]\.a\)\n +at /);
  });

  test('has the label of its call', async () => {
    const decoder = open();
    const call = (source: DecodeSource, options: DecodeOptions): Promise<CallError> => errorOf(decoder.decode(source, options));
    expect(await call(utf8('[1'), { label: 'trips' })).toMatchObject({ label: 'trips', url: undefined });
    expect(await call(responseAt(URL, '[1'), { label: 'trips' })).toMatchObject({ label: 'trips', url: URL });
    expect('label' in (await call(responseAt(URL, '[1'), {}))).toBe(false);
    expect(await call(responseAt(URL, '{"a":1}'), { label: 'trips', validate: schema } as DecodeOptions)).toMatchObject({ label: 'trips', url: URL });
  });

  test('has at most 200 characters of a data: URL', async () => {
    const url = `data:application/json,[${'1,'.repeat(1000)}`;
    expect((await errorOf(open().decode(responseAt(url, '[1,')))).url).toBe(url.slice(0, 200));
  });

  test('of one dead worker is one of each of its calls', async () => {
    const createWorker = (): Worker => {
      const worker = localWorker();
      setTimeout(() => worker.onerror?.(Object.assign(new Event('error', { cancelable: true }), { message: 'gone' }) as ErrorEvent), 5);
      return worker;
    };
    const decoder = open({ createWorker, workers: 1 });
    const endless: ReadableStream<Uint8Array<ArrayBuffer>> = new ReadableStream({
      start: (stream) => stream.enqueue(utf8(`[${'{"a":1},'.repeat(20)}`)),
    });
    const [one, other] = endless.tee();
    const calls = Object.entries({ a: one, b: other }).map(([name, body]) =>
      errorOf(decoder.decode(responseAt(`${URL}/${name}`, body), { route: 'worker', as: 'rows' })),
    );
    expect((await Promise.all(calls)).map(({ name, url }) => [name, url])).toEqual([
      ['WorkerCrashError', `${URL}/a`],
      ['WorkerCrashError', `${URL}/b`],
    ]);
  });

  test('of a schema that two calls compile at once is one of each', async () => {
    const decoder = open({ schemas: { trip: { format: 'avro', schema: 'no type' } } });
    const calls = ['a', 'b'].map((name) =>
      errorOf(decoder.decode(responseAt(`${URL}/${name}`, new Uint8Array([2])), { format: 'avro', schema: 'trip' })),
    );
    expect((await Promise.all(calls)).map(({ name, url }) => [name, url])).toEqual([
      ['SchemaError', `${URL}/a`],
      ['SchemaError', `${URL}/b`],
    ]);
  });

  test("that is a signal's reason stays as the application made it", async () => {
    const reason = new TypeError('enough');
    const { stack } = reason;
    const aborted = open().decode(responseAt(URL, new ReadableStream()), { signal: AbortSignal.abort(reason) });
    await expect(aborted).rejects.toBe(reason);
    const controller = new AbortController();
    const aborting = open().decode(responseAt(URL, new ReadableStream()), { signal: controller.signal });
    controller.abort(reason);
    await expect(aborting).rejects.toBe(reason);
    expect(reason.stack).toBe(stack);
  });

  test('that cannot be changed still rejects the call', async () => {
    const error = Object.freeze(new TypeError('frozen'));
    const broken = new ReadableStream({ pull: (stream) => stream.error(error) });
    await expect(open().decode(broken, { format: 'json' })).rejects.toBeInstanceOf(Error);
  });
});

describe('JSON.stringify', () => {
  const errors = [
    new DecodeError('malformed', 'no value', { format: 'json', offset: 3, path: ['a', 1] }),
    new EncodeError('unsupported', 'no symbols', { path: ['a'] }),
    new LimitError('depth', 'too deep', { offset: 3 }),
    new SchemaError('no schema', 'trip'),
    new NetworkError('broken off', 5),
    new TimeoutError('too late'),
    new WorkerCrashError('gone'),
    new ValidationError([{ path: ['a'], message: 'no text' }]),
    new RequestError(400, 'no JSON'),
  ];

  test.each(errors)('writes name, code and message of $name', (error) => {
    const { name, message, code } = error;
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name, message, code });
  });

  test('writes the place and the call of an error', async () => {
    const error = await errorOf(open().decode(responseAt(URL, BROKEN), { label: 'trips' }));
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'DecodeError',
      code: 'malformed',
      message: error.message,
      reason: (error as DecodeError).reason,
      format: 'json',
      offset: 17,
      path: [1, 'a'],
      url: URL,
      label: 'trips',
    });
  });
});

describe('an error of a failed response', () => {
  const TEXT = { 'content-type': 'text/plain' };
  const BODY = '{"error":"slow down"}';

  const failed = (body: BodyInit | null, headers: HeadersInit = TEXT): Response => new Response(body, { status: 429, headers });

  test.each<[string, DecodeOptions]>([
    ['messagepack', { format: 'messagepack' }],
    ['cbor', { format: 'cbor' }],
    ['bson', { format: 'bson' }],
    ['arrow', { format: 'arrow' }],
    ['sia', { format: 'sia' }],
    ['protobuf', { format: 'protobuf', schema: { proto: 'syntax="proto3"; message M { repeated string a = 1; }', message: 'M' } as never }],
    ['avro', { format: 'avro', schema: { type: 'array', items: 'string' } as never }],
  ])('shows a short body: %s', async (_, options) => {
    for (const as of ['objects', 'rows'] as const) {
      expect((await errorOf(open().decode(failed(BODY), { ...options, as }))).message).toMatch(/^HTTP 429: \{"error":"slow down"\}; /);
    }
    expect((await errorOf(eachOf(open().batches(failed(BODY), options)))).message).toMatch(/^HTTP 429: \{"error":"slow down"\}; /);
  });

  test.each<[string, (decoder: Decoder, response: Response) => Promise<unknown>]>([
    ['decode', (decoder, response) => decoder.decode(response)],
    ['batches', (decoder, response) => eachOf(decoder.batches(response))],
    ['partial', (decoder, response) => eachOf(decoder.partial(response))],
    ['events', (decoder, response) => eachOf(decoder.events(response))],
  ])('shows text, once and in one line: %s', async (_, call) => {
    const { message } = await errorOf(call(open(), failed('Too many\nrequests\n')));
    expect(message).toMatch(/^HTTP 429: Too many requests; /);
    expect(message).not.toMatch(/Too many.*Too many|begins with|empty/);
  });

  test('shows the first 200 characters of a long text', async () => {
    const { message } = await errorOf(open().decode(failed('no '.repeat(500))));
    expect(message).toMatch(/^HTTP 429: (?:no ){66}no… ?; unknown format/);
  });

  test('shows the status alone for a body that is no text', async () => {
    const { message } = await errorOf(open().decode(failed(new Uint8Array([0xc1, 0, 1, 2])), { format: 'messagepack' }));
    expect(message).toMatch(/^HTTP 429: (?!.*(?:\0|;))/);
  });

  test('is no error if the body is a value, for decode and partial', async () => {
    const json = { 'content-type': 'application/json' };
    expect(await open().decode(failed(BODY, json))).toEqual({ error: 'slow down' });
    const values: unknown[] = [];
    for await (const value of open().partial(failed(BODY, json))) values.push(value);
    expect(values.at(-1)).toEqual({ error: 'slow down' });
  });

  test('says that the payload is empty only if it is', async () => {
    const { message } = await errorOf(eachOf(open().partial(failed(null))));
    expect(message).toBe('HTTP 429: the payload is empty (json, byte 0)');
  });
});
