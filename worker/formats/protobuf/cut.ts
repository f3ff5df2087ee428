import type { ProtobufOptions } from './options.ts';

/** How far to look for the beginning of a message. */
const WINDOW = 256 * 1024;
/** So many messages must follow one another for the first to be taken for one. */
const MESSAGES = 32;

/**
 * Where a message of a sequence begins, at `near` or behind it: see `Cutting`. Nothing marks it, but from anywhere else
 * the lengths rarely lead from message to message, each of which begins with a tag that the one before has begun with.
 */
export function find(bytes: Uint8Array, near: number, { sequence, schemaless }: ProtobufOptions): number {
  if (!sequence || schemaless) return -1;
  const to = Math.min(bytes.length, near + WINDOW);
  for (let at = near; at < to; at += 1) if (leads(bytes, at)) return at;
  return -1;
}

/** Whether lengths lead on from `at` to many messages that begin with the same tag, or to the end of the input. */
function leads(bytes: Uint8Array, at: number): boolean {
  let tag = -1;
  for (let left = MESSAGES; left > 0; left -= 1) {
    let length = 0;
    let scale = 1;
    for (;;) {
      if (at >= bytes.length || scale > 2 ** 28) return false;
      const byte = bytes[at]!;
      at += 1;
      length += (byte & 0x7f) * scale;
      if (byte < 0x80) break;
      scale *= 128;
    }
    if (length < 2) return false;
    if (tag < 0) tag = bytes[at]!;
    else if (bytes[at] !== tag) return false;
    at += length;
    if (at === bytes.length) return true;
  }
  // A field number, and a wire type that there is.
  return tag >= 8 && (tag & 7) <= 5;
}
