import type { RecordId, Sink } from '../../sinks/sink.ts';

/** Stands for an id byte that begins ids of two bytes. */
const TWO_BYTES = -1;
/** What all readers begin with, so that those without records make nothing for them. */
const UNDEFINED: number[] = Array.from({ length: 64 }, () => 0);

/**
 * msgpackr's record structures. A record is an id, then the values of the structure's keys in order. Ids are
 *
 *     0x40 to 0x7f             one byte, or
 *     0x40 to 0x7f, uint8      two bytes, where that first byte was defined so
 *
 * and a byte that no structure was defined for is the integer it always is. The shared structures have the ids 0x40 to
 * 0x5f and then, from the 33rd, `0x60 + (n − 32) % 32, (n − 32) / 32`.
 */
export class Records {
  /** By id byte minus 0x40: 0 for an integer, `TWO_BYTES`, or a record's number plus one. */
  bytes = UNDEFINED;
  #pairs: Map<number, number> | undefined;
  #numbers: Map<readonly string[], number> | undefined;
  #keys: (readonly string[])[] | undefined;
  #ids: RecordId[] | undefined;

  constructor(shared: readonly (readonly string[] | null | undefined)[] | undefined) {
    for (const [index, keys] of shared?.entries() ?? []) {
      if (!keys) continue;
      if (index < 32) this.define(index, -1, keys);
      else this.define(32 + (index & 31), (index >> 5) - 1, keys);
    }
  }

  /** Defines the structure of an id: its first byte minus 0x40, and its second, −1 where it has none. */
  define(first: number, second: number, keys: readonly string[]): number {
    // The same keys are often defined again under another id, or once a value in a sequence.
    const list = sharedList(keys);
    this.#numbers ??= new Map();
    let number = this.#numbers.get(list);
    if (number === undefined) {
      number = (this.#keys ??= []).push(list) - 1;
      (this.#ids ??= []).push(-1);
      this.#numbers.set(list, number);
    }
    if (this.bytes === UNDEFINED) this.bytes = UNDEFINED.slice();
    this.bytes[first] = second < 0 ? number + 1 : TWO_BYTES;
    if (second >= 0) (this.#pairs ??= new Map()).set((first << 8) | second, number);
    return number;
  }

  /** The number of the record with an id of two bytes, −1 where it was not defined. */
  pair(first: number, second: number): number {
    return this.#pairs!.get((first << 8) | second) ?? -1;
  }

  /** How many values a record has. */
  size(number: number): number {
    return this.#keys![number]!.length;
  }

  /** The sink's handle of a record. A structure that is never used is never sent to the sink. */
  id(number: number, sink: Sink): RecordId {
    let id = this.#ids![number]!;
    if (id < 0) this.#ids![number] = id = sink.defineRecord(this.#keys![number]!);
    return id;
  }
}

/** Lists that are kept, by their first key: no more of one first key, nor longer ones, nor of more first keys. */
const lists = new Map<string, (readonly string[])[]>();
const MOST_ALIKE = 16;
const MOST_FIRST_KEYS = 256;
const MOST_KEYS = 64;
const LONGEST_KEY = 64;

/**
 * The one list of these keys: calls define the same records again and again, and sinks know a list that they have met.
 */
function sharedList(keys: readonly string[]): readonly string[] {
  const first = keys[0] ?? '';
  const known = lists.get(first);
  const list = known?.find((other) => sameKeys(other, keys));
  if (list) return list;
  if (keys.length > MOST_KEYS || keys.some((key) => key.length > LONGEST_KEY)) return keys;
  if (!known) {
    if (lists.size === MOST_FIRST_KEYS) lists.clear();
    lists.set(first, [keys]);
  } else {
    if (known.length === MOST_ALIKE) known.shift();
    known.push(keys);
  }
  return keys;
}

function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) {
    if (one[i] !== other[i]) return false;
  }
  return true;
}
