import type { ErrorBody } from '../service-error.ts';
import type { ReadEvent } from './read-event.ts';

/** An event of a response, as far as it is read. */
interface ResponseEvent extends ErrorBody {
  readonly type: string;
  readonly error?: ErrorBody;
  readonly output_index?: number;
  readonly delta?: string;
  readonly item?: { readonly type: string; readonly call_id?: string; readonly name?: string };
  readonly response?: {
    readonly status?: string;
    readonly usage?: object | null;
    readonly error?: ErrorBody | null;
    readonly incomplete_details?: { readonly reason?: string } | null;
  };
}

/** Responses (https://platform.openai.com/docs/api-reference/responses-streaming). */
export const read: ReadEvent = (event: ResponseEvent, take, fail) => {
  const { type, delta, output_index: key, item, response } = event;
  switch (type) {
    case 'response.output_text.delta':
      return delta;
    case 'response.refusal.delta':
      take.refusal(delta);
      break;
    case 'response.reasoning_text.delta':
    case 'response.reasoning_summary_text.delta':
      take.reasoning(delta);
      break;
    case 'response.output_item.added':
      if (item?.type === 'function_call' || item?.type === 'custom_tool_call') take.call(key, item.call_id, item.name, item.type[0] === 'c');
      break;
    case 'response.function_call_arguments.delta':
    case 'response.custom_tool_call_input.delta':
      take.args(key, delta);
      break;
    case 'response.completed':
    case 'response.incomplete':
      take.usage(response?.usage);
      take.stop(response?.incomplete_details?.reason ?? response?.status);
      break;
    case 'response.failed':
      fail(response?.error ?? {});
      break;
    case 'error':
      fail(event.error ?? { code: event.code ?? null, message: event.message ?? '' });
      break;
    default:
  }
  return undefined;
};
