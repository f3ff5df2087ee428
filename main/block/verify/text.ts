import { malformed } from './tape.ts';

/** Bytes checked in one step. */
const PIECE = 64 * 1024;
const NOT_ASCII = 0x80808080 | 0;

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Checks that bytes are WTF-8, or ASCII if declared as such, so that byte positions match positions in the decoded
 * text.
 */
export function* verifyText(bytes: Uint8Array<ArrayBuffer>, ascii: boolean): Generator<undefined, void, undefined> {
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + PIECE, bytes.length);
    // A sequence has at most three bytes after its first.
    for (let back = 0; !ascii && to < bytes.length && back < 3 && isContinuation(bytes[to]); back++) to--;
    const piece = bytes.subarray(from, to);
    if (!(ascii ? isAscii(piece) : isUtf8(piece) || isWtf8(piece))) throw malformed('text does not match its declared encoding');
    from = to;
    yield;
  }
}

/** True for a continuation byte of UTF-8. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** True if all bytes are ASCII. Sections are aligned to 8 bytes. */
function isAscii(bytes: Uint8Array<ArrayBuffer>): boolean {
  let seen = 0;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  for (const word of words) seen |= word;
  for (let at = words.length << 2; at < bytes.length; at++) seen |= (bytes[at]! & 0x80) << 24;
  return (seen & NOT_ASCII) === 0;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** True for UTF-8, including encoded surrogates. */
function isWtf8(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at]!;
    const second = bytes[at + 1]!;
    const following = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    if (following > 0 && (byte < 0xc2 || byte > 0xf4)) return false;
    if ((byte === 0xe0 && second < 0xa0) || (byte === 0xf0 && second < 0x90) || (byte === 0xf4 && second >= 0x90)) return false;
    for (let more = 1; more <= following; more++) if (!isContinuation(bytes[at + more])) return false;
    at += following + 1;
  }
  return true;
}
