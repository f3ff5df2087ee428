import { describe, expect, test } from 'vitest';
import { LimitError } from '../../../../core/errors.ts';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { EventOptions } from '../../../../main/live/events.ts';
import { EventParser, type StreamEvent } from '../../../../core/messages/event-parser.ts';
import * as fc from '../../../setup/properties/fast-check.ts';
import { cutEvery } from '../../../setup/ways/in-part.ts';

function parse(chunks: Iterable<string | Uint8Array>, longest = 1e6): StreamEvent[] {
  const parser = new EventParser(longest);
  return Array.from(chunks).flatMap((chunk) => [...parser.read(chunk)]);
}

const message = (data: string, more: Partial<StreamEvent> = {}): StreamEvent => ({
  type: 'message',
  data,
  lastEventId: '',
  retry: undefined,
  ...more,
});

describe('an event stream', () => {
  // The examples of https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
  test.each<[string, string, StreamEvent[]]>([
    ['joins the lines of data', 'data: YHOO\ndata: +2\ndata: 10\n\n', [message('YHOO\n+2\n10')]],
    [
      'skips comments, keeps ids, and resets them with an empty id',
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n',
      [message('first event', { lastEventId: '1' }), message('second event'), message(' third event')],
    ],
    ['emits events with empty data, and drops one that the end of the stream cuts off', 'data\n\ndata\ndata\n\ndata:', [message(''), message('\n')]],
    ['removes one space after the colon', 'data:test\n\ndata: test\n\n', [message('test'), message('test')]],
    ['applies a type to one event only', 'event: add\ndata: 1\n\ndata: 2\n\n', [message('1', { type: 'add' }), message('2')]],
    ['forgets the type of an event without data', 'event: add\n\ndata: 2\n\n', [message('2')]],
    ['accepts only digits as a retry', 'retry: 10\ndata: 1\n\nretry: 1x\ndata: 2\n\n', [message('1', { retry: 10 }), message('2', { retry: 10 })]],
    ['ignores an id with a null character', 'id: 1\nid: a\0b\ndata: 1\n\n', [message('1', { lastEventId: '1' })]],
    ['ignores unknown fields and lines without a colon', 'foo: 1\nbar\ndata: 1\n\n', [message('1')]],
    [
      'ends lines with a carriage return, a line feed, or both',
      'data: 1\r\rdata: 2\n\r\ndata: 3\r\n\r\n',
      [message('1'), message('2'), message('3')],
    ],
    ['skips a byte order mark', '\ufeffdata: é😀\n\n', [message('é😀')]],
    ['reads a second byte order mark as part of a field name', '\ufeff\ufeffdata: 1\n\ndata: 2\n\n', [message('2')]],
  ])('%s, in chunks of any size', (_, text, expected) => {
    const bytes = new TextEncoder().encode(text);
    for (let step = 1; step <= 7; step += 1) expect(parse(cutEvery(bytes, step))).toEqual(expected);
    expect(parse([text])).toEqual(expected);
    expect(parse(text)).toEqual(expected);
  });

  test('parses to the same events however its bytes are split', () => {
    const line = fc.constantFrom('data: é', 'data', 'event: x', 'id: 7', ':c', 'retry: 5', '', '', 'data: 😀');
    const end = fc.constantFrom('\n', '\r', '\r\n');
    const stream = fc.array(fc.tuple(line, end)).map((lines) => new TextEncoder().encode(lines.flat().join('')));
    fc.assert(
      fc.property(stream, fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 50 }), (bytes, sizes) => {
        let at = 0;
        const chunks = sizes.map((size) => bytes.subarray(at, (at += size)));
        expect(parse([...chunks, bytes.subarray(at)])).toEqual(parse([bytes]));
      }),
    );
  });

  test('throws a LimitError if the data of an event, or a line, exceeds the limit', () => {
    expect(() => parse(['data: ', 'x'.repeat(200)], 100)).toThrow(LimitError);
    expect(() =>
      parse(
        Array.from({ length: 50 }, () => 'data: xx\n'),
        100,
      ),
    ).toThrow(LimitError);
    expect(
      parse(
        Array.from({ length: 50 }, () => 'data: xx\n\n'),
        100,
      ),
    ).toHaveLength(50);
  });
});

