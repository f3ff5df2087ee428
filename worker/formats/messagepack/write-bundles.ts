import { offsetOf, out, replaceAt, room, soft } from '../../bytes/output.ts';
import { isWellFormed, utf8Length, writePieces } from '../../bytes/utf8.ts';
import { EncodeError } from '../../errors.ts';
import { extensionHead, stringHead } from './heads.ts';

/** UTF-16 units of the strings in a bundle, so that it fits in an extension with 16 bits for its length. */
const MOST = 0x5500;
/** UTF-16 units of strings that are bundled: as many and more, but fewer. */
const SHORTEST = 4;
const LONGEST = 0x1000;
/** The extension type. */
const TYPE = 0x62;
/** Beyond ASCII. */
// oxlint-disable-next-line no-control-regex -- ASCII has them.
const WIDE = /[^\0-\x7f]/;
const NONE = -1;

/** Gathers strings as msgpackr does: see `BundledStrings`, which reads them. */
export class StringBundle {
  #wide = '';
  #ascii = '';
  /** The offset of the pointer to the bundle, which is not known yet; NONE where no bundle is open. */
  #pointer = NONE;

  /** Whether a string is one that goes into a bundle. */
  static takes({ length }: string): boolean {
    return length >= SHORTEST && length < LONGEST;
  }

  /** From which offset on bytes are still replaced. */
  get pinned(): number {
    return this.#pointer === NONE ? Infinity : this.#pointer;
  }

  /** A value begins: nothing is open. */
  begin(): void {
    this.#pointer = NONE;
    this.#wide = this.#ascii = '';
  }

  /**
   * Adds a string, and writes what must come before its token, 0xc1. Returns the position after that, where the length
   * comes: `lengthOf`.
   */
  add(text: string, at: number): number {
    if (this.#pointer === NONE || this.#wide.length + this.#ascii.length + text.length > MOST) at = this.#open(at);
    if (isWide(text)) this.#wide += text;
    else this.#ascii += text;
    out[at] = 0xc1;
    return at + 1;
  }

  /** What stands for a string that was added. */
  static lengthOf(text: string): number {
    return isWide(text) ? -text.length : text.length;
  }

  /** Behind the value: the strings of the bundle that is open, if one is. Returns the position after them. */
  finish(at: number): number {
    if (this.#pointer === NONE) return at;
    const end = this.#flush(at);
    this.#pointer = NONE;
    return end;
  }

  /** A pointer to a new bundle, and before it the strings of the one before. */
  #open(at: number): number {
    if (this.#pointer === NONE) {
      at = extensionHead(4, TYPE, at > soft ? room(at, 0) : at);
      this.#pointer = offsetOf(at);
      return at + 4;
    }
    const bytes = utf8Length(this.#wide);
    const length = 4 + headSize(bytes) + bytes + headSize(this.#ascii.length) + this.#ascii.length;
    at = extensionHead(length, TYPE, room(at, length));
    const next = offsetOf(at);
    const end = this.#flush(at + 4);
    this.#pointer = next;
    return end;
  }

  #flush(at: number): number {
    const distance = new DataView(new ArrayBuffer(4));
    distance.setUint32(0, offsetOf(at) - this.#pointer);
    at = replaceAt(this.#pointer, 4, new Uint8Array(distance.buffer), at);
    for (const text of [this.#wide, this.#ascii]) {
      at = room(at, 8);
      at = writePieces(text, stringHead(utf8Length(text), at));
    }
    this.#wide = this.#ascii = '';
    return at;
  }
}

function isWide(text: string): boolean {
  if (!WIDE.test(text)) return false;
  if (!isWellFormed(text)) throw new EncodeError('text', 'a string with a lone surrogate');
  return true;
}

function headSize(bytes: number): number {
  return bytes < 32 ? 1 : bytes < 0x100 ? 2 : 3;
}
