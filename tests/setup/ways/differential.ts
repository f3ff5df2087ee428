import type { Format } from '../../../core/format/format.ts';
import { type Limits, resolveLimits } from '../../../core/limits.ts';
import { ObjectSink, shapeOf } from '../../../core/sinks/objects/objects.ts';
import { BINARY_KINDS } from '../../../core/reading/sink.ts';
import { cutStep } from '../properties/case-count.ts';
import { firstDifference, toHex } from '../values/hex.ts';

/** Options of `decodeWith`. */
export interface DecodeSetting {
  options?: object;
  schema?: unknown;
  limits?: Partial<Limits>;
  /** Sizes of the chunks; the last one takes the rest. Default: one chunk. */
  chunkSizes?: readonly number[];
  /** Values after which a reader of whole inputs pauses. Default: never. */
  stepValues?: number;
  /** Creates the values of the format's tags. Default: the format's `revive`. */
  revive?: (tag: string, inner: unknown) => unknown;
}

type AnyFormat = Format<never, never>;

/**
 * Decodes with the reader and an object sink; a single chunk also with the plain decoder, which must agree. Each chunk lies
 * in the middle of a larger buffer and is overwritten after it was pushed, which reveals readers that read past a chunk or
 * keep it.
 */
export function decodeWith(format: unknown, bytes: Uint8Array, setting: DecodeSetting = {}): unknown {
  const module = format as AnyFormat;
  const sink = new ObjectSink(setting.revive ?? ((tag, inner) => module.revive?.(tag, inner)));
  const options = (setting.options ?? {}) as never;
  const limits = resolveLimits(setting.limits);
  const reader = module.createReader(sink, options, limits, setting.schema as never);
  reader.stepValues = setting.stepValues ?? Infinity;
  const end = (chunk?: Uint8Array): void => {
    reader.end(chunk);
    while (reader.isPaused) reader.resume();
  };
  const give = (from: number, end: number, take: (chunk: Uint8Array) => void): void => {
    const buffer = new Uint8Array(end - from + 16).fill(0xc1);
    const chunk = buffer.subarray(7, 7 + end - from);
    chunk.set(bytes.subarray(from, end));
    take(chunk);
    buffer.fill(0xc1);
  };
  if (setting.chunkSizes) {
    let at = 0;
    for (const size of [...setting.chunkSizes, bytes.length]) {
      const end = Math.min(bytes.length, at + size);
      give(at, end, (chunk) => reader.push(chunk));
      at = end;
    }
    end();
  } else {
    let plain: unknown;
    give(0, bytes.length, (chunk) => (plain = module.decodeAtOnce?.(chunk, options, limits, setting.schema as never, shapeOf)));
    return sameAsPlain(plain, () => {
      give(0, bytes.length, end);
      return sink.result;
    });
  }
  return sink.result;
}

/** Returns or throws like `read`. Throws if the plain decoder, where it applies, returns another value. */
export function sameAsPlain(plain: unknown, read: () => unknown): unknown {
  if (plain === undefined) return read();
  let value: unknown;
  try {
    value = read();
  } catch (error) {
    throw new Error(`decoded plainly to ${show(plain)}`, { cause: error });
  }
  assertSame(plain, value);
  return value;
}

/**
 * Chunk sizes that cut `bytes` in two at every position, and into single bytes. Longer inputs are cut at every position in the deep tier
 * alone: see `cutStep`.
 */
export function* everyCut(bytes: Uint8Array): Generator<number[]> {
  const step = bytes.length < MANY_CUTS ? 1 : cutStep();
  for (let at = 1; at < bytes.length; at += step) yield [at];
  yield Array.from(bytes, () => 1);
}

/** Bytes from which an input is cut at some of its positions. */
const MANY_CUTS = 100;

/** The value or the error of a decode, for comparisons. */
export function outcome(decode: () => unknown): { value: unknown } | { error: string } {
  try {
    return { value: decode() };
  } catch (error) {
    const { name, code, limit, offset, reason } = error as Record<string, unknown>;
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    return { error: [name, code, limit, offset, reason].join(' | ') };
  }
}

/** Throws if decoding in chunks, or in steps, differs from decoding in one piece, whose outcome it returns. */
export function sameInEveryCut(format: unknown, bytes: Uint8Array, setting: DecodeSetting = {}): ReturnType<typeof outcome> {
  const whole = outcome(() => decodeWith(format, bytes, setting));
  for (const stepValues of [1, 7]) {
    const where = difference(
      outcome(() => decodeWith(format, bytes, { ...setting, stepValues })),
      whole,
    );
    if (where !== undefined) throw new Error(`in steps of ${stepValues}: ${where}`);
  }
  for (const chunkSizes of everyCut(bytes)) {
    const cut = outcome(() => decodeWith(format, bytes, { ...setting, chunkSizes }));
    const where = difference(cut, whole);
    if (where !== undefined) throw new Error(`in chunks of [${chunkSizes.slice(0, 4).join()}]: ${where}`);
  }
  return whole;
}

/** Throws with the path of the first difference. Stricter than deep equality: see `difference`. */
export function assertSame(actual: unknown, expected: unknown): void {
  const where = difference(actual, expected);
  if (where !== undefined) throw new Error(where);
}

