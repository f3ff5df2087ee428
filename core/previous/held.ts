import { alteredPath } from './altered-path.ts';
import { arrived, commonLength, type HeldBytes } from './compare.ts';
import { type ByteRange, type DecodeItems, type Grammar, UNKNOWN } from './grammars/grammar.ts';
import type { RowsForm, RowsList } from './rows-form.ts';
import { type Sizes, STEP_BYTES } from './tuning.ts';

/** First members of an object that are read item by item even if they are short. Objects with more are dictionaries of many values. */
const MEMBERS = 64;

/** Items of each container that are checked against their bytes before the first comparison. */
const SAMPLES = 8;

/** Where the items of a list or object of an earlier value lie in its bytes. */
export interface Held {
  /** The list or object itself. */
  readonly value: object;
  readonly isList: boolean;
  /** The values of its items, in the order of the bytes: the application may change the list itself. Of rows, their indices. */
  readonly items: readonly unknown[];
  /** The list if it is `Rows`. */
  readonly rows?: RowsList | undefined;
  /** The keys of an object's items. */
  readonly keys: readonly string[];
  /** Position of each item, of an object's its key. All positions are relative to the container. */
  readonly starts: Uint32Array;
  /** Position after the last item's value, and after the container. */
  readonly tail: number;
  readonly after: number;
  /** True if no list is around it: its first members are read item by item, however short they are. */
  readonly isOuter: boolean;
  /** True if only the first items are known. */
  readonly isPart: boolean;
  /** Items that are read item by item, by index. */
  readonly nested: ReadonlyMap<number, Held>;
}

/** How payloads are compared. */
export interface CompareSetting {
  readonly grammar: Grammar;
  readonly decode: DecodeItems;
  readonly sizes: Sizes;
  /** True if samples of the items are compared with their bytes later, by `areSamplesUnchanged`. */
  readonly samplesLater?: boolean | undefined;
  /** Key whose value identifies the records of a list. */
  readonly key?: string | undefined;
  /** Makes `Rows` of the lists of records; undefined if they are arrays. */
  readonly form?: RowsForm | undefined;
}

/** The value of an item. */
export function itemOf({ items, rows }: Held, index: number): unknown {
  return rows ? rows.at(index) : items[index];
}

/** Position in the payload of the value of an item, in a container at `base`. */
export function valueStart(grammar: Grammar, { bytes }: HeldBytes, { isList, starts }: Held, base: number, index: number): number {
  const start = base + starts[index]!;
  return isList ? start : grammar.key(bytes, start).value;
}

/** Position in the payload after the value of an item. */
export function valueEnd(grammar: Grammar, { bytes }: HeldBytes, { starts, tail }: Held, base: number, index: number): number {
  return index + 1 < starts.length ? grammar.endOf(bytes, base + starts[index]!, base + starts[index + 1]!) : base + tail;
}

/**
 * Compares two ranges of `length` bytes in steps, the second one as it arrives. `ahead` bytes after those that are equal have then
 * arrived, too.
 */
export function* sameBytes(a: HeldBytes, from: number, b: HeldBytes, at: number, length: number, ahead: number): Generator<undefined, number> {
  let count = 0;
  while (count < length) {
    if (b.awaits) yield* arrived(b, at + count + 1);
    const there = (b.awaits ? b.ready : b.bytes.length) - at - count;
    const step = Math.min(length - count, STEP_BYTES, there);
    const same = step > 0 ? commonLength(a.view, from + count, b.view, at + count, step) : 0;
    count += same;
    if (same < step || step <= 0) break;
    if (count < length) yield;
  }
  if (b.awaits) yield* arrived(b, at + count + ahead);
  return count;
}

/**
 * Finds the items of the list or object at `at`, which `value` was decoded from: those that begin before `to`. Yields when the
 * caller may pause. Throws `UNKNOWN` if the bytes do not describe that value: the application may have changed it.
 */
