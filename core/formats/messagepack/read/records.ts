import type { KeptKeys } from '../../../kept-records.ts';
import { RecordKeys, sharedList } from '../../../reading/record-keys.ts';

/** Marks an id byte that begins ids of two bytes. */
const TWO_BYTES = -1;
/** Initial value shared by all readers, so that those without records allocate none. */
const UNDEFINED: number[] = Array.from({ length: 64 }, () => 0);

/**
 * msgpackr's record structures. A record is an id, followed by the values of the structure's keys in order. Ids are
 *
 *     0x40 to 0x7f             one byte, or
 *     0x40 to 0x7f, uint8      two bytes, if the first byte was defined as such
 *
 * and a byte for which no structure was defined is a positive fixint. Shared structures have the ids 0x40 to 0x5f and
 * then, from the 33rd, `0x60 + (n − 32) % 32, (n − 32) / 32`.
 */
export class Records extends RecordKeys {
  /** By id byte minus 0x40: 0 for an integer, `TWO_BYTES`, or a record's number plus one. */
  bytes = UNDEFINED;
  /** One bit for each of `bytes`, set if it is not 0. */
  readonly ids = new Int32Array(2);
  #pairs: Map<number, number> | undefined;
  readonly #kept: KeptKeys | undefined;

  /** `kept`: structures that earlier payloads have defined, and to which those of this one are added. */
  constructor(shared: readonly (readonly string[] | null | undefined)[] | undefined, kept?: KeptKeys) {
    super();
    for (const [index, keys] of shared?.entries() ?? []) {
      if (!keys) continue;
      const list = sharedList(keys) ?? keys;
      if (index < 32) this.define(index, -1, list);
      else this.define(32 + (index & 31), (index >> 5) - 1, list);
    }
    for (const [id, keys] of kept ?? []) this.define(id & 63, (id >> 6) - 1, keys);
    this.#kept = kept;
  }

  /** Defines the structure of an id, given by its first byte minus 0x40 and its second, or −1. Returns its number. */
  define(first: number, second: number, list: readonly string[]): number {
    const id = ((second + 1) << 6) | first;
    // The latest definition is the last.
    this.#kept?.delete(id);
    this.#kept?.set(id, list);
    const pair = (first << 8) | second;
    const number = this.numberOf(list, second < 0 ? this.bytes[first]! - 1 : this.#pairs?.get(pair));
    if (this.bytes === UNDEFINED) this.bytes = UNDEFINED.slice();
    this.ids[first >> 5]! |= 1 << (first & 31);
    this.bytes[first] = second < 0 ? number + 1 : TWO_BYTES;
    if (second >= 0) (this.#pairs ??= new Map()).set(pair, number);
    return number;
  }

  /** The number of the record with an id of two bytes; −1 if undefined. */
  pair(first: number, second: number): number {
    return this.#pairs!.get((first << 8) | second) ?? -1;
  }
}
