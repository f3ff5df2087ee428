import type { ErrorBody } from '../service-error.ts';
import type { ReadEvent } from './read-event.ts';

/** A chunk of a chat completion, as far as it is read; of Azure, OpenRouter, vLLM and others that follow OpenAI, too. */
interface Chunk {
  readonly error?: ErrorBody | string | null;
  /** Empty in the chunk of the usage, and in Azure's first. */
  readonly choices?: readonly { readonly index?: number; readonly delta?: Delta | null; readonly finish_reason?: string | null }[];
  readonly usage?: object | null;
}

interface Delta {
  readonly content?: string | null;
  readonly refusal?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_content?: string | null;
  readonly tool_calls?: readonly CallDelta[] | null;
}

interface CallDelta {
  readonly index?: number;
  readonly id?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
  readonly custom?: { readonly name?: string; readonly input?: string };
}

/** Chat Completions (https://platform.openai.com/docs/api-reference/chat-streaming): the first choice. */
export const read: ReadEvent = ({ error, choices, usage }: Chunk, take, fail) => {
  if (error) fail(error);
  take.usage(usage);
  const choice = choices?.find(({ index = 0 }) => index === 0);
  if (!choice) return undefined;
  const { delta } = choice;
  take.refusal(delta?.refusal);
  take.reasoning(delta?.reasoning_content ?? delta?.reasoning);
  for (const [at, { index = at, id, function: called, custom }] of (delta?.tool_calls ?? []).entries()) {
    take.call(index, id, (called ?? custom)?.name, custom !== undefined);
    take.args(index, called?.arguments ?? custom?.input);
  }
  take.stop(choice.finish_reason);
  return delta?.content;
};