export function* holdItems(
  setting: CompareSetting,
  payload: HeldBytes,
  at: number,
  to: number,
  value: unknown,
  level: number,
  isOuter: boolean,
): Generator<undefined, Held> {
  const { grammar, sizes } = setting;
  const { bytes } = payload;
  const open = grammar.open(bytes, at);
  if (!open || typeof value !== 'object' || value === null || level > sizes.depth) throw UNKNOWN;
  const { isList } = open;
  const prototype: unknown = Object.getPrototypeOf(value);
  const rows = setting.form?.isRows(value) ? value : undefined;
  if (isList ? !rows && !Array.isArray(value) : prototype !== Object.prototype) throw UNKNOWN;
  const starts: number[] = [];
  const keys: string[] = [];
  const items: unknown[] = [];
  const nested = new Map<number, Held>();
  let tail = open.end;
  let step = at;
  let isPart = false;
  while (open.at >= 0 && !isPart) {
    if (open.at >= to) {
      isPart = true;
      break;
    }
    const index = starts.length;
    let from = open.at;
    starts.push(from - at);
    if (isList) {
      items.push(rows ? index : (value as unknown[])[index]);
    } else {
      const key = grammar.key(bytes, from);
      if (!Object.hasOwn(value, key.text)) throw UNKNOWN;
      keys.push(key.text);
      items.push((value as Record<string, unknown>)[key.text]);
      from = key.value;
    }
    const skip = { at: from, open: 0 };
    const isShort = grammar.skip(bytes, skip, Math.min(from + sizes.unit, bytes.length));
    const inner = isShort
      ? isOuter && !isList && (yield* holdMember(setting, payload, from, items[index], index, level + 1))
      : !rows && holdsContainers(grammar, bytes, from) && (yield* holdItems(setting, payload, from, to, items[index], level + 1, isOuter && !isList));
    if (inner) {
      nested.set(index, inner);
      isPart = inner.isPart;
      tail = isPart ? bytes.length : from + inner.after;
    } else {
      if (!isShort && !grammar.skip(bytes, skip, Math.min(from + sizes.scalars, bytes.length))) throw UNKNOWN;
      tail = skip.at;
    }
    if (!isPart) grammar.next(bytes, open, tail);
    if (tail - step > STEP_BYTES / 8) {
      step = tail;
      yield;
    }
  }
  // An object that repeats a key has fewer properties than items.
  if (!isPart && items.length !== (isList ? (value as unknown[]).length : Object.keys(value).length)) throw UNKNOWN;
  const held: Held = {
    value,
    isList,
    // Copies have no room to grow.
    items: items.slice(),
    rows,
    keys,
    starts: new Uint32Array(starts),
    tail: tail - at,
    after: open.end - at,
    isOuter,
    isPart,
    nested,
  };
  if (!setting.samplesLater && !isUnchanged(setting, payload, held, at)) throw UNKNOWN;
  return held;
}

/** Finds the items of a member of an object outside of all lists; undefined if it is read as a whole. */
export function* holdMember(
  setting: CompareSetting,
  payload: HeldBytes,
  at: number,
  value: unknown,
  index: number,
  level: number,
): Generator<undefined, Held | undefined> {
  if (index >= MEMBERS || !holdsContainers(setting.grammar, payload.bytes, at)) return undefined;
  try {
    return yield* holdItems(setting, payload, at, payload.bytes.length, value, level, true);
  } catch (error) {
    if (error !== UNKNOWN) throw error;
    return undefined;
  }
}

/** True if the value at `at` is an object, an empty list, or a list whose first item is a list or object. */
export function holdsContainers(grammar: Grammar, bytes: Uint8Array, at: number): boolean {
  const open = grammar.open(bytes, at);
  if (!open) return false;
  return !open.isList || open.at < 0 || grammar.opens(bytes, open.at);
}

/**
 * True if some items of a container, and of those inside it that are read item by item, are still equal to their bytes. Yields when
 * the caller may pause: after each container, of which a payload can have thousands.
 */
export function* areSamplesUnchanged(setting: CompareSetting, payload: HeldBytes, held: Held, base: number): Generator<undefined, boolean> {
  if (!isUnchanged(setting, payload, held, base)) return false;
  yield;
  for (const [index, inner] of held.nested) {
    if (!(yield* areSamplesUnchanged(setting, payload, inner, valueStart(setting.grammar, payload, held, base, index)))) return false;
  }
  return true;
}

/** True if some items are still equal to what their bytes stand for, as far as a sample shows. */
function isUnchanged(setting: CompareSetting, payload: HeldBytes, held: Held, base: number): boolean {
  const { grammar, form } = setting;
  const { items, nested, rows } = held;
  const picked: number[] = [];
  const every = Math.max(1, items.length / SAMPLES);
  for (let at = 0; at < items.length; at += every) picked.push(Math.floor(at));
  if (items.length > 0) picked.push(items.length - 1);
  const whole = picked.filter((index) => !nested.has(index));
  const ranges = whole.map((index) => ({
    from: valueStart(grammar, payload, held, base, index),
    to: valueEnd(grammar, payload, held, base, index),
  }));
  const values = decodeRanges(setting, payload.bytes, ranges, 0);
  return whole.every((index, at) => !alteredPath(itemOf(held, index), rows || !form ? values[at] : form.convert(values[at]), form));
}

/** Decodes values that lie anywhere in the payload as one list. */
export function decodeRanges({ grammar, decode }: CompareSetting, bytes: Uint8Array, ranges: readonly ByteRange[], levels: number): unknown[] {
  if (ranges.length === 0) return [];
  const { frame } = grammar;
  let values: unknown[];
  try {
    values = frame.read(decode(frame.write(bytes, ranges), levels - frame.levels));
  } catch {
    // The decode as usual says what is wrong.
    throw UNKNOWN;
  }
  if (values.length !== ranges.length) throw UNKNOWN;
  return values;
}
