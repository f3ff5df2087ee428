/** Size of the pieces in which matches are searched for: a distance within a piece fits into 16 bits. */
const PIECE = 1 << 16;
const HASH_BITS = 14;
const MIN_LENGTH = 4;

/** Last position of each hash of four bytes in the piece, plus 1. */
const table = new Uint16Array(1 << HASH_BITS);

/**
 * Compresses into Snappy's raw format (https://github.com/google/snappy/blob/main/format_description.txt); see
 * `decompressSnappy`.
 */
export function compressSnappy(data: Uint8Array): Uint8Array {
  const output = new Uint8Array(32 + data.length + Math.ceil(data.length / 6));
  let to = 0;
  let rest = data.length;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) output[to++] = (rest & 0x7f) | 0x80;
  output[to++] = rest;
  for (let from = 0; from < data.length; from += PIECE) to = compressPiece(data, from, Math.min(from + PIECE, data.length), output, to);
  return output.subarray(0, to);
}

function compressPiece(data: Uint8Array, from: number, end: number, output: Uint8Array, start: number): number {
  table.fill(0);
  let to = start;
  let literal = from;
  let at = from;
  while (at + MIN_LENGTH <= end) {
    const word = wordAt(data, at);
    const slot = Math.imul(word, 0x1e35a7bd) >>> (32 - HASH_BITS);
    const seen = table[slot]! - 1 + from;
    table[slot] = at - from + 1;
    if (seen < from || seen >= at || wordAt(data, seen) !== word) {
      // The step grows with the distance from the last match.
      at += 1 + ((at - literal) >> 5);
      continue;
    }
    let length = MIN_LENGTH;
    while (at + length < end && data[seen + length] === data[at + length]) length += 1;
    to = writeLiteral(data, literal, at, output, to);
    to = writeCopy(at - seen, length, output, to);
    at += length;
    literal = at;
  }
  return writeLiteral(data, literal, end, output, to);
}

function wordAt(data: Uint8Array, at: number): number {
  return data[at]! | (data[at + 1]! << 8) | (data[at + 2]! << 16) | (data[at + 3]! << 24);
}

function writeLiteral(data: Uint8Array, from: number, end: number, output: Uint8Array, start: number): number {
  const length = end - from;
  if (length === 0) return start;
  let to = start;
  if (length <= 60) output[to++] = (length - 1) << 2;
  else if (length <= 0x100) {
    output[to++] = 60 << 2;
    output[to++] = length - 1;
  } else {
    output[to++] = 61 << 2;
    output[to++] = length - 1;
    output[to++] = (length - 1) >> 8;
  }
  output.set(data.subarray(from, end), to);
  return to + length;
}

/** Writes copies of 4 to 64 bytes each. */
function writeCopy(back: number, length: number, output: Uint8Array, start: number): number {
  let to = start;
  let left = length;
  while (left > 0) {
    const part = left > 64 ? Math.min(64, left - MIN_LENGTH) : left;
    output[to] = ((part - 1) << 2) | 2;
    output[to + 1] = back;
    output[to + 2] = back >> 8;
    to += 3;
    left -= part;
  }
  return to;
}
