import type { ReadEvent } from './read-event.ts';

/** A chunk of a UI message, as far as it is read. */
interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly errorText?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly inputTextDelta?: string;
  readonly input?: unknown;
  readonly finishReason?: string;
  /** True for tools that the service runs itself. */
  readonly providerExecuted?: boolean;
}

/** The UI message stream of the AI SDK (https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol). */
export const read: ReadEvent = (chunk: Chunk, take, fail) => {
  const { type, delta, errorText, toolCallId, inputTextDelta } = chunk;
  if (type === 'text-delta') return delta;
  if (type === 'reasoning-delta') take.reasoning(delta);
  if (type === 'tool-input-delta') take.args(toolCallId, inputTextDelta);
  if ((type === 'tool-input-start' || type === 'tool-input-available') && !chunk.providerExecuted) take.call(toolCallId, toolCallId, chunk.toolName);
  if (type === 'tool-input-available') take.whole(toolCallId, chunk.input);
  if (type === 'finish') take.stop(chunk.finishReason ?? 'stop');
  if (type === 'abort') take.stop(type);
  if (type === 'error') fail(errorText ?? {});
  return undefined;
};
