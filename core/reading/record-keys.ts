import type { RecordId, Sink } from './sink.ts';

/** Shared lists by their first key. Bounded in lists per first key, first keys, keys per list and key length. */
const lists = new Map<string, (readonly string[])[]>();
const MOST_ALIKE = 16;
const MOST_FIRST_KEYS = 256;
const MOST_KEYS = 64;
const LONGEST_KEY = 64;

/**
 * Returns the shared list of these keys; undefined if a key occurs twice. Calls define the same records repeatedly, and
 * sinks recognise a list they have seen.
 */
export function sharedList(keys: readonly string[]): readonly string[] | undefined {
  const first = keys[0] ?? '';
  const known = lists.get(first);
  const list = known?.find((other) => sameKeys(other, keys));
  if (list) return list;
  if (hasTwice(keys)) return undefined;
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

function hasTwice(keys: readonly string[]): boolean {
  // For few keys, a set costs more than it saves.
  if (keys.length > 16) return new Set(keys).size < keys.length;
  return keys.some((key, index) => keys.indexOf(key, index + 1) > 0);
}

function sameKeys(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i += 1) {
    if (one[i] !== other[i]) return false;
  }
  return true;
}

/** The lists of keys of records that an input defines, by number, with the sink's handle of each. */
export class RecordKeys {
  #numbers: Map<readonly string[], number> | undefined;
  #keys: (readonly string[])[] | undefined;
  #ids: RecordId[] | undefined;

  /**
   * Returns the number of a list, given the same list for the same keys. It is often defined again, with another id or
   * for each value of a sequence.
   */
  protected numberOf(list: readonly string[]): number {
    this.#numbers ??= new Map();
    let number = this.#numbers.get(list);
    if (number === undefined) {
      number = (this.#keys ??= []).push(list) - 1;
      (this.#ids ??= []).push(-1);
      this.#numbers.set(list, number);
    }
    return number;
  }

  /** How many keys a list has. */
  size(number: number): number {
    return this.#keys![number]!.length;
  }

  /** The sink's handle of a record. Keys that are never used are never sent to the sink. */
  id(number: number, sink: Sink): RecordId {
    let id = this.#ids![number]!;
    if (id < 0) this.#ids![number] = id = sink.defineRecord(this.#keys![number]!);
    return id;
  }
}
