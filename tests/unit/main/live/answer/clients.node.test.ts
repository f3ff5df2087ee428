import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { parseJsonEventStream, readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from 'ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDecoder } from '../../../../../main/decoder/create-decoder.ts';
import type { AnswerParts, AnswerService } from '../../../../../main/index.ts';
import { streamOf } from './stream-of.ts';

/** A server that answers `/<service>/<kind>/…` with that stream, and `/limited/…` with the error of a service. */
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, service, kind] = request.url!.split('/');
    request.resume();
    if (service === 'limited') {
      response.writeHead(429, { 'content-type': 'application/json' });
      response.end('{"type":"error","error":{"message":"Slow down","type":"rate_limit_error","code":"rate_limit_exceeded"}}');
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streamOf(service as AnswerService, kind as 'value'));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const decoder = createDecoder();
const openai = (path: string): OpenAI => new OpenAI({ apiKey: 'none', baseURL: `${origin}/${path}`, maxRetries: 0 });
const anthropic = (path: string): Anthropic => new Anthropic({ apiKey: 'none', baseURL: `${origin}/${path}`, maxRetries: 0 });
const messages = [{ role: 'user' as const, content: 'Hello' }];

/** The last parts that the library gives of a stream. */
async function parts(service: AnswerService): Promise<AnswerParts> {
  let last!: AnswerParts;
  for await (const value of decoder.partial(await fetch(`${origin}/${service}/calls`), { delta: service, parts: true })) last = value;
  return last;
}

async function value(service: AnswerService): Promise<unknown> {
  let last: unknown;
  for await (const next of decoder.partial(await fetch(`${origin}/${service}/value`), { delta: service })) last = next;
  return last;
}

async function uiMessage(kind: string): Promise<UIMessage> {
  const { body } = await fetch(`${origin}/ai-sdk/${kind}`);
  const stream = parseJsonEventStream({ stream: body!, schema: uiMessageChunkSchema }).pipeThrough(
    new TransformStream<{ success: boolean; value?: unknown }, UIMessageChunk>({
      transform: (chunk, controller) => void (chunk.success && controller.enqueue(chunk.value as UIMessageChunk)),
    }),
  );
  let last!: UIMessage;
  for await (const next of readUIMessageStream({ stream })) last = next;
  return last;
}

describe('an answer equals the one of the official client', () => {
  test('of Chat Completions', async () => {
    const client = openai('openai/calls').chat.completions.stream({ model: 'gpt-5', messages });
    const [{ message, finish_reason: stop }] = (await client.finalChatCompletion()).choices as unknown as [OpenAI.ChatCompletion.Choice];
    const own = await parts('openai');
    expect(own).toMatchObject({ text: message.content, stop, usage: await client.totalUsage() });
    expect(own.calls.map(({ id, name }) => ({ id, name }))).toEqual(
      message.tool_calls!.map((call) => ({ id: call.id, name: call.type === 'function' ? call.function.name : '' })),
    );
    expect(own.calls.map((call) => call.arguments)).toEqual(
      message.tool_calls!.map((call) => JSON.parse(call.type === 'function' ? call.function.arguments : '') as unknown),
    );
    const text = await openai('openai/value').chat.completions.stream({ model: 'gpt-5', messages }).finalContent();
    expect(await value('openai')).toEqual(JSON.parse(text!));
  });

  test('of Responses', async () => {
    const response = await openai('openai-responses/calls').responses.stream({ model: 'gpt-5', input: 'Hello' }).finalResponse();
    const calls = response.output.filter((item) => item.type === 'function_call');
    expect(await parts('openai-responses')).toMatchObject({
      text: response.output_text,
      calls: calls.map((call) => ({ id: call.call_id, name: call.name, arguments: JSON.parse(call.arguments) as unknown, complete: true })),
      usage: response.usage,
      stop: response.status,
    });
    const text = (await openai('openai-responses/value').responses.stream({ model: 'gpt-5', input: 'Hello' }).finalResponse()).output_text;
    expect(await value('openai-responses')).toEqual(JSON.parse(text));
  });

  test('of Messages', async () => {
    const request = { model: 'claude', max_tokens: 1_000, messages };
    const message = await anthropic('anthropic/calls').messages.stream(request).finalMessage();
    const blocks = <Type extends string>(type: Type): Extract<Anthropic.ContentBlock, { type: Type }>[] =>
      message.content.filter((block): block is Extract<Anthropic.ContentBlock, { type: Type }> => block.type === type);
    expect(await parts('anthropic')).toMatchObject({
      text: blocks('text')
        .map((block) => block.text)
        .join(''),
      reasoning: blocks('thinking')
        .map((block) => block.thinking)
        .join(''),
      calls: blocks('tool_use').map(({ id, name, input }) => ({ id, name, arguments: input, complete: true })),
      usage: message.usage,
      stop: message.stop_reason,
    });
    expect(await value('anthropic')).toEqual(JSON.parse(await anthropic('anthropic/value').messages.stream(request).finalText()));
  });

  test('of the AI SDK', async () => {
    const message = await uiMessage('calls');
    const texts = (type: 'text' | 'reasoning'): string => message.parts.map((part) => (part.type === type ? part.text : '')).join('');
    const own = await parts('ai-sdk');
    expect(own).toMatchObject({ text: texts('text'), reasoning: texts('reasoning') });
    expect(own.calls.map((call) => ({ type: `tool-${call.name}`, toolCallId: call.id, input: call.arguments }))).toEqual(
      message.parts.filter((part) => 'toolCallId' in part).map(({ type, toolCallId, input }) => ({ type, toolCallId, input })),
    );
    const text = (await uiMessage('value')).parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(await value('ai-sdk')).toEqual(JSON.parse(text));
  });

  test('with the code and the message of an error', async () => {
    const caught = async (run: () => PromiseLike<unknown>): Promise<unknown> => {
      try {
        return await run();
      } catch (error) {
        return error;
      }
    };
    const own = await caught(async () => decoder.partial(await fetch(`${origin}/limited/x`), { delta: 'openai' }).next());
    const theirs = (await caught(() => openai('limited/x').chat.completions.create({ model: 'gpt-5', messages, stream: true }))) as InstanceType<
      typeof OpenAI.APIError
    >;
    expect(own).toMatchObject({ status: theirs.status, code: theirs.code, message: 'Slow down' });
    expect(theirs.message).toBe('429 Slow down');
    const middle = (await caught(() => openai('openai/error').chat.completions.stream({ model: 'gpt-5', messages }).done())) as InstanceType<
      typeof OpenAI.APIError
    >;
    const ownMiddle = await caught(async () => {
      for await (const part of decoder.partial(await fetch(`${origin}/openai/error`), { delta: 'openai', parts: true }))
        expect(part.stop).toBeUndefined();
    });
    expect(ownMiddle).toMatchObject({ code: middle.code, message: middle.message });
  });
});
