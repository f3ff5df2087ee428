import type { ErrorBody } from '../service-error.ts';
import type { ReadEvent } from './read-event.ts';

/** A part of the response, as far as it is read. */
interface Chunk {
  readonly error?: ErrorBody;
  readonly candidates?: readonly {
    readonly index?: number;
    readonly content?: { readonly parts?: readonly Part[] };
    readonly finishReason?: string;
  }[];
  readonly promptFeedback?: { readonly blockReason?: string };
  readonly usageMetadata?: object;
}

interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id?: string; readonly name?: string; readonly args?: object };
}

/** `streamGenerateContent?alt=sse` (https://ai.google.dev/api/generate-content): the first candidate. A call comes whole. */
export const read: ReadEvent = ({ error, candidates, promptFeedback, usageMetadata }: Chunk, take, fail) => {
  if (error) fail(error);
  take.usage(usageMetadata);
  take.stop(promptFeedback?.blockReason);
  const candidate = candidates?.find(({ index = 0 }) => index === 0);
  let added = '';
  for (const part of candidate?.content?.parts ?? []) {
    const { text = '', thought, functionCall } = part;
    if (thought) take.reasoning(text);
    else added += text;
    if (!functionCall) continue;
    take.call(part, functionCall.id, functionCall.name);
    take.whole(part, functionCall.args ?? {});
  }
  take.stop(candidate?.finishReason);
  return added;
};
