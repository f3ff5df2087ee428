import { refuseSurrogate } from './thrown.ts';
import { offsetOf, replaceAt } from '../bytes/output.ts';
import { isWellFormed, utf8Length } from '../bytes/text/utf8.ts';

/** How a format writes bundled strings. */
export interface BundleForm {
  /** UTF-16 units of the strings in a bundle. */
  readonly most: number;
  /** UTF-16 units from which strings are not bundled. */
  readonly longest: number;
  /**
   * Writes the pointer to a bundle, up to the four bytes of the distance. `before` is the byte length of the previous
   * bundle's strings, which follow the distance; −1 if there is no previous bundle.
   */
  pointer(before: number, at: number): number;
  /** Added to the distance from its own position. */
  readonly bias: number;
  /** Writes a string. */
  string(text: string, at: number): number;
  /** Bytes of the head of a string. */
  headSize(bytes: number): number;
}

/** UTF-16 units of the shortest string that is bundled. */
const MIN_LENGTH = 4;
/** Matches non-ASCII characters. */
const WIDE = /[^\0-\x7f]/;
const NONE = -1;

/** Collects strings after the values, like msgpackr and cbor-x; each format's `BundledStrings` reads them. */
export class StringBundle {
  #wide = '';
  #ascii = '';
  /** Offset of the open bundle's distance; NONE without a bundle. */
  #pointer = NONE;
  readonly #form: BundleForm;

  constructor(form: BundleForm) {
    this.#form = form;
  }

  /** True if a string is bundled. */
  takes({ length }: string): boolean {
    return length >= MIN_LENGTH && length < this.#form.longest;
  }

  /** The offset from which bytes may still be replaced. */
  get pinned(): number {
    return this.#pointer === NONE ? Infinity : this.#pointer;
  }

  /** Begins a value, without a bundle. */
  begin(): void {
    this.#pointer = NONE;
    this.#wide = this.#ascii = '';
  }

  /** Adds a string, and writes the pointer to a new bundle if needed. Returns the position after it. */
  add(text: string, isWide: boolean, at: number): number {
    if (this.#pointer === NONE || this.#wide.length + this.#ascii.length + text.length > this.#form.most) at = this.#open(at);
    if (isWide) this.#wide += text;
    else this.#ascii += text;
    return at;
  }

  /** Writes the strings of the open bundle after the value. Returns the position after them. */
  finish(at: number): number {
    if (this.#pointer === NONE) return at;
    const end = this.#flush(at);
    this.#pointer = NONE;
    return end;
  }

  #open(at: number): number {
    const bytes = utf8Length(this.#wide);
    const before = this.#pointer === NONE ? -1 : this.#form.headSize(bytes) + bytes + this.#form.headSize(this.#ascii.length) + this.#ascii.length;
    at = this.#form.pointer(before, at);
    const next = offsetOf(at);
    at += 4;
    if (before >= 0) at = this.#flush(at);
    this.#pointer = next;
    return at;
  }

  #flush(at: number): number {
    const distance = new DataView(new ArrayBuffer(4));
    distance.setUint32(0, offsetOf(at) - this.#pointer + this.#form.bias);
    at = replaceAt(this.#pointer, 4, new Uint8Array(distance.buffer), at);
    at = this.#form.string(this.#ascii, this.#form.string(this.#wide, at));
    this.#wide = this.#ascii = '';
    return at;
  }
}

/** True if a string is not ASCII. Throws an EncodeError if it is not well-formed UTF-16. */
export function isWide(text: string): boolean {
  if (!WIDE.test(text)) return false;
  if (!isWellFormed(text)) refuseSurrogate();
  return true;
}
