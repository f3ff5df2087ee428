import { Message, STRUCT_POINTER, LIST_POINTER, COMPOSITE, POINTERS } from '../../../core/formats/capnproto/read/message.ts';
import { unpack } from '../../../core/formats/capnproto/read/packed.ts';
import { Budget } from '../../../core/budget.ts';
import { DEFAULT_LIMITS } from '../../../core/limits.ts';

// Structural checks for formats whose values refer to each other by offsets. Without a schema, the structure can be
// verified but not the meaning.

/** Maximum number of pointers to follow. */
const MAX_POINTERS = 2_000;
/** Maximum size of a packed message that is unpacked for the check. */
const MAX_PACKED = 1024 * 1024;

export interface Fit {
  confidence: number;
  sequence: boolean;
  reason: string;
}

/** Checks whether bytes are Cap'n Proto messages, possibly packed (https://capnproto.org/encoding.html). */
export function fitsCapnProto(bytes: Uint8Array): Fit | undefined {
  const plain = messages(bytes);
  if (plain) {
    return {
      confidence: plain.pointers > 0 ? 0.85 : 0.4,
      sequence: plain.count > 1,
      reason: 'the segment table matches the body, and the pointers are valid',
    };
  }
  // The first word holds the number of segments minus one and the first segment's size, so at least four of its bytes are usually zero.
  const tag = bytes[0] ?? 0;
  if ((tag & 0xce) !== 0 || tag === 0 || bytes.length > MAX_PACKED) return undefined;
  try {
    const budget = new Budget(DEFAULT_LIMITS);
    budget.receive(bytes.length);
    const found = messages(unpack(bytes, 0, bytes.length, 0, budget));
    if (!found || found.pointers === 0) return undefined;
    return { confidence: 0.75, sequence: found.count > 1, reason: 'unpacked, the segment table matches, and the pointers are valid' };
  } catch {
    return undefined;
  }
}

/** Reads consecutive messages up to the end of the bytes; undefined if they do not fit. */
function messages(bytes: Uint8Array): { count: number; pointers: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  let pointers = 0;
  for (let at = 0; at < bytes.length;) {
    const message = new Message();
    message.useWindow(bytes, view, 0);
    const end = message.frame(at, bytes.length);
    if (!(end > at && end <= bytes.length)) return undefined;
    try {
      const followed = follow(message);
      if (followed < 0) return undefined;
      pointers += followed;
    } catch {
      return undefined;
    }
    count += 1;
    at = end;
    if (pointers > MAX_POINTERS) break;
  }
  return count === 0 ? undefined : { count, pointers };
}

/** Counts reachable pointers; −1 if the root is not a struct. Throws for an invalid pointer. */
function follow(message: Message): number {
  if (message.ends[0]! - message.starts[0]! < 8) return -1;
  const open: [at: number, segment: number][] = [[message.starts[0]!, 0]];
  let followed = 0;
  while (open.length > 0 && followed < MAX_POINTERS) {
    const [at, segment] = open.pop()!;
    const kind = message.follow(at, segment);
    if (at === message.starts[0] && kind !== STRUCT_POINTER) return kind === 0 ? 0 : -1;
    if (kind === 0) continue;
    followed += 1;
    const { dataBytes, pointers, count, itemSize, itemBits } = message;
    const target = message.at;
    const inside = message.segment;
    if (kind === STRUCT_POINTER) {
      for (let index = 0; index < pointers; index += 1) open.push([target + dataBytes + index * 8, inside]);
    } else if (kind === LIST_POINTER && (itemSize === POINTERS || itemSize === COMPOSITE)) {
      for (let item = 0; item < count && open.length < MAX_POINTERS; item += 1) {
        const start = target + (item * itemBits) / 8 + dataBytes;
        for (let index = 0; index < pointers; index += 1) open.push([start + index * 8, inside]);
      }
    }
  }
  return followed;
}

/**
 * Checks whether bytes are a FlatBuffer, possibly size-prefixed (https://flatbuffers.dev/internals).
 *
 *     u32 root offset │ optional file identifier of 4 letters │ … │ vtable │ table
 *     table   i32 distance back to the vtable │ fields
 *     vtable  u16 own size │ u16 size of the table │ u16 offset of each field, 0 if absent
 */
export function fitsFlatBuffer(bytes: Uint8Array): Fit | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12) return undefined;
  const prefixed = view.getUint32(0, true) === bytes.length - 4;
  const base = prefixed ? 4 : 0;
  const root = base + view.getUint32(base, true);
  if (root % 4 !== 0 || root + 4 > bytes.length || root < base + 4) return undefined;
  const vtable = root - view.getInt32(root, true);
  if (vtable % 2 !== 0 || vtable < base + 4 || vtable + 4 > bytes.length || (vtable > root && vtable < root + 4)) return undefined;
  const size = view.getUint16(vtable, true);
  const tableSize = view.getUint16(vtable + 2, true);
  if (size < 4 || size % 2 !== 0 || vtable + size > bytes.length || tableSize < 4 || root + tableSize > bytes.length) return undefined;
  const taken = new Set<number>();
  for (let at = vtable + 4; at < vtable + size; at += 2) {
    const offset = view.getUint16(at, true);
    if (offset === 0) continue;
    if (offset < 4 || offset >= tableSize || taken.has(offset)) return undefined;
    taken.add(offset);
  }
  const name = String.fromCharCode(...bytes.subarray(base + 4, base + 8));
  const hasName = /^[A-Z0-9]{4}$/.test(name) && root > base + 4;
  if (taken.size === 0 && !hasName) return undefined;
  return {
    confidence: hasName ? 0.85 : 0.7,
    sequence: prefixed,
    reason: `the root offset leads to a table with a valid vtable${hasName ? `, file identifier ${name}` : ''}`,
  };
}
