import { textFor } from '../../../bytes/text/text-for.ts';
import type { BundledStrings } from '../tags/bundles.ts';
import { INDEFINITE, type Input } from './input.ts';
import { MAX_INTEGER_LENGTH, readFloat16, readFloat32 } from '../../../bytes/numbers.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { convertBigInt, readBignum, readInt64 } from '../numbers.ts';
import { packedIndex, type PackedTables, type Scalar } from '../tags/packed.ts';

/** Results of reading an item: cut (see `input.reach`), found, or not a scalar. */
export const ITEM_CUT = 0;
export const FOUND = 1;
export const OTHER = 2;

/**
 * Reads single scalars as JavaScript values, where no event can carry them: keys that are not strings, entries of
 * tables, the parts of a decimal fraction. Other scalars are read by `readScalars`.
 */
export class ItemReader {
  value: Scalar = undefined;
  readonly #input: Input;
  readonly #bundle: BundledStrings;
  readonly #packed: PackedTables;
  readonly #decimal: boolean;

  constructor(input: Input, bundle: BundledStrings, packed: PackedTables, decimal: boolean) {
    this.#input = input;
    this.#bundle = bundle;
    this.#packed = packed;
    this.#decimal = decimal;
  }

  /** Reads the item at `at`. After FOUND, `input.next` is the position after it. */
  read(at: number, mode: Int64Mode): number {
    const input = this.#input;
    const { bytes, view } = input;
    if (!input.head(at)) return ITEM_CUT;
    const token = bytes[at]!;
    switch (token >> 5) {
      case 0:
      case 1:
        if (input.value === INDEFINITE) return input.fail('malformed', 'an integer must not have an indefinite length', at);
        this.value = (token & 31) === 27 ? readInt64(view, at + 1, token === 0x3b, mode) : token < 0x20 ? input.value : -1 - input.value;
        return FOUND;
      case 3:
        if (token === 0x7f) return OTHER;
        if (!input.string(at, 'stringLength')) return ITEM_CUT;
        this.value = textFor(input, bytes, input.from, input.next, input.base);
        return FOUND;
      case 6:
        return this.#tag(token, at, mode);
      case 7:
        return this.#simple(token, at);
      default:
        return OTHER;
    }
  }

  /** FOUND if the item at `at` refers to one of cbor-x's strings; ITEM_CUT if more bytes are needed to tell. */
  textReference(at: number): number {
    const input = this.#input;
    const token = input.bytes[at]!;
    if (token === 0xce || token === 0xcf) return this.#bundle.active ? FOUND : OTHER;
    const index = this.#packed.active ? this.#index(token, at) : OTHER_INDEX;
    if (index === CUT_INDEX) return ITEM_CUT;
    return index >= 0 && typeof this.#packed.peek(index, at) === 'string' ? FOUND : OTHER;
  }

  #tag(token: number, at: number, mode: Int64Mode): number {
    const input = this.#input;
    if (token === 0xc2 || token === 0xc3) {
      const from = at + 1;
      input.reach = from + 1;
      if (from >= input.to) return ITEM_CUT;
      if (input.bytes[from]! >> 5 !== 2 || input.bytes[from] === 0x5f) return OTHER;
      if (!input.string(from, 'binaryLength')) return ITEM_CUT;
      this.value = convertBigInt(this.bignum(input.bytes, input.from, input.next, token === 0xc3, from), mode);
      return FOUND;
    }
    if ((token === 0xce || token === 0xcf) && this.#bundle.active) {
      const bundle = this.#bundle;
      if (!bundle.read(at)) return ITEM_CUT;
      this.value = bundle.text ?? textFor(input, input.bytes, bundle.from, bundle.end, input.base);
      return FOUND;
    }
    return this.#reference(token, at);
  }

  /** The bignum in `from..end` of `bytes`. Errors refer to `at`. */
  bignum(bytes: Uint8Array, from: number, end: number, negative: boolean, at: number): bigint {
    if (end - from > MAX_INTEGER_LENGTH) this.#input.fail('unsupported', `the integer takes ${end - from} bytes`, at);
    return readBignum(bytes, from, end, negative);
  }

  #simple(token: number, at: number): number {
    const { view } = this.#input;
    switch (token) {
      case 0xf4:
      case 0xf5:
        this.value = token === 0xf5;
        return FOUND;
      case 0xf6:
        this.value = null;
        return FOUND;
      case 0xf7:
        this.value = undefined;
        return FOUND;
      case 0xf9:
        this.value = readFloat16(view.getUint16(at + 1));
        return FOUND;
      case 0xfa:
        this.value = readFloat32(view, at + 1, this.#decimal);
        return FOUND;
      case 0xfb:
        this.value = view.getFloat64(at + 1);
        return FOUND;
      default:
        return this.#reference(token, at);
    }
  }

  /** Reads a reference to an entry of a table of packed values. */
  #reference(token: number, at: number): number {
    if (!this.#packed.active) return OTHER;
    const index = this.#index(token, at);
    if (index === CUT_INDEX) return ITEM_CUT;
    if (index === OTHER_INDEX) return OTHER;
    this.value = this.#packed.entry(index, at);
    return FOUND;
  }

  /** The number of the entry that the item at `at` refers to. Sets `input.next` to the position after the item. */
  #index(token: number, at: number): number {
    const input = this.#input;
    if (token >= 0xe0 && token <= 0xef) {
      input.next = at + 1;
      return token - 0xe0;
    }
    if (token !== 0xc6) return OTHER_INDEX;
    if (!input.head(at + 1)) return CUT_INDEX;
    const major = input.bytes[at + 1]! >> 5;
    if (major > 1 || input.value === INDEFINITE) return OTHER_INDEX;
    return packedIndex(major === 0 ? input.value : -1 - input.value);
  }
}

const OTHER_INDEX = -1;
const CUT_INDEX = -2;
