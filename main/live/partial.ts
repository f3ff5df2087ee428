import type { PartialValue } from '../../core/sinks/partial/partial-value.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { Limits } from '../../core/limits.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import { isTyped } from '../call/choose-format.ts';
import { CORE } from '../call/decoder-state.ts';
import { readyFormat } from '../call/formats.ts';
import { newReport } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions, DecodeSettings, DecodeSource, FormatChoice } from '../call/options/options.ts';
import type { StandardSchema, Validated } from '../call/options/standard-schema.ts';
import { checkCall } from '../call/options/check.ts';
import { prepare, reportPrepared, settingOf, shaping } from '../call/prepare.ts';
import { nextTask } from '../../core/platform/platform.ts';
import { SLICE_MS } from '../../core/slicing/tuning.ts';
import { type Caller, leftLoop, VALUE_OPTIONS } from './caller.ts';
import { type ChunkOptions, type ChunkSource, chunksOf } from './chunks.ts';
import { EventParser, type StreamEvent } from '../../core/messages/event-parser.ts';
import type { AnswerService, Growing } from './answer/open-answer.ts';
import { nextFrame } from './frames.ts';
import { checkedForm, type PartialForm } from './partial-form.ts';

/** Array items that a value may copy in any frame: about a millisecond. */
const COPIES_PER_FRAME = 2 ** 20;
/** Bytes, or characters, that are read before the time is looked at. */
const PIECE = 64 * 1024;
const NAMES = [...VALUE_OPTIONS, 'stallTimeout', 'numbers', 'prose', 'delta', 'parts', 'validate'];
/** A payload that is not read yet, which is not an empty one. */
const UNREAD = new Uint8Array(1);

/** Options of `Decoder.partial`: the format, by default that of a response's or blob's type, or JSON; and how it is read. */
export type PartialDecodeOptions<F extends FormatId = FormatId, T = unknown> = PartialSettings & FormatChoice<F, T>;

/** Options of `Decoder.partial`, whatever the format. */
export interface PartialSettings extends PartialForm, ChunkOptions, Pick<DecodeSettings, 'signal' | 'label' | 'invalidText'> {
  /** Limits that replace the decoder's. */
  limits?: Partial<Limits> | undefined;
  /** Makes the values of a format's own tags; see `DecodeOptions.reviveTag`. */
  reviveTag?: ReviveTag | undefined;
  /**
   * For a source that is a stream of server-sent events: the service that sends them, or a function that takes the next piece of
   * the value's text out of an event. Events for which it returns nothing are skipped.
   *
   * - `openai`: Chat Completions of OpenAI, Azure and the services that follow them. `openai-responses`: Responses.
   * - `anthropic`: Messages. `gemini`: `streamGenerateContent?alt=sse`. `ai-sdk`: the UI message stream of the AI SDK.
   *
   * Errors of the service, in the stream or instead of it, are thrown as a `ServiceError`.
   *
   * @example
   * decoder.partial<Recipe>(response, { delta: 'openai' });
   * decoder.partial<Recipe>(response, { delta: ({ data }) => (data === 'end' ? undefined : JSON.parse(data).piece) });
   */
  delta?: AnswerService | ((event: StreamEvent) => string | null | undefined) | undefined;
  /**
   * Gives the parts of an answer, `AnswerParts`, instead of the value of its text: the text, the calls of tools with their arguments
   * as values so far, the reasoning, a refusal, the usage and the reason to stop. Needs a `delta` that names a service. Default
   * false.
   *
   * @example
   * for await (const { text, calls } of decoder.partial(response, { delta: 'anthropic', parts: true })) show(text, calls);
   */
  parts?: false | undefined;
}

/** Options of `Decoder.partial` for the parts of an answer. */
export type AnswerOptions = Omit<PartialSettings, 'delta' | 'parts'> &
  FormatChoice<'json'> & {
    /** The service that sends the answer; see `PartialSettings.delta`. */
    delta: AnswerService;
    /** See `PartialSettings.parts`. */
    parts: true;
  };

