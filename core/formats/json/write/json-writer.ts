import { CLOSE_BRACE, CLOSE_BRACKET, COMMA, LINE_FEED, OPEN_BRACE, OPEN_BRACKET } from '../../../bytes/text/json-bytes.ts';
import { countOf } from '../../../bytes/count.ts';
import { out, pass, room, soft, STOPPED } from '../../../bytes/output.ts';
import type { Limits } from '../../../limits.ts';
import { hasToJson, primitiveOf } from '../../../writing/written-classes.ts';
import { Writer } from '../../../writing/writer.ts';
import type { JsonWriteOptions } from '../options.ts';
import { beginValue, MAX_NODES, stringify, estimateSize } from './estimate.ts';

/** UTF-16 units of text collected before they are encoded. */
const RUN_UNITS = 1 << 15;
/** Strings longer than this are written in pieces. */
const PIECE_UNITS = 1 << 17;

const encoder = new TextEncoder();

/** State of a suspended array or object: the next index and, for an object, its keys and whether one was written. */
interface Place {
  readonly next: number;
  /** Length of an array. */
  readonly length: number;
  readonly keys: readonly string[] | undefined;
  readonly isEmpty: boolean;
}

/**
 * Writes the same JSON as `JSON.stringify`, and sequences of it. The engine stringifies small values in one call;
 * larger ones are walked, so that writing can stop inside them. `OptionsWriter` handles options that change the text.
 */
export class JsonWriter extends Writer {
  readonly #options: JsonWriteOptions;
  /** The array whose items are written as lines. */
  #lines: readonly unknown[] | undefined;

  constructor(options: JsonWriteOptions, limits: Limits) {
    super(limits);
    this.#options = options;
  }

  override write(value: unknown, at: number): number {
    if (this.#options.sequence) {
      if (!Array.isArray(value)) this.fail('type', 'a sequence must be an array');
      this.open(value);
      this.#lines = value;
      return this.#items(value, 0, countOf(value), at);
    }
    const found = this.prepare(value, '');
    return isWritable(found) ? this.#value(found, at) : this.#refuse(found);
  }

  protected override reset(): void {
    super.reset();
    beginValue();
  }

  override get takesItems(): boolean {
    return true;
  }

  /** Begins an array, except in a sequence. */
  override beginItems(at: number): number {
    return this.#options.sequence ? at : writeByte(OPEN_BRACKET, at);
  }

  override item(value: unknown, index: number, at: number): number {
    const start = index === 0 ? at : writeByte(this.#options.sequence ? LINE_FEED : COMMA, at);
    const found = this.prepare(value, String(index));
    this.reset();
    if (isWritable(found)) return this.#value(found, start);
    return this.#options.sequence ? this.#refuse(found) : writeText('null', start);
  }

  override endItems(count: number, at: number): number {
    if (!this.#options.sequence) return writeByte(CLOSE_BRACKET, at);
    return count > 0 ? writeByte(LINE_FEED, at) : at;
  }

  protected override resumeIn(container: object, place: unknown, at: number): number {
    const { next, length, keys, isEmpty } = place as Place;
    if (keys === undefined) return this.#items(container as unknown[], next, length, at);
    return this.#fields(container as Record<string, unknown>, keys, next, isEmpty, at);
  }

  protected override stepOf(place: unknown): string | number {
    const { next, keys } = place as Place;
    return keys === undefined ? next - 1 : keys[next - 1]!;
  }

  /** Replaces a value by the result of its `toJSON`, or as an option says. */
  protected prepare(value: unknown, key: string): unknown {
    const isObject = typeof value === 'object';
    if ((!isObject && typeof value !== 'function' && typeof value !== 'bigint') || value === null) return value;
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function' && (typeof value !== 'bigint' || !this.takesBigints)) return this.#replaced(toJSON.call(value, key));
    return isObject ? this.#replaced(value) : typeof value === 'bigint' ? this.bigint(value) : value;
  }

  /** True if an option handles bigints. */
  protected get takesBigints(): boolean {
    return false;
  }

  /** Replaces an object as an option says. */
  protected converted(value: object): unknown {
    return value;
  }

  /** Replaces a bigint as an option says. */
  protected bigint(_value: bigint): bigint | string {
    return this.fail('unsupported', 'JSON has no bigint: set the option bigints');
  }

  /** The text of a value other than a string, object or array. */
  protected scalar(value: unknown): string {
    return JSON.stringify(value);
  }

  /** The text of a small prepared value; undefined if the engine throws. */
  protected text(value: object): string | undefined {
    return stringify(value, this.maxDepth - this.depth);
  }

  /** The text of small items with separators; undefined if the engine throws or has no text for an item. */
  protected runText(items: readonly unknown[], isSequence: boolean): string | undefined {
    if (!isSequence) return stringify(items, this.maxDepth - this.depth + 1)?.slice(1, -1);
    const texts = items.map((item) => (typeof item === 'object' && item !== null ? this.text(item) : JSON.stringify(item)));
    return texts.includes(undefined) ? undefined : texts.join('\n');
  }

  /** Replaces a value after its `toJSON` as an option says, and unwraps primitive objects. */
  #replaced(given: unknown): unknown {
    const value = typeof given === 'object' && given !== null ? primitiveOf(this.converted(given)) : given;
    return typeof value === 'bigint' ? this.bigint(value) : value;
  }

  #refuse(value: unknown): never {
    return this.fail('unsupported', value === undefined ? 'undefined is no JSON value' : `JSON has no ${typeof value}`);
  }

