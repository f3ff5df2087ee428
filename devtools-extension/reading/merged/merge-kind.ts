import type { AnswerService } from '../../../main/live/answer/open-answer.ts';

/** How the events of a stream add up: to the answer of a language model, or to a value of GraphQL that comes in parts. */
export type MergeKind = AnswerService | 'graphql';

/** Kinds of events by their properties and types. */
const KINDS: readonly (readonly [kind: MergeKind, fits: (event: Readonly<Record<string, unknown>>, type: string) => boolean])[] = [
  ['openai', ({ choices }) => Array.isArray(choices)],
  ['openai-responses', (_, type) => type.startsWith('response.')],
  ['anthropic', (_, type) => /^(?:message_start|content_block_)/.test(type)],
  ['gemini', ({ candidates }) => Array.isArray(candidates)],
  ['ai-sdk', (_, type) => /^(?:start|start-step|(?:text|reasoning|tool-input)-(?:start|delta))$/.test(type)],
  ['graphql', ({ hasNext, data, payload }) => hasNext === true && (data !== undefined || payload !== undefined)],
];

/** Tells by the text of its first event how the events of a stream add up; undefined if that is unknown. */
export function mergeKindOf(first: string): MergeKind | undefined {
  const event = objectIn(first);
  const type = typeof event?.['type'] === 'string' ? event['type'] : '';
  return event && KINDS.find(([, fits]) => fits(event, type))?.[0];
}

/** The object in a text of JSON; undefined for other texts. */
export function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
