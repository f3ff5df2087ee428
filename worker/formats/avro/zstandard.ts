import { CodecError } from './snappy.ts';

/** Decompresses one frame. */
export type FrameDecoder = (frame: Uint8Array) => Uint8Array;

/** Bytes of the largest block (RFC 8878 section 3.1.1.2.4). */
const LARGEST_BLOCK = 1 << 17;
/** Every decoder should take windows of this size (RFC 8878 section 3.1.1.1.2); larger ones are for data of gigabytes. */
const LARGEST_WINDOW = 1 << 27;
/** The decoder moves the window once a block: as many bytes as cost as much as one byte of output. */
const MOVED = 16;

/** A frame as its heads tell. */
interface Frame {
  /** Blocks, and the position after the frame. */
  from: number;
  to: number;
  end: number;
  window: number;
  /** Bytes of its content where they are told; else −1. */
  size: number;
  blocks: number;
  /** It has no more bytes than these. */
  most: number;
}

/**
 * Decompresses Zstandard (RFC 8878): frames, one behind the other. `allow` is told the most that a frame can cost before
 * anything is made of it. What the heads tell is checked here, since the decoder believes it: a frame goes to it with a
 * head that names no size, and a window no larger than its content. Throws a CodecError.
 */
export function decompressZstandard(bytes: Uint8Array, decode: FrameDecoder, allow: (size: number) => void): Uint8Array<ArrayBuffer> {
  const contents: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; at < bytes.length;) {
    if (bytes.length - at < 8) throw cut();
    const magic = readLittle(bytes, at, 4);
    if (magic >= 0x184d2a50 && magic <= 0x184d2a5f) {
      // A skippable frame: magic, uint32 length, bytes.
      at += 8 + readLittle(bytes, at + 4, 4);
      if (at > bytes.length) throw cut();
      continue;
    }
    if (magic !== 0xfd2fb528) throw new CodecError('not a Zstandard frame');
    const frame = readFrame(bytes, at);
    const window = Math.min(frame.window, frame.most);
    allow(Math.ceil((frame.blocks * window) / MOVED));
    if (frame.size >= 0) allow(frame.size);
    const content = decode(rebuild(bytes, frame, window));
    if (frame.size < 0) allow(content.length);
    else if (content.length !== frame.size) throw new CodecError('a Zstandard frame of an unexpected length');
    contents.push(content);
    total += content.length;
    at = frame.end;
  }
  const output = new Uint8Array(total);
  let to = 0;
  for (const content of contents) {
    output.set(content, to);
    to += content.length;
  }
  return output;
}

/**
 * Reads the heads of a frame (RFC 8878 section 3.1.1) at its magic number:
 *
 *     magic, 1 byte: flags ffs?0cdd, window (unless s), id of a dictionary (dd), size of the content (ff)
 *     blocks: 3 bytes: size, type (2 bits), last (1 bit); content
 *     4 bytes of checksum (c)
 */
function readFrame(bytes: Uint8Array, start: number): Frame {
  const flags = bytes[start + 4]!;
  if ((flags & 0x08) !== 0) throw new CodecError('unknown kind of Zstandard frame');
  if ((flags & 3) !== 0) throw new CodecError('a Zstandard frame that needs a dictionary');
  let at = start + 5;
  const single = (flags & 0x20) !== 0;
  let window = 0;
  if (!single) {
    const descriptor = bytes[at]!;
    window = windowOf(descriptor);
    at += 1;
  }
  const width = flags >> 6 === 0 ? (single ? 1 : 0) : 1 << (flags >> 6);
  if (at + width > bytes.length) throw cut();
  const size = width === 0 ? -1 : readLittle(bytes, at, width) + (width === 2 ? 256 : 0);
  at += width;
  if (single) window = size;
  if (window > LARGEST_WINDOW && !single) throw new CodecError('a Zstandard frame with a window of more than 128 MiB');
  const from = at;
  let blocks = 0;
  let most = 0;
  for (let last = false; !last; blocks += 1) {
    if (at + 3 > bytes.length) throw cut();
    const head = readLittle(bytes, at, 3);
    last = (head & 1) === 1;
    const type = (head >> 1) & 3;
    const length = head >> 3;
    if (type === 3 || length > LARGEST_BLOCK) throw new CodecError('unknown kind of Zstandard block');
    most += type === 2 ? LARGEST_BLOCK : length;
    at += 3 + (type === 1 ? 1 : length);
    if (at > bytes.length) throw cut();
  }
  const end = at + ((flags & 4) === 0 ? 0 : 4);
  if (end > bytes.length) throw cut();
  return { from, to: at, end, window, size, blocks, most: size < 0 ? most : Math.min(most, size) };
}

/** The frame with a head of its own: a window, and nothing else. */
function rebuild(bytes: Uint8Array, { from, to }: Frame, window: number): Uint8Array {
  let descriptor = 0;
  while (windowOf(descriptor) < window) descriptor += 1;
  const frame = new Uint8Array(6 + to - from);
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0, descriptor]);
  frame.set(bytes.subarray(from, to), 6);
  return frame;
}

/** eeeeemmm: (8 + m) · 2^(7 + e) bytes. */
function windowOf(descriptor: number): number {
  return (8 + (descriptor & 7)) * 2 ** (7 + (descriptor >> 3));
}

function readLittle(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i += 1) value += bytes[at + i]! * 2 ** (8 * i);
  return value;
}

function cut(): CodecError {
  return new CodecError('Zstandard data that are cut');
}
