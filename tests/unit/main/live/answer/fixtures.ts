import type { AnswerParts, AnswerService } from '../../../../../main/index.ts';

export const SERVICES: readonly AnswerService[] = ['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'];

/** A response of these bytes, as a service sends it. */
export function answered(body: BodyInit, status = 200, type = 'text/event-stream'): Response {
  return new Response(body, { status, headers: { 'content-type': type } });
}

/** The value in each `value` stream. */
export const VALUE = {
  title: 'Crêpes 🥞',
  steps: [
    { text: 'Whisk "flour" and milk\nuntil smooth', minutes: 5 },
    { text: 'Rest', minutes: 30 },
  ],
  vegan: false,
};

const WEATHER = { city: 'Malmö', days: [1, 2, 3] };
const SEARCH = { query: 'crêpe pan', limits: { price: 20.5, new: true } };

const calls = (weather: string, search: string): AnswerParts['calls'] => [
  { id: weather, name: 'weather', arguments: WEATHER, complete: true },
  { id: search, name: 'search', arguments: SEARCH, complete: true },
];
const common = { text: 'I will look up the weather 🌦 and a pan.', refusal: '', reasoning: 'Two tools are needed.', calls: calls('call_a', 'call_b') };

/** The parts of each `calls` stream. */
export const PARTS: Readonly<Record<AnswerService, AnswerParts>> = {
  openai: {
    ...common,
    reasoning: '',
    usage: {
      prompt_tokens: 57,
      completion_tokens: 40,
      total_tokens: 97,
      prompt_tokens_details: { cached_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    stop: 'tool_calls',
  },
  'openai-responses': {
    ...common,
    usage: {
      input_tokens: 57,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 40,
      output_tokens_details: { reasoning_tokens: 8 },
      total_tokens: 97,
    },
    stop: 'completed',
  },
  anthropic: {
    ...common,
    calls: [...calls('toolu_a', 'toolu_b'), { id: 'toolu_c', name: 'now', arguments: {}, complete: true }],
    usage: { input_tokens: 57, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 40 },
    stop: 'tool_use',
  },
  gemini: {
    ...common,
    calls: calls('a1', 'b1'),
    usage: { promptTokenCount: 57, candidatesTokenCount: 40, totalTokenCount: 97 },
    stop: 'STOP',
  },
  'ai-sdk': { ...common, usage: undefined, stop: 'tool-calls' },
};
