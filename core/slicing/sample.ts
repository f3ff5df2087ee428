import type { ListForm } from '../format/format.ts';
import { DecodeSession, type SessionSetting } from '../format/decode-session.ts';
import { ObjectSink } from '../sinks/objects/objects.ts';
import { LOOK_BYTES } from './tuning.ts';
import { describeList, NO_LIST } from './list-form.ts';

const PIECE_BYTES = 2 * 1024;
/** Minimum bytes to sample, regardless of time. */
const MIN_BYTES = 8 * 1024;

/** Time limit in milliseconds, and number of items that is enough. */
const TIME_MS = 0.7;
const ENOUGH = 64;

/**
 * Samples the longest list that begins in the first bytes of a payload: at most 64 kB, and less than a millisecond once
 * the code is warm. Undefined if sampling is not possible: the reader needs the complete payload or code that is not
 * loaded, or the beginning is invalid.
 */
export function sample(bytes: Uint8Array, setting: SessionSetting): ListForm | undefined {
  const start = performance.now();
  const head = bytes.subarray(0, LOOK_BYTES);
  // Tagged values are not sampled.
  const sink = new ObjectSink(() => NO_VALUE);
  let longest: { items: unknown[]; count: number } | undefined;
  let at = 0;
  try {
    const session = new DecodeSession(setting, sink);
    if (session.readsWhole || session.prepare(head)) return undefined;
    while (at < head.length && (longest?.count ?? 0) < ENOUGH && (at < MIN_BYTES || performance.now() - start < TIME_MS)) {
      session.push(head.subarray(at, at + PIECE_BYTES));
      const list = sink.longestList;
      if (list && (longest === undefined || list.count >= longest.count)) longest = list;
      at = Math.min(at + PIECE_BYTES, head.length);
    }
  } catch {
    return undefined;
  }
  if (longest === undefined || longest.count < 2) return NO_LIST;
  return describeList(longest.items.slice(0, longest.count));
}

/** Placeholder for tagged values. */
const NO_VALUE = {};
