import { DecodeSession, type SessionSetting } from '../../core/reading/decode.ts';
import { ObjectSink } from '../../core/sinks/objects/objects.ts';
import { NO_LIST, type Sample } from './sampled.ts';

const HEAD_BYTES = 64 * 1024;
const PIECE_BYTES = 2 * 1024;
/** Minimum bytes to sample, regardless of time. */
const LEAST_BYTES = 8 * 1024;

/** Time limit in milliseconds, and number of items that is enough. */
const TIME_MS = 0.7;
const ENOUGH = 64;

/** Minimum average fraction of a list's keys that each record has if the records are regular. */
const COMMON = 0.75;

/**
 * Samples the longest list that begins in the first bytes of a payload: at most 64 kB, and less than a millisecond once
 * the code is warm. Undefined if sampling is not possible: the reader needs the complete payload or code that is not
 * loaded, or the beginning is invalid.
 */
export function sample(bytes: Uint8Array, setting: SessionSetting): Sample | undefined {
  const start = performance.now();
  const head = bytes.subarray(0, HEAD_BYTES);
  // Tagged values are not sampled.
  const sink = new ObjectSink(() => NO_VALUE);
  let longest: { items: unknown[]; count: number } | undefined;
  /** Position at which each list was first seen. */
  const seen = new Map<unknown[], number>();
  let at = 0;
  try {
    const session = new DecodeSession(setting, sink);
    if (session.readsWhole || session.prepare(head)) return undefined;
    while (at < head.length && (longest?.count ?? 0) < ENOUGH && (at < LEAST_BYTES || performance.now() - start < TIME_MS)) {
      session.push(head.subarray(at, at + PIECE_BYTES));
      const list = sink.longestList;
      if (list && !seen.has(list.items)) seen.set(list.items, at);
      if (list && (longest === undefined || list.count >= longest.count)) longest = list;
      at = Math.min(at + PIECE_BYTES, head.length);
    }
  } catch {
    return undefined;
  }
  if (longest === undefined || longest.count < 2) return NO_LIST;
  const items = longest.items.slice(0, longest.count);
  return { list: true, ...describe(items), bytesPerRecord: (at - seen.get(longest.items)!) / items.length };
}

/** Placeholder for tagged values. */
const NO_VALUE = {};

function describe(items: readonly unknown[]): Pick<Sample, 'records' | 'flat' | 'regular'> {
  const keys = new Set<string>();
  let values = 0;
  let flat = true;
  for (const item of items) {
    if (!isRecord(item)) return { records: false, flat: false, regular: false };
    for (const key in item) {
      keys.add(key);
      values += 1;
      flat &&= isScalar(item[key]);
    }
  }
  return { records: true, flat, regular: values > 0 && values >= COMMON * keys.size * items.length };
}

function isRecord(item: unknown): item is Record<string, unknown> {
  return typeof item === 'object' && item !== null && Object.getPrototypeOf(item) === Object.prototype;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Date;
}
