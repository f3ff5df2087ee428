import { DecodeError } from '../../../errors.ts';
import type { Budget } from '../../../budget.ts';
import type { Message } from './message.ts';

/** A pointer to a struct without content. */
const EMPTY_STRUCT = 0xffff_fffcn;

/**
 * Unpacks `from..to` (https://capnproto.org/encoding.html#packing). Each word is a tag, whose bits mark the nonzero
 * bytes, followed by these bytes. Tag 0x00 is followed by the number of further zero words; tag 0xff by its eight
 * bytes and the number of unpacked words that follow. Charges `budget` for the bytes before allocating them.
 */
export function unpack(bytes: Uint8Array, from: number, to: number, base: number, budget: Budget): Uint8Array {
  const words = countWords(bytes, from, to, base, budget);
  const result = new Uint8Array(words * 8);
  let out = 0;
  for (let at = from; at < to;) {
    const tag = bytes[at]!;
    at += 1;
    if (tag === 0) {
      out += 8 + bytes[at]! * 8;
      at += 1;
      continue;
    }
    if (tag === 0xff) {
      const length = 8 + bytes[at + 8]! * 8;
      for (let i = 0; i < 8; i += 1) result[out + i] = bytes[at + i]!;
      if (length > 8) result.set(bytes.subarray(at + 9, at + 1 + length), out + 8);
      at += 1 + length;
      out += length;
      continue;
    }
    for (let bit = 0; bit < 8; bit += 1) {
      if ((tag & (1 << bit)) === 0) continue;
      result[out + bit] = bytes[at]!;
      at += 1;
    }
    out += 8;
  }
  return result;
}

function countWords(bytes: Uint8Array, from: number, to: number, base: number, budget: Budget): number {
  let words = 0;
  let at = from;
  while (at < to) {
    const start = at;
    const tag = bytes[at]!;
    at += 1;
    let more = 0;
    if (tag === 0) {
      more = at < to ? bytes[at]! : 0;
      at += 1;
    } else if (tag === 0xff) {
      more = at + 8 < to ? bytes[at + 8]! : 0;
      at += 9 + more * 8;
    } else {
      for (let bits = tag; bits > 0; bits &= bits - 1) at += 1;
    }
    if (at > to) throw new DecodeError('truncated', 'the input ends inside a packed word', { offset: base + to });
    words += 1 + more;
    budget.spendInput(8 + more * 8, base + start);
  }
  return words;
}

/**
 * True if `from..to` of the message's window is packed: the raw segment table does not add up to it, and the first
 * byte, as a tag, has bits set for the size of the first segment.
 */
export function looksPacked(message: Message, from: number, to: number, flat: boolean, sequence: boolean): boolean {
  const { bytes, view } = message;
  if (to === from) return false;
  // The root pointer leads to the next word, or is that of an empty struct, whose offset is −1.
  if (flat) return (to - from) % 8 !== 0 || (view.getInt32(from, true) !== 0 && view.getBigUint64(from, true) !== EMPTY_STRUCT);
  const end = message.frame(from, to);
  if (sequence ? end > 0 && end <= to : end === to) return false;
  return (bytes[from]! & 0xf0) !== 0;
}