describe('decoder.events', () => {
  const decoder = createDecoder();
  const response = (text: string, type = 'text/event-stream'): Response => new Response(text, { headers: { 'content-type': type } });
  const all = async (...[source, options]: Parameters<typeof decoder.events>): Promise<StreamEvent<unknown>[]> => {
    const events: StreamEvent<unknown>[] = [];
    for await (const event of decoder.events(source, options)) events.push(event);
    return events;
  };

  test('decodes the data of events as JSON, up to the given end marker', async () => {
    expect(await all(response('id: 7\ndata: {"a":\ndata: [1]}\n\ndata: [DONE]\n\ndata: 2\n\n'), { end: '[DONE]' })).toEqual([
      { type: 'message', data: { a: [1] }, lastEventId: '7', retry: undefined },
    ]);
  });

  test('returns the data as text with data: text', async () => {
    expect((await all(response('data: {"a"\n\n'), { data: 'text' }))[0]!.data).toBe('{"a"');
  });

  test('rejects data that is not JSON, and a response of another type', async () => {
    await expect(all(response('data: {"a":x}\n\n'))).rejects.toThrow("expected a value but found 'x' (json, byte 5, at $.a)");
    await expect(all(response('{"error":1}', 'application/json'))).rejects.toThrow('not an event stream: its type is application/json');
    await expect(all(response(''), { data: 'xml' as 'text' })).rejects.toThrow('invalid option data');
    await expect(all(response(''), { limits: { stringLength: Number.NaN } })).rejects.toThrow('invalid option stringLength: NaN');
    expect(decoder.stats().pending).toBe(0);
  });

  test('gives the events before an error in the same chunk first', async () => {
    const cases: readonly [string, EventOptions][] = [
      [`data: ${'x'.repeat(200)}`, { limits: { stringLength: 100 } }],
      ['data: {\n\n', {}],
    ];
    for (const [bad, options] of cases) {
      const taken: unknown[] = [];
      const loop = (async () => {
        for await (const { data } of decoder.events(response(`data: 1\n\ndata: 2\n\n${bad}`), options)) taken.push(data);
      })();
      await expect(loop).rejects.toThrow(Error);
      expect(taken).toEqual([1, 2]);
    }
  });

  test('skips events without data, unless they are given as text', async () => {
    const stream = 'data: 1\n\ndata:\n\nevent: ping\nid: 7\ndata: \n\ndata: 2\n\n';
    expect((await all(response(stream))).map(({ data, lastEventId }) => [data, lastEventId])).toEqual([
      [1, ''],
      [2, '7'],
    ]);
    expect((await all(response(stream), { data: 'text' })).map(({ data }) => data)).toEqual(['1', '', '', '2']);
    expect(await all(response(stream), { end: '' })).toHaveLength(1);
  });

  test('keeps the lone surrogates of a text', async () => {
    const texts = async function* (): AsyncGenerator<string> {
      yield 'data: "a\ud83d';
      yield '\ude00\ud800"\n\n';
    };
    expect((await all(texts()))[0]!.data).toBe('a\ud83d\ude00\ud800');
  });

  test.each<[string, string, object]>([
    ['another type', 'application/json', {}],
    ['an invalid value of an option', 'text/event-stream', { data: 'xml' }],
    ['an option that does not exist', 'text/event-stream', { ends: '' }],
    ['an invalid limit', 'text/event-stream', { limits: { stringLength: -1 } }],
    ['a signal that has aborted', 'text/event-stream', { signal: AbortSignal.abort(new Error('aborted')) }],
  ])('cancels the body that it refuses for %s', async (_, type, options) => {
    let reason: unknown;
    const body = new ReadableStream<Uint8Array>({ cancel: (why) => void (reason = why) });
    const error: unknown = await all(new Response(body, { headers: { 'content-type': type } }), options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(reason).toBe(error);
    expect(decoder.stats().pending).toBe(0);
  });

  test('cancels the response if the loop is left', async () => {
    let reason: unknown;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('data: 1\n\n')),
      cancel: (why) => void (reason = why),
    });
    for await (const { data } of decoder.events(stream)) {
      expect(data).toBe(1);
      break;
    }
    expect(reason).toMatchObject({ name: 'AbortError' });
    expect(decoder.stats().pending).toBe(0);
  });

  test('rejects with the reason of a signal that aborts while it waits', async () => {
    const stop = new AbortController();
    const events = decoder.events(new ReadableStream<Uint8Array>(), { signal: stop.signal });
    const next = events.next();
    await Promise.resolve();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
  });
});