/** The value so far, at most once a frame, then the whole value. See `Decoder.partial`. */
export async function* partial(
  decoder: Caller,
  source: ChunkSource,
  options: (PartialDecodeOptions | AnswerOptions) & Partial<Validated<StandardSchema>> = {},
): AsyncGenerator<unknown, void> {
  const { validate, signal } = options;
  const operation = decoder.operation(newReport(options), signal);
  operation.promise.catch(() => {});
  try {
    operation.opens(source);
    // An error from here on cancels the source.
    const chunks = chunksOf(source, options, operation.signal);
    operation.check();
    checkCall(options, NAMES);
    // The code that checks the value loads while the source is opened.
    const [{ value, delta }] = await Promise.all([open(decoder, operation, source, options, chunks), validate && import('../validate.ts')]);
    let wake = (): void => {};
    /** Ends the wait for a frame, which a hidden page may draw in an hour. */
    let hurry = (): void => {};
    let isChanged = false;
    let end: { error?: unknown } | undefined;
    operation.signal.addEventListener('abort', () => {
      wake();
      hurry();
    });
    const change = (): void => {
      isChanged = true;
      wake();
    };
    void read(value, delta, decoder[CORE].limits, operation, chunks, options, change)
      .then(
        () => (end = {}),
        (error: unknown) => (end = { error }),
      )
      .then(() => {
        change();
        hurry();
      });
    for (let last: unknown; ;) {
      while (!isChanged && !operation.settled) await new Promise<void>((resolve) => (wake = resolve));
      operation.check();
      isChanged = false;
      const ended = end;
      const next = value.value(ended ? Infinity : COPIES_PER_FRAME);
      if (next !== undefined && next !== last) yield (last = next);
      if (ended && 'error' in ended) throw ended.error;
      if (ended) {
        if (validate) yield (await import('../validate.ts')).validateValue(last, { validate });
        break;
      }
      await nextFrame((go) => {
        hurry = go;
        if (end || operation.settled) go();
      });
    }
    operation.resolve(undefined);
  } catch (error) {
    operation.reject(error);
    throw error;
  } finally {
    operation.leave(leftLoop());
  }
}

/** Chooses the format, loads its code and compiles the schema. */
async function open(
  decoder: Caller,
  operation: Operation,
  source: ChunkSource,
  options: PartialDecodeOptions | AnswerOptions,
  chunks: AsyncIterable<string | Uint8Array>,
): Promise<Growing> {
  const core = decoder[CORE];
  const form = checkedForm(options);
  const isNamed = options.format !== undefined || core.schemas.formatOf(options.schema) !== undefined;
  const isOwnType = options.delta === undefined && isTyped(source as DecodeSource);
  const { options: reading, schema, limits, reviveTag, invalidText, delta, parts } = options;
  const chosen = isNamed || isOwnType ? options.format : 'json';
  const calling = { format: chosen, options: reading, schema, limits, reviveTag, invalidText } as DecodeOptions;
  const prepared = await shaping(operation, prepare(core, source as DecodeSource, calling, UNREAD), calling);
  reportPrepared(operation.report, prepared);
  const isService = delta !== undefined && typeof delta !== 'function';
  const [{ format, readers }, code, answer] = await Promise.all([
    readyFormat(core, operation, prepared),
    import('../../core/sinks/partial/partial-value.ts'),
    parts || isService || (delta && (source as Partial<Response>).ok === false)
      ? import('./answer/open-answer.ts').then(({ openAnswer }) => openAnswer(source, chunks, delta, parts))
      : undefined,
  ]);
  const { fullRevive, locateError: locate } = readers;
  const make = (): PartialValue =>
    new code.PartialValue({ ...settingOf(prepared, format), revive: fullRevive(format, prepared.revive), locate, ...form });
  return answer ? answer(make, prepared.limits.stringLength) : { value: make(), delta: delta as Growing['delta'] };
}

/** Reads chunks into a value, in slices. Calls `change` whenever something was read. */
async function read(
  value: Growing['value'],
  delta: Growing['delta'],
  limits: Limits,
  operation: Operation,
  chunks: AsyncIterable<string | Uint8Array>,
  options: PartialDecodeOptions | AnswerOptions,
  change: () => void,
): Promise<void> {
  let bytes = 0;
  let total = 0;
  let longest = 0;
  operation.measure(() => ({ bytes, decodeMs: total, mainMs: total, longestSliceMs: longest }));
  const parser = delta && new EventParser(options.limits?.stringLength ?? limits.stringLength);
  let since = performance.now();
  for await (const chunk of chunks) {
    for (const piece of parser ? textsOf(parser.read(chunk), delta) : piecesOf(chunk)) {
      const start = performance.now();
      bytes += typeof piece === 'string' ? piece.length : piece.byteLength;
      if (piece instanceof Uint8Array) operation.head ??= piece;
      value.push(piece);
      const now = performance.now();
      total += now - start;
      longest = Math.max(longest, now - start);
      change();
      if (now - since < SLICE_MS) continue;
      await nextTask();
      operation.check();
      since = performance.now();
    }
  }
  value.finish();
}

/** The pieces of text in events. */
function* textsOf(events: Iterable<StreamEvent>, delta: NonNullable<Growing['delta']>): Generator<string> {
  for (const event of events) yield delta(event) ?? '';
}

/** A chunk in pieces that are read in a few milliseconds. */
function* piecesOf(chunk: string | Uint8Array): Generator<string | Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE) yield typeof chunk === 'string' ? chunk.slice(at, at + PIECE) : chunk.subarray(at, at + PIECE);
}
