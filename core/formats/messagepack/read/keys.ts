import { DecodeError, LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { BundledStrings } from './bundles.ts';
import { CUT, type Extensions, PREFIX, VALUE } from './extensions.ts';
import { roundFloat32 } from '../../../bytes/numbers.ts';
import { int64Of, type Int64Mode } from '../../../reading/int64.ts';
import type { Records } from './records.ts';

/** Bytes after a token from 0xc0 of a scalar; −1 for containers, strings, binaries and extensions. */
const SIZES = [0, -1, 0, 0, -1, -1, -1, -1, -1, -1, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1];

/**
 * Reads keys of plain objects and of record definitions: strings, and scalars, which are converted to strings as in
 * JavaScript.
 */
export class KeyReader {
  /** The position after the key. */
  next = 0;
  /** How many bytes are needed from the given position, if `read` returned CUT. */
  needed = 0;
  /** The key: a range, or its text. */
  from = 0;
  end = 0;
  text: string | undefined = undefined;

  readonly #extensions: Extensions;
  readonly #bundle: BundledStrings;
  readonly #records: Records;
  readonly #int64: Int64Mode;
  readonly #decimal: boolean;
  readonly #longest: number;

  constructor(
    extensions: Extensions,
    bundle: BundledStrings,
    records: Records,
    setting: { int64?: Int64Mode | undefined; float32?: 'exact' | 'decimal' | undefined },
    limits: Limits,
  ) {
    this.#extensions = extensions;
    this.#bundle = bundle;
    this.#records = records;
    this.#int64 = setting.int64 ?? 'auto';
    this.#decimal = setting.float32 === 'decimal';
    this.#longest = limits.stringLength;
  }

  /** Reads a key (VALUE), or a prefix of the key after it (PREFIX). */
  read(bytes: Uint8Array, view: DataView, at: number, to: number, base: number): number {
    const token = bytes[at]!;
    this.text = undefined;
    if (token >= 0xa0 && token < 0xc0) return this.#range(at, at + 1, token - 0xa0, to, base);
    if (token >= 0xd9 && token <= 0xdb) {
      const from = at + 1 + (1 << (token - 0xd9));
      if (from > to) return this.#cut(from - at);
      const length = token === 0xd9 ? bytes[at + 1]! : token === 0xda ? view.getUint16(at + 1) : view.getUint32(at + 1);
      return this.#range(at, from, length, to, base);
    }
    if (token === 0xc1) {
      this.next = this.#bundle.read(bytes, view, at, to, base);
      if (this.next > to) return this.#cut(this.next - at);
      this.from = this.#bundle.from;
      this.end = this.#bundle.end;
      this.text = this.#bundle.text;
      return VALUE;
    }
    if ((token >= 0xc7 && token <= 0xc9) || (token >= 0xd4 && token <= 0xd8)) {
      const found = this.#extensions.readBeforeKey(at);
      if (found === CUT) return this.#cut(this.#extensions.needed);
      this.next = this.#extensions.next;
      if (found !== PREFIX) this.text = 'undefined';
      return found;
    }
    return this.#scalar(view, token, at, to, base);
  }

  #range(at: number, from: number, length: number, to: number, base: number): number {
    if (length > this.#longest) throw new LimitError('stringLength', `stringLength limit exceeded: a key of ${length} bytes`, { offset: base + at });
    if (from + length > to) return this.#cut(from + length - at);
    this.from = from;
    this.next = this.end = from + length;
    return VALUE;
  }

  #scalar(view: DataView, token: number, at: number, to: number, base: number): number {
    const size = token < 0x80 || token >= 0xe0 ? 0 : token < 0xa0 ? -1 : SIZES[token - 0xc0]!;
    const record = token >= 0x40 && token < 0x80 && this.#records.bytes[token - 0x40] !== 0;
    if (size < 0 || record) {
      const reason = 'a key that is neither a string nor a number: set the option maps to "map"';
      throw new DecodeError('unsupported', reason, { offset: base + at });
    }
    this.next = at + 1 + size;
    if (this.next > to) return this.#cut(1 + size);
    this.text = String(this.#value(view, token, at + 1));
    return VALUE;
  }

  #value(view: DataView, token: number, at: number): number | bigint | string | boolean | null {
    switch (token) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return token === 0xc3;
      case 0xca:
        return this.#decimal ? roundFloat32(view.getFloat32(at), view.getUint16(at)) : view.getFloat32(at);
      case 0xcb:
        return view.getFloat64(at);
      case 0xcc:
        return view.getUint8(at);
      case 0xcd:
        return view.getUint16(at);
      case 0xce:
        return view.getUint32(at);
      case 0xd0:
        return view.getInt8(at);
      case 0xd1:
        return view.getInt16(at);
      case 0xd2:
        return view.getInt32(at);
      case 0xcf:
      case 0xd3:
        return int64Of(this.#int64, view.getUint32(at + 4), token === 0xd3 ? view.getInt32(at) : view.getUint32(at));
      default:
        return token < 0x80 ? token : token - 0x100;
    }
  }

  #cut(needed: number): number {
    this.needed = needed;
    return CUT;
  }
}
