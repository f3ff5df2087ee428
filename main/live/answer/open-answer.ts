import { DecodeError } from '../../../core/errors.ts';
import type { StreamEvent } from '../../../core/messages/event-parser.ts';
import type { PartialValue } from '../../../core/sinks/partial/partial-value.ts';
import { Parts } from './parts.ts';
import type { Fail, ReadEvent } from './services/read-event.ts';
import { type ErrorBody, serviceError, ServiceError } from './service-error.ts';

/** Services whose streams of events are known. */
export type AnswerService = 'openai' | 'openai-responses' | 'anthropic' | 'gemini' | 'ai-sdk';

const SERVICES: Readonly<Record<AnswerService, () => Promise<{ read: ReadEvent }>>> = {
  openai: () => import('./services/openai.ts'),
  'openai-responses': () => import('./services/openai-responses.ts'),
  anthropic: () => import('./services/anthropic.ts'),
  gemini: () => import('./services/gemini.ts'),
  'ai-sdk': () => import('./services/ai-sdk.ts'),
};

const NAMES = Object.keys(SERVICES).join(', ');

/** Bytes of an error's body that are read, and characters of one that are shown if it is no JSON. */
const ERROR_BYTES = 2 ** 16;
const SHOWN = 200;

const fail: Fail = (error) => {
  throw serviceError(error);
};

/**
 * A value that grows, and what takes the piece of its text out of an event, if it comes in events.
 *
 * @internal
 */
export interface Growing {
  readonly value: Pick<PartialValue, 'value' | 'finish' | 'push'>;
  readonly delta: ((event: StreamEvent) => string | null | undefined) | undefined;
}

/**
 * Loads the code of a service. Returns a function that makes the value, or the parts, of an answer; it gets the limit of a text, in
 * characters. Throws the error that a response has instead of an answer.
 *
 * @internal
 */
export async function openAnswer(
  source: unknown,
  chunks: AsyncIterable<string | Uint8Array>,
  service: unknown,
  parts = false,
): Promise<(make: () => PartialValue, longest: number) => Growing> {
  const isFunction = typeof service === 'function';
  if (parts && (isFunction || service === undefined)) throw new TypeError(`the option parts needs a service: set delta to one of ${NAMES}`);
  if (!isFunction && !Object.hasOwn(SERVICES, service as string)) {
    throw new TypeError(`invalid option delta: ${String(service)}; expected a function or one of ${NAMES}`);
  }
  const [code] = await Promise.all([SERVICES[service as AnswerService]?.(), checkAnswer(source, chunks)]);
  return (make, longest) => {
    const answer = new Parts(make, longest);
    return {
      value: parts ? answer : valueOf(make(), answer),
      delta: ({ data }) => (data === '' || data === '[DONE]' ? undefined : code.read(parsed(data) as never, answer, fail)),
    };
  };
}

/** A value whose text is the answer's. An answer that is refused ends in an error with the refusal. */
function valueOf(value: PartialValue, answer: Parts): Growing['value'] {
  return {
    push: (text) => value.push(text),
    value: (exact) => value.value(exact),
    finish() {
      try {
        return value.finish();
      } catch (error) {
        throw answer.refused === '' ? error : new ServiceError('refusal', answer.refused);
      }
    },
  };
}

/** Throws the error of a response that is no stream of events. */
async function checkAnswer(source: unknown, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  const { ok, status, headers } = source as Partial<Response>;
  const type = headers?.get('content-type') ?? '';
  if (ok !== false && !/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return;
  const body = await textOf(chunks);
  let error: ErrorBody | string | undefined;
  try {
    const value = JSON.parse(body) as { error?: ErrorBody | string } | { error?: ErrorBody | string }[];
    const whole = Array.isArray(value) ? value[0] : value;
    error = whole?.error ?? (ok === false ? (whole as ErrorBody) : undefined);
  } catch {
    // A text, or an error of a proxy.
  }
  if (ok === false) throw serviceError(error ?? { code: 'unknown', message: `HTTP ${status}: ${body.slice(0, SHOWN)}` }, status);
  if (error) throw serviceError(error);
  throw new DecodeError('unknown-format', `the response is not an event stream: its type is ${type}; request a stream`);
}

async function textOf(chunks: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of chunks) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > ERROR_BYTES) break;
  }
  return text;
}

function parsed(data: string): object {
  try {
    const value = JSON.parse(data) as unknown;
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Not JSON.
  }
  throw new DecodeError('malformed', `the data of an event is no JSON object: ${data.slice(0, SHOWN)}`);
}
