import type { FormatId } from '../format/format-id.ts';
import type { Limits } from '../limits.ts';
import type { ReviveTag } from '../reading/revive.ts';
import { arrived, commonLength, type HeldBytes, holdBytes } from './compare.ts';
import { UNDECIDED, UNKNOWN } from './grammars/grammar.ts';
import { areSamplesUnchanged, type CompareSetting, type Held, holdItems } from './held.ts';
import { compareLists, holdLists } from './root-lists.ts';
import { SIZES, STEP_BYTES } from './tuning.ts';
import { Comparison, type ItemChanges } from './walk.ts';

/** Everything that the value of a payload depends on, except its bytes. */
export interface DecodeSetting {
  /** Undefined in `unspool/sync`, where `reader` says it. */
  readonly format?: FormatId | undefined;
  readonly reader?: unknown;
  readonly as: string;
  readonly options: object;
  readonly schema: unknown;
  readonly limits: Limits;
  readonly revive: ReviveTag | undefined;
}

/** The bytes of a value, and how they were decoded. */
export interface Remembered {
  readonly payload: HeldBytes;
  readonly setting: DecodeSetting;
  /** Where the items of the value lie; found ahead of the first comparison, or by it. */
  root: Held | undefined;
  /** True if `root` was found ahead, so that the application may have changed the value since. */
  isAhead?: boolean;
  /** Changes of lists since the previous value; undefined after a decode as usual. */
  readonly changes: ReadonlyMap<Held, ItemChanges> | undefined;
}

/** Bytes of the longest payload whose positions are kept in 32 bits. */
const MAX_BYTES = 0xffff_ffff;

const KEY = Symbol.for('unspool.previous');

/** The remembered values of all copies of the library on a page. An entry goes with its value. */
const values: WeakMap<object, Remembered> = ((globalThis as { [KEY]?: WeakMap<object, Remembered> })[KEY] ??= new WeakMap());

/** Remembers the bytes of a value. They must not change. Values other than objects have no identity to keep. */
export function remember(value: unknown, payload: Uint8Array, setting: DecodeSetting): void {
  if (typeof value === 'object' && value !== null) {
    values.set(value, { payload: holdBytes(payload), setting, root: undefined, changes: undefined });
  }
}

/** The entry of a value; undefined for other values. */
export function recall(value: unknown): Remembered | undefined {
  return typeof value === 'object' && value !== null ? values.get(value) : undefined;
}

/** The same if the same bytes would be decoded to the same value. */
export function recallSame(value: unknown, setting: DecodeSetting): Remembered | undefined {
  const found = recall(value);
  return found && isSameSetting(found.setting, setting) ? found : undefined;
}

function isSameSetting(a: DecodeSetting, b: DecodeSetting): boolean {
  const keys = ['format', 'reader', 'as', 'schema', 'revive'] as const;
  return keys.every((key) => a[key] === b[key]) && hasSame(a.options, b.options) && hasSame(a.limits, b.limits);
}

function hasSame(a: object, b: object): boolean {
  if (a === b) return true;
  const other = new Map(Object.entries(b));
  const entries = Object.entries(a);
  return entries.length === other.size && entries.every(([key, value]) => other.has(key) && Object.is(other.get(key), value));
}

/** True if a payload has the bytes that are remembered of a value: nothing has changed. Yields when the caller may pause. */
export function* isRepeated(value: unknown, remembered: Remembered, now: HeldBytes): Generator<undefined, boolean> {
  const { payload } = remembered;
  const { length } = payload.bytes;
  if (!now.awaits && now.bytes.length !== length) return false;
  for (let at = 0; at < length; at += STEP_BYTES) {
    const step = Math.min(STEP_BYTES, length - at);
    yield* arrived(now, at + step);
    if (now.bytes.length < at + step || commonLength(payload.view, at, now.view, at, step) < step) return false;
    yield;
  }
  yield* arrived(now, length + 1);
  if (now.awaits || now.bytes.length !== length) return false;
  keepWhole(value, remembered);
  return true;
}

/** Notes that nothing of a value has changed. */
export function keepWhole(value: unknown, remembered: Remembered): void {
  values.set(value as object, { ...remembered, changes: new Map() });
}

/** How a payload is compared. */
export type ReuseSetting = Omit<CompareSetting, 'sizes'> & Partial<Pick<CompareSetting, 'sizes'>>;

/** Samples are decoded by the comparison. */
function neverDecode(): never {
  throw new TypeError('nothing is decoded ahead of a comparison');
}

/**
 * Finds the items of a remembered value before it is compared for the first time. Yields when the caller may pause. A value that
 * cannot be compared is left to the comparison.
 */
export function* holdAhead(value: object, given: Pick<ReuseSetting, 'grammar' | 'form'>): Generator<undefined, void> {
  const { payload } = recall(value)!;
  const { grammar } = given;
  if (grammar.rootList || payload.bytes.length > MAX_BYTES) return;
  const setting: CompareSetting = { sizes: SIZES, ...given, decode: neverDecode, samplesLater: true };
  const at = grammar.start(payload.bytes);
  try {
    const root = yield* holdItems(setting, payload, at, payload.bytes.length, value, 1, true);
    const remembered = recall(value);
    // A comparison may have come first.
    if (remembered?.payload !== payload || remembered.root || !grammar.endsAt(payload.bytes, at + root.after)) return;
    remembered.root = root;
    remembered.isAhead = true;
  } catch (error) {
    if (error !== UNKNOWN) throw error;
  }
}

/**
 * The value of a payload, made from an earlier value, whose parts it contains wherever their bytes are the same. Remembers its
 * bytes, which must not change. Yields when the caller may pause, and while it waits for bytes. Throws `UNKNOWN` where a decode as
 * usual is better, and `CHANGED` if that is known before all bytes have arrived.
 */
export function* reuse(value: unknown, remembered: Remembered, now: HeldBytes, given: ReuseSetting): Generator<undefined, object> {
  const setting: CompareSetting = { sizes: SIZES, ...given };
  const { payload } = remembered;
  if (now.bytes.length > MAX_BYTES) throw UNKNOWN;
  if (remembered.isAhead) {
    const unchanged = yield* areSamplesUnchanged(setting, payload, remembered.root!, setting.grammar.start(payload.bytes));
    remembered.isAhead = false;
    if (!unchanged) {
      remembered.root = undefined;
      throw UNKNOWN;
    }
  }
  const root = (remembered.root ??= yield* rootOf(value, payload, now, setting));
  const comparison = new Comparison(setting, payload, now);
  const held = yield* given.grammar.rootList ? compareLists(comparison, root) : comparison.read(root);
  const { changes } = comparison;
  values.set(held.value, { payload: holdBytes(now.bytes), setting: remembered.setting, root: held, changes });
  return held.value;
}

/** Finds the items of a value that is compared for the first time. */
function* rootOf(value: unknown, payload: HeldBytes, now: HeldBytes, setting: CompareSetting): Generator<undefined, Held> {
  const { grammar, sizes } = setting;
  if (grammar.rootList) return yield* holdLists(setting, payload, value as object);
  const { length } = payload.bytes;
  const at = grammar.start(payload.bytes);
  if (length > sizes.probe) {
    const part = yield* holdItems(setting, payload, at, at + sizes.probe, value, 1, true);
    try {
      if (part.isPart) yield* new Comparison(setting, payload, now).read(part);
    } catch (error) {
      if (error !== UNDECIDED) throw error;
    }
  }
  const root = yield* holdItems(setting, payload, at, length, value, 1, true);
  if (!grammar.endsAt(payload.bytes, at + root.after)) throw UNKNOWN;
  return root;
}
