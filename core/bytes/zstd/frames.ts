import { readLittle, SequencesCheck } from './sequences.ts';

/** A decompressor of the library. Its data callback receives the content of each block. */
interface Decompress {
  push(chunk: Uint8Array, final?: boolean): void;
}

/** Makes a decompressor that calls `onData` with the content of each block. */
export type MakeDecompress = (onData: (data: Uint8Array) => void) => Decompress;

const MAGIC = 0xfd2fb528;
/** Bytes of the magic number and the flags. */
const HEAD_START = 5;
const BLOCK_HEAD = 3;
/** Bytes of the largest block (RFC 8878 section 3.1.1.2.4). */
const MAX_BLOCK = 1 << 17;
/** Largest window that the reference implementation accepts by default. */
const MAX_WINDOW = 1 << 27;
/**
 * Window bytes that cost as much as one byte of output: the library allocates the window for each frame and moves it
 * for each block.
 */
const MOVED = 64;

/** Kind of the bytes being collected. */
const FRAME = 0;
const BLOCK = 1;
const CONTENT = 2;

/**
 * Decompresses Zstandard (RFC 8878), one frame after another, from chunks of any size:
 *
 *     frame: magic number, flags ffs?0cdd, window (unless s), dictionary id (dd), content size (ff)
 *            blocks: 3 bytes: size, type (2 bits), last (1 bit); content
 *            4 bytes of checksum (c), which are not verified
 *     skippable frame: magic number, uint32 length, bytes
 *
 * The library trusts the window and content size in a frame's header and allocates both. So this class reads the
 * headers, charges the window before it is allocated, and passes the library a header of its own and whole blocks.
 * `allow` is called with the cost of the window in bytes and throws if it is too high; `onData` may throw for the
 * content. Errors thrown here carry no place.
 */
export class ZstdFrames {
  readonly #make: MakeDecompress;
  readonly #onData: (data: Uint8Array) => void;
  readonly #allow: (bytes: number) => void;
  #phase = FRAME;
  /** The header or block being collected; `#length` bytes of it have arrived. */
  #token: Uint8Array = new Uint8Array(HEAD_START);
  #length = 0;
  /** Bytes to skip, of a skippable frame or a checksum. */
  #skip = 0;
  #decompress: Decompress | undefined;
  #sequences: SequencesCheck | undefined;
  #window = 0;
  #checksum = false;
  /** Bytes of content still expected in the frame; −1 if its header does not say. */
  #left = -1;

  constructor(make: MakeDecompress, onData: (data: Uint8Array) => void, allow: (bytes: number) => void) {
    this.#make = make;
    this.#onData = onData;
    this.#allow = allow;
  }

  /** True if no frame is incomplete. */
  get isBetweenFrames(): boolean {
    return this.#phase === FRAME && this.#length === 0 && this.#skip === 0;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, bytes.length - at);
        this.#skip -= passed;
        at += passed;
        continue;
      }
      const taken = bytes.subarray(at, at + this.#token.length - this.#length);
      this.#token.set(taken, this.#length);
      this.#length += taken.length;
      at += taken.length;
      if (this.#length === this.#token.length) this.#advance();
    }
  }

  /** Reads the collected bytes and sets what to collect next. */
  #advance(): void {
    const token = this.#token;
    if (this.#phase === FRAME) {
      const magic = readLittle(token, 0, 4);
      if (magic >= 0x184d2a50 && magic <= 0x184d2a5f) {
        if (token.length < 8) return this.#gather(8);
        this.#skip = readLittle(token, 4, 4);
        return this.#restart(FRAME, HEAD_START);
      }
      if (magic !== MAGIC) throw new Error('not a Zstandard frame');
      const length = headLength(token[4]!);
      if (token.length < length) return this.#gather(length);
      this.#begin(token);
      return this.#restart(BLOCK, BLOCK_HEAD);
    }
    const head = readLittle(token, 0, BLOCK_HEAD);
    const type = (head >> 1) & 3;
    const size = head >> 3;
    if (this.#phase === BLOCK) {
      if (type === 3 || size > MAX_BLOCK) throw new Error('unknown kind of Zstandard block');
      this.#phase = CONTENT;
      const length = BLOCK_HEAD + (type === 1 ? 1 : size);
      if (token.length < length) return this.#gather(length);
    }
    this.#allow(this.#window / MOVED);
    if (type === 2) this.#sequences!.check(token);
    const last = (head & 1) === 1;
    this.#decompress!.push(token, last);
    if (!last) return this.#restart(BLOCK, BLOCK_HEAD);
    if (this.#left > 0) throw new Error('a Zstandard frame of an unexpected length');
    this.#decompress = undefined;
    this.#sequences = undefined;
    this.#skip = this.#checksum ? 4 : 0;
    this.#restart(FRAME, HEAD_START);
  }

  /** Begins the frame with this header. */
  #begin(head: Uint8Array): void {
    const flags = head[4]!;
    const single = (flags & 0x20) !== 0;
    const width = sizeWidth(flags);
    const size = width === 0 ? -1 : readLittle(head, head.length - width, width) + (width === 2 ? 256 : 0);
    let window = single ? size : windowOf(head[5]!);
    if (size >= 0) window = Math.min(window, size);
    this.#allow(window > MAX_WINDOW ? Infinity : window / MOVED);
    let descriptor = 0;
    while (windowOf(descriptor) < window) descriptor += 1;
    this.#window = windowOf(descriptor);
    this.#sequences = new SequencesCheck(Math.min(this.#window, MAX_BLOCK));
    this.#checksum = (flags & 4) !== 0;
    this.#left = size;
    this.#decompress = this.#make((data) => {
      if (data.length === 0) return;
      if (this.#left >= 0) {
        this.#left -= data.length;
        if (this.#left < 0) throw new Error('a Zstandard frame of an unexpected length');
      }
      this.#onData(data);
    });
    this.#decompress.push(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, descriptor));
  }

  #restart(phase: number, length: number): void {
    this.#phase = phase;
    this.#token = new Uint8Array(length);
    this.#length = 0;
  }

  /** Continues to collect until there are `length` bytes. */
  #gather(length: number): void {
    const token = new Uint8Array(length);
    token.set(this.#token);
    this.#token = token;
  }
}

/** Bytes of a frame's header, from its flags. */
function headLength(flags: number): number {
  if ((flags & 0x08) !== 0) throw new Error('unknown kind of Zstandard frame');
  if ((flags & 3) !== 0) throw new Error('a Zstandard frame that needs a dictionary');
  return HEAD_START + ((flags & 0x20) !== 0 ? 0 : 1) + sizeWidth(flags);
}

/** Bytes of the content size field. */
function sizeWidth(flags: number): number {
  return flags >> 6 === 0 ? (flags >> 5) & 1 : 1 << (flags >> 6);
}

/** eeeeemmm: (8 + m) · 2^(7 + e) bytes. */
function windowOf(descriptor: number): number {
  return (8 + (descriptor & 7)) * 2 ** (7 + (descriptor >> 3));
}
