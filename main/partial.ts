import { bytesFrom } from '../core/bytes/bytes-in.ts';
import { checkLimits, checkModule, checkNames } from '../core/check-names.ts';
import type { AnyFormat, Format } from '../core/format/format.ts';
import type { FormatId } from '../core/format/format-id.ts';
import type { FormatOptions } from '../core/formats/registry.ts';
import { type Limits, resolveLimits } from '../core/limits.ts';
import type { Step } from '../core/sinks/partial/partial-sink.ts';
import { PartialValue } from '../core/sinks/partial/partial-value.ts';
import { checkInvalidText, type InvalidText, InvalidTextSink } from '../core/sinks/invalid-text.ts';
import { locateError } from '../core/format/decode-session.ts';
import type { ReviveTag } from '../core/reading/revive.ts';
import { fullRevive } from '../core/reading/format-revive.ts';
import { checkedForm, type PartialForm } from './live/partial-form.ts';
import type { DeepPartial } from './live/deep-partial.ts';

const NO_OPTIONS = Object.freeze({});
const NAMES = ['options', 'schema', 'limits', 'reviveTag', 'numbers', 'prose', 'invalidText'];

/** Options of `createPartial`. */
export interface PartialOptions<Options = object, Schema = unknown, T = unknown> extends PartialForm {
  /** Options of the format. */
  options?: Options | undefined;
  /** Result of `compileSchema` of `unspool/sync`. */
  schema?: Schema | (Schema & { readonly '~type'?: T }) | undefined;
  /** Limits for the payload. */
  limits?: Partial<Limits> | undefined;
  /** Converts the format's own tagged values, like the format's `createReviveTag`. */
  reviveTag?: ReviveTag | undefined;
  /** Treatment of text that is not valid UTF-8: see `DecodeSettings.invalidText`. Default `error`. */
  invalidText?: 'error' | InvalidText | undefined;
}

/** State of a part of a value: not there yet; there, and growing; or finished. */
export type PartState = 'absent' | 'partial' | 'complete';

/** A value that is decoded while its text or bytes arrive. */
export interface PartialDecode<T> {
  /**
   * Adds text or bytes, cut anywhere; bytes are copied. Throws the error that a decode of the whole input rejects with, at the
   * latest when 4,096 more bytes have come: until then, bytes are read when a value is asked for.
   */
  push(chunk: string | ArrayBufferLike | ArrayBufferView): void;
  /**
   * The value so far; undefined before it begins. It never changes: each change makes a new object of every container that
   * is open, and what is finished stays the same object. Strings grow by whole code points. After an error, it is the value
   * before it.
   *
   * Asking costs time in proportion to the open containers' entries. Where values are asked for every few bytes while an array
   * has thousands of items, one may lag behind by a small part of the input, at most a tenth.
   */
  readonly value: DeepPartial<T> | undefined;
  /** State of the part at a path of keys and indices in `value`: not there, unfinished or finished. Default: the whole value. */
  state(path?: readonly Step[]): PartState;
  /** Ends the input. Returns the same value as a decode, or throws the error that a decode rejects with. */
  finish(): T;
}

/**
 * Decodes a value while its text or bytes arrive, and gives the value so far at any time. Synchronous, on the calling thread.
 *
 * @param format a module of `unspool/formats/*`. Strings grow in JSON, MessagePack and CBOR; other formats give them whole
 *
 * @example
 * import { createPartial } from 'unspool/partial';
 * import json from 'unspool/formats/json';
 *
 * const recipe = createPartial<Recipe>(json);
 * for await (const delta of deltas) {
 *   recipe.push(delta);
 *   show(recipe.value);
 * }
 * const complete = recipe.finish();
 */
export function createPartial<T = unknown, Options = FormatOptions[FormatId], Schema = unknown>(
  format: Format<Options, Schema>,
  given: PartialOptions<Options, NoInfer<Schema>, T> = {},
): PartialDecode<T> {
  checkModule(format, 'createReader');
  checkNames(given, NAMES);
  checkLimits(given.limits);
  const { options, schema, limits, reviveTag, invalidText = 'error' } = given;
  checkInvalidText(invalidText);
  const any = format as AnyFormat;
  return new Decode<T>(
    new PartialValue({
      format: any,
      options: options ?? NO_OPTIONS,
      limits: resolveLimits(limits),
      schema,
      wrap: invalidText === 'error' ? undefined : (sink) => new InvalidTextSink(sink, invalidText),
      revive: fullRevive(any, reviveTag),
      locate: locateError,
      ...checkedForm(given),
    }),
  );
}

export { DecodeError, LimitError, SchemaError } from '../core/errors.ts';
export type { ErrorPlace } from '../core/errors.ts';
export type { Format } from '../core/format/format.ts';
export type { Limits } from '../core/limits.ts';
export type { ReviveTag } from '../core/reading/revive.ts';
export type { DeepPartial } from './live/deep-partial.ts';
export type { PartialForm } from './live/partial-form.ts';

class Decode<T> implements PartialDecode<T> {
  readonly #partial: PartialValue;

  constructor(partial: PartialValue) {
    this.#partial = partial;
  }

  push(chunk: string | ArrayBufferLike | ArrayBufferView): void {
    this.#partial.push(typeof chunk === 'string' ? chunk : bytesFrom(chunk, 'a string, an ArrayBuffer or a view of one'));
  }

  get value(): DeepPartial<T> | undefined {
    return this.#partial.value() as DeepPartial<T> | undefined;
  }

  state(path: readonly Step[] = []): PartState {
    const partial = this.#partial;
    let value = partial.last ?? partial.value();
    let isOpen = partial.openPath !== undefined;
    if (value === undefined && isOpen) return 'absent';
    for (const [depth, step] of path.entries()) {
      if (!hasPart(value, step)) return 'absent';
      value = partOf(value, step);
      isOpen &&= partial.openPath![depth] === step;
    }
    return isOpen ? 'partial' : 'complete';
  }

  finish(): T {
    return this.#partial.finish() as T;
  }
}

function hasPart(value: unknown, step: Step): boolean {
  if (value instanceof Map) return value.has(step);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step);
}

function partOf(value: unknown, step: Step): unknown {
  return value instanceof Map ? value.get(step) : (value as Record<Step, unknown>)[step];
}