  /** Writes a prepared value. */
  #value(value: unknown, at: number): number {
    const text = this.#shortText(value);
    return text === undefined ? this.#walk(value as object | string, at) : writeText(text, at);
  }

  /** Walks a value that is not small, or for which the engine throws, so that an error has its path. */
  #walk(value: object | string, at: number): number {
    if (typeof value === 'string') return writeString(value, at);
    if (this.depth >= this.callDepth) return this.postpone(at, this.#walk.bind(this, value));
    this.open(value);
    if (Array.isArray(value)) return this.#items(value, 0, countOf(value), writeByte(OPEN_BRACKET, at));
    return this.#fields(value as Record<string, unknown>, Object.keys(value), 0, true, writeByte(OPEN_BRACE, at));
  }

  /** The text of a small prepared value; undefined for others, and if the engine throws. */
  #shortText(value: unknown): string | undefined {
    if (typeof value === 'string' && value.length >= RUN_UNITS) return undefined;
    return typeof value !== 'object' || value === null || this.#isSmall(value) ? this.anyText(value) : undefined;
  }

  /** True if a prepared value is stringified in one call. The engine would call a `toJSON` again. */
  #isSmall(value: object): boolean {
    return !hasToJson(value) && estimateSize(value, this.maxDepth - this.depth) <= MAX_NODES;
  }

  /** The text of a prepared value; undefined if the engine throws. */
  protected anyText(value: unknown): string | undefined {
    if (typeof value === 'string') return JSON.stringify(value);
    return typeof value === 'object' && value !== null ? this.text(value) : this.scalar(value);
  }

  #items(list: readonly unknown[], from: number, length: number, at: number): number {
    const isSequence = list === this.#lines;
    const separator = isSequence ? LINE_FEED : COMMA;
    let index = from;
    // Items before this index are written one by one, since the engine failed on their run.
    let runEnd = from;
    try {
      while (index < length) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stop(list, index, length);
        if (index > 0) at = writeByte(separator, at);
        if (index >= runEnd) {
          runEnd = runOf(list, index, length, this.maxDepth - this.depth);
          const run = list.slice(index, runEnd);
          if (run.length !== runEnd - index) this.#fail();
          const text = runEnd > index ? this.runText(run, isSequence) : undefined;
          if (text !== undefined) {
            at = writeText(text, at);
            index = runEnd;
            continue;
          }
        }
        const value = this.prepare(list[index], String(index));
        if (isSequence && !isWritable(value)) this.#refuse(value);
        at = this.#value(isWritable(value) ? value : null, at);
        index += 1;
        if (at === STOPPED) return this.#stop(list, index, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.#fail();
    this.depth -= 1;
    if (!isSequence) return writeByte(CLOSE_BRACKET, at);
    return length > 0 ? writeByte(LINE_FEED, at) : at;
  }

  #fields(object: Record<string, unknown>, keys: readonly string[], from: number, isFirst: boolean, at: number): number {
    let index = from;
    let isEmpty = isFirst;
    // Text of fields not yet written.
    let text = '';
    try {
      for (; index < keys.length; index += 1) {
        const value = this.prepare(object[keys[index]!], keys[index]!);
        if (!isWritable(value)) continue;
        text += `${isEmpty ? '' : ','}${JSON.stringify(keys[index])}:`;
        isEmpty = false;
        const own = this.#shortText(value);
        if (own !== undefined) {
          text += own;
          if (text.length < RUN_UNITS) continue;
          at = writeText(text, at);
          if (at > soft && (at = pass(at)) === STOPPED) return this.#stop(object, index + 1, -1, keys, isEmpty);
        } else {
          at = this.#walk(value as object | string, writeText(text, at));
          if (at === STOPPED) return this.#stop(object, index + 1, -1, keys, isEmpty);
        }
        text = '';
      }
    } catch (error) {
      throw this.at(keys[index], error, object);
    }
    if (isEmpty) this.refuseSource(object);
    this.depth -= 1;
    return writeByte(CLOSE_BRACE, writeText(text, at));
  }

  #stop(container: object, next: number, length: number, keys?: readonly string[], isEmpty = false): number {
    const place: Place = { next, length, keys, isEmpty };
    return this.stopped(container, place, length);
  }

  #fail(): never {
    return this.fail('changed', 'the list changed while it was written');
  }
}

/** True if JSON can represent the value. */
export function isWritable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

/** The end of a run of items that are small together and nest no deeper than `levels`. */
function runOf(list: readonly unknown[], from: number, length: number, levels: number): number {
  let nodes = 0;
  let index = from;
  while (index < length) {
    nodes += estimateSize(list[index], levels);
    if (nodes > MAX_NODES) break;
    index += 1;
  }
  return index;
}

/** Writes text across chunk boundaries, so that no room is reserved for bytes that are not needed. */
export function writeText(text: string, at: number): number {
  if (text === '') return at;
  let rest = text;
  let next = at < out.length ? at : room(at, 1);
  for (;;) {
    const { read, written } = encoder.encodeInto(rest, next === 0 ? out : out.subarray(next));
    next += written;
    if (read === rest.length) return next;
    rest = rest.slice(read);
    next = room(next, rest.length);
  }
}

/** Writes a string, in pieces if it is long. */
function writeString(text: string, at: number): number {
  if (text.length <= PIECE_UNITS) return writeText(JSON.stringify(text), at);
  let next = writeByte(0x22, at);
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + PIECE_UNITS, text.length);
    // Keeps surrogate pairs together.
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to += 1;
    next = writeText(JSON.stringify(text.slice(from, to)).slice(1, -1), next);
    from = to;
  }
  return writeByte(0x22, next);
}

function writeByte(byte: number, at: number): number {
  const place = at < out.length ? at : room(at, 1);
  out[place] = byte;
  return place + 1;
}
