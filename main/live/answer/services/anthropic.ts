import type { ErrorBody } from '../service-error.ts';
import type { ReadEvent } from './read-event.ts';

/** An event of a message, as far as it is read. */
interface MessageEvent {
  readonly type: string;
  readonly index?: number;
  readonly message?: { readonly usage?: object };
  readonly content_block?: { readonly type: string; readonly id?: string; readonly name?: string };
  readonly delta?: {
    readonly text?: string;
    readonly thinking?: string;
    readonly partial_json?: string;
    readonly stop_reason?: string | null;
  };
  readonly usage?: object;
  readonly error?: ErrorBody;
}

/** Messages (https://docs.claude.com/en/docs/build-with-claude/streaming). Tools that the service runs itself are no calls. */
export const read: ReadEvent = ({ type, index, message, content_block: block, delta, usage, error }: MessageEvent, take, fail) => {
  if (type === 'error') fail(error ?? {});
  if (block?.type === 'tool_use') take.call(index, block.id, block.name);
  take.usage(message?.usage ?? usage);
  take.reasoning(delta?.thinking);
  take.args(index, delta?.partial_json);
  take.stop(delta?.stop_reason);
  return delta?.text;
};
