/** Progress through one value that is skipped: position, and open containers (JSON) or values that remain (binary formats). */
export interface Skip {
  at: number;
  open: number;
}

/** An open list or object of a payload that is read item by item. */
export interface OpenItems {
  readonly isList: boolean;
  /** Position of the next item, of an object its key; −1 once the container has ended. */
  at: number;
  /** Position after the container; −1 until it has ended. */
  end: number;
  /** Items that remain; `UNCOUNTED` in formats that do not count them. */
  left: number;
  /** Position of the container's last byte; the end of the bytes in formats that do not declare it. */
  readonly last: number;
  /** The tag of all items, in Protocol Buffers. */
  readonly tag?: number;
}

/**
 * More items than a list can have. Numbers of a comparison are small integers, not `Infinity`: V8 compares bytes four times slower
 * by positions that may be doubles.
 */
export const UNCOUNTED: number = 2 ** 30 - 1;

/** The bytes of an item. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** The key of an item of an object, and the position of its value. */
export interface Key {
  readonly text: string;
  readonly value: number;
}

/**
 * How the items of lists and objects lie in a format's bytes. Only the boundaries are found: the content is checked where it is
 * decoded. Everything that a grammar does not know throws `UNKNOWN`.
 */
export interface Grammar {
  /** True if a list's items begin with a type and a key that says nothing of their value: see `content`. */
  readonly hasHeads: boolean;
  /** Position of the root value. */
  start(bytes: Uint8Array): number;
  /** True if nothing but white space follows the root value. */
  endsAt(bytes: Uint8Array, at: number): boolean;
  /** Opens the list or object at `at`; undefined for other values. */
  open(bytes: Uint8Array, at: number): OpenItems | undefined;
  /** True if a list or object begins at `at`. */
  opens(bytes: Uint8Array, at: number): boolean;
  /** Skips one value: true at its end, false once `to` is reached before. Nothing past `to` is read. */
  skip(bytes: Uint8Array, skip: Skip, to: number): boolean;
  /** Moves on after an item that ended at `at`. */
  next(bytes: Uint8Array, open: OpenItems, at: number): void;
  /** Moves on by fewer than `left` items to the position after them, which is that of the next one if there is one. */
  pass(bytes: Uint8Array, open: OpenItems, count: number, at: number): void;
  /** Reads the key at `at`. */
  key(bytes: Uint8Array, at: number): Key;
  /** Position of the first byte on which the value of a list's item depends, in addition to the byte at its start. */
  content(bytes: Uint8Array, start: number): number;
  /** End of an item that begins at `start`, before the next one at `next`. */
  endOf(bytes: Uint8Array, start: number, next: number): number;
  /** True if a value that is equal to an earlier one may end at `at`. */
  mayEnd(bytes: Uint8Array, at: number): boolean;
  readonly frame: Frame;
  /**
   * The key of the list whose item is at `at` of the root; undefined for other members. Only in formats whose root has lists, and
   * members that are not told apart.
   */
  rootList?(bytes: Uint8Array, at: number): string | undefined;
}

/** Makes a payload of items that lie anywhere in another payload. */
export interface Frame {
  /** Containers that it adds around the items. */
  readonly levels: number;
  /** True if the payload is a sequence of values. */
  readonly isSequence: boolean;
  write(bytes: Uint8Array, ranges: readonly ByteRange[]): Uint8Array<ArrayBuffer>;
  /** The items of the decoded payload. */
  read(value: unknown): unknown[];
}

/** Decodes a payload that `Frame.write` has made. `levels`: containers that are open around the items. Throws for invalid bytes. */
export type DecodeItems = (bytes: Uint8Array<ArrayBuffer>, levels: number) => unknown;

/** Writes ranges one after another. */
export function writeRanges(bytes: Uint8Array, ranges: readonly ByteRange[]): Uint8Array<ArrayBuffer> {
  const written = new Uint8Array(rangesLength(ranges));
  let at = 0;
  for (const { from, to } of ranges) {
    written.set(bytes.subarray(from, to), at);
    at += to - from;
  }
  return written;
}

/** Bytes of some ranges together. */
export function rangesLength(ranges: readonly ByteRange[]): number {
  let length = 0;
  for (const { from, to } of ranges) length += to - from;
  return length;
}

/** Thrown if a payload is best decoded as usual: it has changed too much, or has bytes that the grammar does not know. */
export const UNKNOWN: Error = new Error('decode as usual');

/** Thrown if a payload has changed too much, before all of its bytes have arrived. */
export const CHANGED: Error = new Error('decode as usual while it arrives');

/** Thrown if the first part of an earlier payload does not decide whether a comparison is worth it. */
export const UNDECIDED: Error = new Error('compare all');

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of some UTF-8. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  try {
    return utf8.decode(bytes.subarray(from, to));
  } catch {
    throw UNKNOWN;
  }
}
