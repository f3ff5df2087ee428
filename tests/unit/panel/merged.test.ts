import { describe, expect, test } from 'vitest';
import { mergeEvents } from '../../../devtools-extension/reading/merged/merge-events.ts';
import { mergeKindOf } from '../../../devtools-extension/reading/merged/merge-kind.ts';
import type { MergedEvents } from '../../../devtools-extension/reading/protocol.ts';

function merged(...events: (object | string)[]): Promise<MergedEvents> {
  const texts = events.map((event) => (typeof event === 'string' ? event : JSON.stringify(event)));
  return mergeEvents(mergeKindOf(texts[0]!)!, texts);
}

describe('the answers of language models', () => {
  test.each([
    ['openai', [{ choices: [{ delta: { content: 'Oak' } }] }, { choices: [{ delta: { content: ' St' }, finish_reason: 'stop' }] }, '[DONE]']],
    [
      'openai-responses',
      [
        { type: 'response.created' },
        { type: 'response.output_text.delta', delta: 'Oak' },
        { type: 'response.output_text.delta', delta: ' St' },
        { type: 'response.completed', response: { status: 'completed' } },
      ],
    ],
    [
      'anthropic',
      [
        { type: 'message_start', message: {} },
        { type: 'content_block_delta', index: 0, delta: { text: 'Oak' } },
        { type: 'content_block_delta', delta: { text: ' St' } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      ],
    ],
    [
      'gemini',
      [
        { candidates: [{ content: { parts: [{ text: 'Oak' }] } }] },
        { candidates: [{ content: { parts: [{ text: ' St' }] }, finishReason: 'STOP' }] },
      ],
    ],
    ['ai-sdk', [{ type: 'start' }, { type: 'text-delta', delta: 'Oak' }, { type: 'text-delta', delta: ' St' }, { type: 'finish' }]],
  ])('of %s are merged to their text', async (kind, events) => {
    expect(mergeKindOf(JSON.stringify(events[0]))).toBe(kind);
    const { text, end } = await merged(...events);
    expect(text).toBe('Oak St');
    expect(end).not.toBe('');
    expect((await merged(...events.slice(0, 1))).end).toBe('');
  });

  test('have the arguments of calls so far, and the error of an event', async () => {
    const call = { index: 0, id: 'a', function: { name: 'find', arguments: '{"station":"Oa' } };
    expect((await merged({ choices: [{ delta: { tool_calls: [call] } }] })).calls).toEqual(['find({\n  "station": "Oa"\n})']);
    const failed = await merged({ choices: [{ delta: { content: 'Oak' } }] }, { error: { message: 'overloaded' } });
    expect([failed.text, failed.problem]).toEqual(['Oak', 'overloaded']);
  });
});

describe('results of GraphQL in parts', () => {
  const first = { data: { bike: { id: 1, trips: [{ n: 1 }] } }, hasNext: true };
  test.each([
    [
      'paths',
      [
        {
          incremental: [
            { path: ['bike'], data: { name: 'Oak' } },
            { path: ['bike', 'trips', 1], items: [{ n: 2 }] },
          ],
          hasNext: true,
        },
        { incremental: [{ path: ['bike', 'trips', 0], data: { end: 'Elm' } }], hasNext: false },
      ],
    ],
    [
      'ids',
      [
        {
          pending: [
            { id: '0', path: ['bike'] },
            { id: '1', path: ['bike', 'trips'] },
          ],
          incremental: [
            { id: '0', data: { name: 'Oak' } },
            { id: '1', items: [{ n: 2 }] },
          ],
          hasNext: true,
        },
        { incremental: [{ id: '0', subPath: ['trips', 0], data: { end: 'Elm' } }], completed: [{ id: '0' }], hasNext: false },
      ],
    ],
  ])('are patched by %s', async (_, later) => {
    const { text, end } = await merged(first, ...later);
    expect(JSON.parse(text)).toEqual({ data: { bike: { id: 1, name: 'Oak', trips: [{ n: 1, end: 'Elm' }, { n: 2 }] } } });
    expect(end).toBe('complete');
    expect((await merged(first)).end).toBe('');
  });

  test('leave out parts whose place is unknown, and keep errors', async () => {
    const { text } = await merged(
      first,
      { incremental: [{ path: ['none', 3], data: { a: 1 }, errors: [{ message: 'x' }] }, { id: 9, items: [1] }, 7], hasNext: false },
      'no JSON',
    );
    expect(JSON.parse(text)).toEqual({ data: first.data, errors: [{ message: 'x' }] });
  });

  test('define no property of a prototype', async () => {
    const { text } = await merged(
      first,
      `{"incremental":[{"path":["bike"],"data":{"__proto__":{"polluted":1}}},{"path":["__proto__"],"data":{"polluted":1}}],"hasNext":false}`,
    );
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    expect(text).toContain('__proto__');
  });
});

test.each(['{"a":1}', '[1]', 'text', '{"type":"ping"}', '{"hasNext":false,"data":1}'])('events such as %s do not add up', (event) => {
  expect(mergeKindOf(event)).toBeUndefined();
});
