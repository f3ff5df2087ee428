import { offsetOf, replaceAt } from '../bytes/output.ts';
import { isWellFormed, utf8Length } from '../bytes/text/utf8.ts';
import { EncodeError } from '../errors.ts';

/** How a format writes what belongs to bundled strings. */
export interface BundleForm {
  /** UTF-16 units of the strings in a bundle. */
  readonly most: number;
  /** Strings of so many UTF-16 units are not bundled any more. */
  readonly longest: number;
  /**
   * Writes what points to a bundle, up to where the distance, in four bytes, is to stand. `before` are the bytes of the
   * strings of the bundle before it, which come behind the distance; −1 where there is none.
   */
  pointer(before: number, at: number): number;
  /** What is added to the distance from its own place. */
  readonly extra: number;
  /** Writes a string. */
  string(text: string, at: number): number;
  /** Bytes of the head of a string. */
  headSize(bytes: number): number;
}

/** UTF-16 units of the shortest string that is bundled. */
const SHORTEST = 4;
/** Beyond ASCII. */
const WIDE = /[^\0-\x7f]/;
const NONE = -1;

/** Gathers strings behind the values, as msgpackr and cbor-x do: see each format's `BundledStrings`, which reads them. */
export class StringBundle {
  #wide = '';
  #ascii = '';
  /** The offset of the distance of the bundle that is open; NONE where none is. */
  #pointer = NONE;
  readonly #form: BundleForm;

  constructor(form: BundleForm) {
    this.#form = form;
  }

  /** Whether a string is one that goes into a bundle. */
  takes({ length }: string): boolean {
    return length >= SHORTEST && length < this.#form.longest;
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

  /** Adds a string, and writes what must come before what stands for it. Returns the position after that. */
  add(text: string, isWide: boolean, at: number): number {
    if (this.#pointer === NONE || this.#wide.length + this.#ascii.length + text.length > this.#form.most) at = this.#open(at);
    if (isWide) this.#wide += text;
    else this.#ascii += text;
    return at;
  }

  /** Behind the value: the strings of the bundle that is open, if one is. Returns the position after them. */
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
    distance.setUint32(0, offsetOf(at) - this.#pointer + this.#form.extra);
    at = replaceAt(this.#pointer, 4, new Uint8Array(distance.buffer), at);
    at = this.#form.string(this.#ascii, this.#form.string(this.#wide, at));
    this.#wide = this.#ascii = '';
    return at;
  }
}

/** Whether a string is not ASCII. Throws an EncodeError where it is not UTF-16 either. */
export function isWide(text: string): boolean {
  if (!WIDE.test(text)) return false;
  if (!isWellFormed(text)) throw new EncodeError('text', 'a string with a lone surrogate');
  return true;
}
