import { EncodeError } from '../../../errors.ts';
import { headBytes, TEXT, UNSIGNED, NEGATIVE } from './heads.ts';

const encoder = new TextEncoder();

/** A key as written. */
export interface EncodedKey<Value> {
  readonly bytes: Uint8Array;
  readonly value: Value;
}

/** Sorts keys by their bytes, or by their length and then their bytes. Throws an EncodeError if two are equal. */
export function sortKeys<Value>(keys: EncodedKey<Value>[], isLengthFirst: boolean): EncodedKey<Value>[] {
  keys.sort(({ bytes: a }, { bytes: b }) => (isLengthFirst && a.length !== b.length ? a.length - b.length : compare(a, b)));
  for (let index = 1; index < keys.length; index += 1) {
    if (compare(keys[index - 1]!.bytes, keys[index]!.bytes) === 0) throw new EncodeError('unsupported', 'duplicate map key');
  }
  return keys;
}

/** Sorts the keys of plain objects, and caches the latest: consecutive objects often have the same keys. */
export class ObjectKeys {
  #keys: readonly string[] = [];
  #sorted: readonly string[] = [];
  readonly #isLengthFirst: boolean;
  readonly #isNumeric: boolean;

  constructor(isLengthFirst: boolean, isNumeric: boolean) {
    this.#isLengthFirst = isLengthFirst;
    this.#isNumeric = isNumeric;
  }

  sort(keys: readonly string[]): readonly string[] {
    const last = this.#keys;
    if (keys.length === last.length && keys.every((key, index) => key === last[index])) return this.#sorted;
    this.#keys = keys;
    const encoded = keys.map((key) => ({ bytes: this.#encode(key), value: key }));
    return (this.#sorted = sortKeys(encoded, this.#isLengthFirst).map(({ value }) => value));
  }

  #encode(key: string): Uint8Array {
    const number = this.#isNumeric ? integerOf(key) : undefined;
    if (number !== undefined) {
      const argument = number < 0 ? -1 - number : number;
      const head = headBytes(number < 0 ? NEGATIVE : UNSIGNED, argument % 2 ** 32);
      if (argument < 2 ** 32) return Uint8Array.from(head);
      const long = new DataView(new ArrayBuffer(9));
      long.setUint8(0, (number < 0 ? NEGATIVE : UNSIGNED) | 27);
      long.setBigUint64(1, BigInt(argument));
      return new Uint8Array(long.buffer);
    }
    const bytes = encoder.encode(key);
    return Uint8Array.from([...headBytes(TEXT, bytes.length), ...bytes]);
  }
}

/** The safe integer of which a key is the decimal form. */
export function integerOf(key: string): number | undefined {
  const number = Number(key);
  return Number.isSafeInteger(number) && String(number) === key ? number : undefined;
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const common = Math.min(a.length, b.length);
  for (let index = 0; index < common; index += 1) {
    if (a[index] !== b[index]) return a[index]! - b[index]!;
  }
  return a.length - b.length;
}
