import { describe, expect, test } from 'vitest';
import { EventParser } from '../../../../../core/messages/event-parser.ts';
import { createDecoder } from '../../../../../main/decoder/create-decoder.ts';
import type { AnswerParts, AnswerService } from '../../../../../main/index.ts';
import type { PartialDecodeOptions } from '../../../../../main/live/partial.ts';
import { notPrefix } from '../../../../setup/values/prefix.ts';
import { checkParts, checkValues, LIMITS, opener } from './check-cuts.ts';
import { answered, PARTS, SERVICES, VALUE } from './fixtures.ts';
import { streamOf } from './stream-of.ts';

const decoder = createDecoder();

/** All values, and the error after them. */
async function all(source: Response, options: object): Promise<{ values: unknown[]; error?: unknown }> {
  const values: unknown[] = [];
  try {
    for await (const value of decoder.partial(source, options as PartialDecodeOptions)) values.push(value);
  } catch (error) {
    return { values, error };
  }
  return { values };
}

describe('an answer of a service', () => {
  test.each(SERVICES)('of %s is a beginning of its value at every cut', async (service) => {
    await checkValues(service, streamOf(service, 'value'));
  });

  test.each(SERVICES)('of %s has parts that are a beginning of the whole ones at every cut, and that never change', async (service) => {
    await checkParts(service, streamOf(service, 'calls'));
  });

  test.each(SERVICES)('of %s comes as a value and as parts out of a response in chunks of any size', async (service) => {
    for (const size of [1, 7, 64, 1_000, 100_000]) {
      for (const kind of ['value', 'calls'] as const) {
        const bytes = streamOf(service, kind);
        const body = new ReadableStream<Uint8Array>({
          start(controller) {
            for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
            controller.close();
          },
        });
        const { values, error } = await all(answered(body), { delta: service, parts: kind === 'calls' });
        expect(error).toBeUndefined();
        expect(values.at(-1)).toEqual(kind === 'calls' ? PARTS[service] : VALUE);
      }
    }
  });

  test.each(SERVICES)('of %s that ends early is an error after what came before it, at every cut', async (service) => {
    for (const kind of ['value', 'calls'] as const) {
      const bytes = streamOf(service, kind);
      const parts = kind === 'calls';
      const whole = parts ? PARTS[service].text : VALUE;
      for (let cut = 1; cut < bytes.length; cut += 61) {
        const { values, error } = await all(answered(bytes.subarray(0, cut)), { delta: service, parts });
        const last = values.at(-1);
        if (last !== undefined) expect(notPrefix(parts ? (last as AnswerParts).text : last, whole)).toBeUndefined();
        // The last events say nothing that a value needs.
        if (error) expect(error).toMatchObject({ name: 'DecodeError', code: expect.stringMatching(/^(?:truncated|empty)$/) as string });
        else expect(parts ? (last as AnswerParts).stop : last).toEqual(parts ? PARTS[service].stop : VALUE);
      }
    }
  });

  test.each(SERVICES)('of %s that ends after any event has a beginning of the whole at its end, without digits that are missing', async (service) => {
    for (const kind of ['value', 'calls'] as const) {
      const parts = kind === 'calls';
      const open = await opener(service, parts);
      const events = [...new EventParser(LIMITS.stringLength).read(streamOf(service, kind))];
      for (let count = 1; count < events.length; count += 1) {
        const { value, delta } = open();
        for (const event of events.slice(0, count)) value.push(delta!(event) ?? '');
        const before = value.value(Infinity);
        let isWhole = true;
        try {
          value.finish();
        } catch {
          isWhole = false;
        }
        const last = value.value(Infinity);
        if (parts) {
          for (const [at, call] of (last as AnswerParts | undefined)?.calls.entries() ?? []) {
            const whole = PARTS[service].calls[at]!.arguments;
            if (call.complete) expect(call.arguments).toEqual(whole);
            else if (call.arguments !== undefined) expect(notPrefix(call.arguments, whole)).toBeUndefined();
          }
        } else if (isWhole) expect(last).toEqual(VALUE);
        else {
          expect(last).toBe(before);
          if (last !== undefined) expect(notPrefix(last, VALUE)).toBeUndefined();
        }
      }
    }
  });

  test.each<[AnswerService, object]>([
    ['openai', { code: 'server_error', message: 'The server had an error while processing your request', status: undefined }],
    ['openai-responses', { code: 'server_error', message: 'The model failed to generate a response.' }],
    ['anthropic', { code: 'overloaded_error', message: 'Overloaded' }],
    ['gemini', { code: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.', status: 503 }],
    ['ai-sdk', { code: 'unknown', message: 'The provider is not reachable' }],
  ])('of %s that an error ends gives what came before it, then the error of the service', async (service, expected) => {
    const value = await all(answered(streamOf(service, 'error')), { delta: service, label: 'chat' });
    expect(value.error).toMatchObject({ name: 'ServiceError', label: 'chat', ...expected });
    expect(notPrefix(value.values.at(-1), VALUE)).toBeUndefined();
    expect(value.values.at(-1)).toHaveProperty('title');
    const parts = await all(answered(streamOf(service, 'error')), { delta: service, parts: true });
    expect(parts.error).toMatchObject(expected);
    expect((parts.values.at(-1) as AnswerParts).text).toMatch(/^\{"title"/);
  });

  test.each<[string, unknown, number, object]>([
    [
      'OpenAI',
      { error: { message: 'Rate limit reached', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
      429,
      { code: 'rate_limit_exceeded' },
    ],
    [
      'OpenAI without a code',
      { error: { message: 'No quota', type: 'insufficient_quota', code: null } },
      429,
      { code: 'insufficient_quota', message: 'No quota' },
    ],
    ['Azure', { error: { code: '429', message: 'Too many' } }, 429, { code: '429', message: 'Too many' }],
    ['Anthropic', { type: 'error', error: { type: 'rate_limit_error', message: 'Slow down' }, request_id: 'r' }, 429, { code: 'rate_limit_error' }],
    [
      'Gemini',
      [{ error: { code: 429, message: 'Exhausted', status: 'RESOURCE_EXHAUSTED' } }],
      429,
      { code: 'RESOURCE_EXHAUSTED', message: 'Exhausted' },
    ],
    ['OpenRouter', { error: { code: 402, message: 'Pay' } }, 402, { code: '402', message: 'Pay' }],
    ['a server with a text', { error: 'no model' }, 500, { code: 'unknown', message: 'no model' }],
    ['a proxy', '<html>Bad gateway</html>', 502, { code: 'unknown', message: 'HTTP 502: <html>Bad gateway</html>' }],
    ['a proxy without a body', '', 503, { code: 'unknown', message: 'HTTP 503: ' }],
  ])('that fails with a body of %s rejects with its code, message and status', async (_, body, status, expected) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = typeof body === 'string' ? 'text/html' : 'application/json';
    for (const delta of ['openai' as const, () => undefined]) {
      const { values, error } = await all(answered(text, status, type), { delta });
      expect(values).toEqual([]);
      expect(error).toMatchObject({ name: 'ServiceError', status, ...expected });
    }
  });

  test('that is no stream is refused, with the error in it if there is one', async () => {
    const { error } = await all(answered('{"choices":[]}', 200, 'application/json'), { delta: 'openai' });
    expect(error).toMatchObject({
      code: 'unknown-format',
      message: expect.stringContaining('its type is application/json; request a stream') as string,
    });
    const failed = await all(answered('{"error":{"code":"x","message":"y"}}', 200, 'application/json; charset=utf-8'), { delta: 'openai' });
    expect(failed.error).toMatchObject({ name: 'ServiceError', code: 'x', message: 'y', status: undefined });
  });

  test.each(['openai', 'openai-responses'] as const)(
    'of %s that the model refuses is an error as a value, and a part of an answer',
    async (service) => {
      const { error } = await all(answered(streamOf(service, 'refusal')), { delta: service });
      expect(error).toMatchObject({ name: 'ServiceError', code: 'refusal', message: 'I cannot help with that.' });
      const { values } = await all(answered(streamOf(service, 'refusal')), { delta: service, parts: true });
      expect(values.at(-1)).toMatchObject({ text: '', refusal: 'I cannot help with that.', calls: [] });
    },
  );

  test('leaves the arguments in part that the limit of the answer cuts, and completes those that are missing', async () => {
    const chunk = (delta: object, reason: string | null = null): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
    const call = (index: number, text: string, more: object = {}): object => ({
      tool_calls: [{ index, ...more, function: { name: `f${index}`, arguments: text } }],
    });
    const body =
      chunk(call(0, '')) + chunk(call(1, '{"a":[1,2')) + chunk({ tool_calls: [{ index: 2, id: 'c', custom: { name: 'sql', input: 'select' } }] });
    const { values, error } = await all(answered(body + chunk({}, 'length')), { delta: 'openai', parts: true });
    expect(error).toBeUndefined();
    expect(values.at(-1)).toMatchObject({
      stop: 'length',
      calls: [
        { name: 'f0', arguments: {}, complete: true },
        { name: 'f1', arguments: { a: [1] }, complete: false },
        { id: 'c', name: 'sql', arguments: 'select', complete: true },
      ],
    });
    const bad = await all(answered(chunk(call(0, '{"a":1,b}'))), { delta: 'openai', parts: true });
    expect(bad.values.at(-1)).toMatchObject({ calls: [{ arguments: { a: 1 }, complete: false }] });
    expect(bad.error).toMatchObject({ name: 'DecodeError', code: 'malformed' });
  });

  test('reads the first choice alone, and an event that is no JSON is an error', async () => {
    const body = [
      { choices: [{ index: 1, delta: { content: 'no' } }] },
      { choices: [{ index: 0, delta: { content: '[1' } }] },
      { choices: [{ index: 0, delta: { content: ']' }, finish_reason: 'stop' }] },
    ];
    const text = body.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
    expect((await all(answered(text), { delta: 'openai' })).values.at(-1)).toEqual([1]);
    for (const data of ['{"choices":', '1', 'null']) {
      const { error } = await all(answered(`data: ${data}\n\n`), { delta: 'openai' });
      expect(error).toMatchObject({ code: 'malformed', message: expect.stringContaining(`no JSON object: ${data}`) as string });
    }
  });

  test('ends with a limit on a text that is too long, after the part before it', async () => {
    for (const [service, kind] of [
      ['openai', 'calls'],
      ['openai', 'refusal'],
      ['anthropic', 'calls'],
    ] as const) {
      const { values, error } = await all(answered(streamOf(service, kind)), { delta: service, parts: true, limits: { stringLength: 900 } });
      expect(error).toBeUndefined();
      expect(values).not.toEqual([]);
    }
    const piece = `data: {"choices":[{"delta":{"content":"${'x'.repeat(60)}"}}]}\n\n`;
    const { values, error } = await all(answered(piece.repeat(3)), { delta: 'openai', parts: true, limits: { stringLength: 150 } });
    expect(values.at(-1)).toMatchObject({ text: 'x'.repeat(120) });
    expect(error).toMatchObject({ name: 'LimitError', limit: 'stringLength' });
  });

  test('ends when it is aborted in the middle, with the reason', async () => {
    const stop = new AbortController();
    let open!: ReadableStreamDefaultController<Uint8Array>;
    let reason: unknown;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (open = controller), cancel: (why) => void (reason = why) });
    const parts = decoder.partial(answered(body), { delta: 'anthropic', parts: true, signal: stop.signal });
    open.enqueue(streamOf('anthropic', 'calls').subarray(0, 2_000));
    expect((await parts.next()).value).toMatchObject({ stop: undefined });
    const next = parts.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await expect.poll(() => reason).toEqual(new Error('enough'));
    expect(decoder.stats().pending).toBe(0);
  });

  test('refuses services that do not exist, and parts without one', async () => {
    const names = 'openai, openai-responses, anthropic, gemini, ai-sdk';
    for (const delta of ['mistral', 'toString', 5]) {
      const { error } = await all(answered(''), { delta: delta as AnswerService });
      expect(error).toEqual(new TypeError(`invalid option delta: ${delta}; expected a function or one of ${names}`));
    }
    for (const delta of [undefined, () => '']) {
      const { error } = await all(answered(''), { delta, parts: true });
      expect(error).toEqual(new TypeError(`the option parts needs a service: set delta to one of ${names}`));
    }
    expect(decoder.stats().pending).toBe(0);
  });
});