/**
 * The first difference between two values, or undefined. Distinguishes −0 from 0, and absent properties and holes from
 * undefined; compares prototypes, the order of keys, sets and maps, the bytes and class of binary values, and shared and cyclic
 * references.
 */
export function difference(actual: unknown, expected: unknown): string | undefined {
  const seen = new Map<object, object>();
  const work: Pair[] = [{ a: actual, b: expected, above: undefined, key: '$' }];
  /** Compares primitives immediately. */
  const look = (a: unknown, b: unknown, above: Pair, key: PropertyKey): string | undefined => {
    if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) work.push({ a, b, above, key });
    else if (!Object.is(a, b)) return differ({ a, b, above, key }, a, b);
    return undefined;
  };
  for (let pair = work.pop(); pair; pair = work.pop()) {
    const { a, b } = pair;
    if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) {
      if (!Object.is(a, b)) return differ(pair, a, b);
      continue;
    }
    if (seen.has(a)) {
      if (seen.get(a) !== b) return differ(pair, a, b, 'is shared otherwise');
      continue;
    }
    seen.set(a, b);
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return differ(pair, a, b, 'has another prototype');
    if (a instanceof Date) {
      if (!Object.is(a.getTime(), (b as Date).getTime())) return differ(pair, a, b);
    } else if (a instanceof RegExp || a instanceof URL) {
      if (a.toString() !== (b as RegExp).toString()) return differ(pair, a, b);
    } else if (ArrayBuffer.isView(a) || a instanceof ArrayBuffer) {
      const bytes = bytesIn(a);
      const others = bytesIn(b as ArrayBuffer);
      if (firstDifference(bytes, others) >= 0) return differ(pair, toHex(bytes), toHex(others));
    } else if (a instanceof Set || a instanceof Map) {
      const left = [...a] as unknown[];
      const right = [...(b as Set<unknown>)];
      if (left.length !== right.length) return differ(pair, left.length, right.length, 'has another size');
      // The pairs of a map are new arrays, so only their parts are compared.
      for (const [i, item] of left.entries()) {
        if (a instanceof Set) {
          const where = look(item, right[i], pair, `<${i}>`);
          if (where !== undefined) return where;
          continue;
        }
        const [key, value] = item as [unknown, unknown];
        const [otherKey, otherValue] = right[i] as [unknown, unknown];
        const where = look(key, otherKey, pair, `<${i} key>`) ?? look(value, otherValue, pair, `<${i}>`);
        if (where !== undefined) return where;
      }
    } else if (isDense(a) && isDense(b) && a.length === b.length) {
      for (let i = 0; i < a.length; i += 1) {
        const where = look(a[i], b[i], pair, i);
        if (where !== undefined) return where;
      }
    } else {
      const keys = ownKeys(a);
      const others = ownKeys(b);
      if (keys.length !== others.length || keys.some((key, i) => key !== others[i])) {
        return differ(pair, keys.map(String), others.map(String), 'has other keys');
      }
      for (const key of keys) {
        const one = Object.getOwnPropertyDescriptor(a, key)!;
        const other = Object.getOwnPropertyDescriptor(b, key)!;
        if (!('value' in one) || one.enumerable !== other.enumerable || one.writable !== other.writable) {
          return differ({ a, b, above: pair, key }, one, other, 'is another kind of property');
        }
        const where = look(one.value, other.value, pair, key);
        if (where !== undefined) return where;
      }
    }
  }
  return undefined;
}

/** True for arrays without holes and other properties, which need no check of each property. */
function isDense(value: unknown): value is unknown[] {
  return Array.isArray(value) && !Object.isSealed(value) && !value.includes(undefined) && Reflect.ownKeys(value).length === value.length + 1;
}

/** Two values and their path. */
interface Pair {
  readonly a: unknown;
  readonly b: unknown;
  readonly above: Pair | undefined;
  readonly key: PropertyKey;
}

/** Formats a path; only called for a difference. */
function pathOf({ above, key }: Pair): string {
  if (above === undefined) return String(key);
  return typeof key === 'string' && key.startsWith('<') ? pathOf(above) + key : `${pathOf(above)}.${String(key)}`;
}

/** Class names of the binary kinds by index. */
export const binaryKind = (name: (typeof BINARY_KINDS)[number]): number => BINARY_KINDS.indexOf(name);

/** Properties of errors for the stack position, which differ between engines. */
const PLACES: readonly PropertyKey[] = ['stack', 'fileName', 'lineNumber', 'columnNumber', 'line', 'column', 'sourceURL'];

function ownKeys(value: object): PropertyKey[] {
  const keys = Reflect.ownKeys(value);
  return value instanceof Error ? keys.filter((key) => !PLACES.includes(key)) : keys;
}

function bytesIn(value: ArrayBufferView | ArrayBuffer): Uint8Array {
  return ArrayBuffer.isView(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : new Uint8Array(value);
}

function differ(pair: Pair, a: unknown, b: unknown, what = 'differs'): string {
  return `${pathOf(pair)} ${what}: ${show(a)} is not ${show(b)}`;
}

function show(value: unknown): string {
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return `${value}n`;
  try {
    const text: string | undefined = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
    return (text ?? String(value)).slice(0, 200);
  } catch {
    return String(value);
  }
}
