import type { RecordId, Sink } from './sink.ts';

/** Shared lists by their first key. Bounded in lists per first key, first keys, keys per list and key length. */
const lists = new Map<string, (readonly string[])[]>();
const MAX_ALIKE = 16;
const MAX_FIRST_KEYS = 256;
const MAX_KEYS = 64;
const MAX_KEY_LENGTH = 64;

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
  if (keys.length > MAX_KEYS || keys.some((key) => key.length > MAX_KEY_LENGTH)) return keys;
  if (!known) {
    if (lists.size === MAX_FIRST_KEYS) lists.clear();
    lists.set(first, [keys]);
  } else {
    if (known.length === MAX_ALIKE) known.shift();
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

/** Lists of which an input has more are found by their content too, since the shared list of the same keys may have been forgotten. */
const MANY = 4096;
/** How many lists that no id has any longer are kept, since they are often defined again. */
const MAX_UNUSED = 1024;

interface List {
  keys: readonly string[];
  /** The sink's handle, of these keys if `isDefined`. */
  handle: RecordId | undefined;
  isDefined: boolean;
  /** How many ids have it. */
  uses: number;
}

/** The lists of keys of records that an input defines, by number, with the sink's handle of each. */
export class RecordKeys {
  #numbers: Map<readonly string[], number> | undefined;
  #contents: Map<string, number> | undefined;
  #lists: List[] | undefined;
  /** Numbers of lists that no id has any longer, the oldest first. */
  #unused: Set<number> | undefined;

  /**
   * Returns the number of a list for an id, given the same list for the same keys. It is often defined again, with another id or
   * for each value of a sequence. `replaced` is the number of the id's last list, if any. When many are unused, the oldest number is
   * given to another list, since an input without end may define lists without end.
   */
  protected numberOf(list: readonly string[], replaced = -1): number {
    const numbers = (this.#numbers ??= new Map());
    const lists = (this.#lists ??= []);
    let number = numbers.get(list);
    if (number === undefined) {
      number = lists.length < MANY ? this.#append(list, lists) : this.#find(list, lists, numbers);
      numbers.set(list, number);
    }
    if (number === replaced) return number;
    lists[number]!.uses += 1;
    this.#unused?.delete(number);
    if (replaced >= 0 && (lists[replaced]!.uses -= 1) === 0) (this.#unused ??= new Set()).add(replaced);
    return number;
  }

  #append(keys: readonly string[], lists: List[]): number {
    return lists.push({ keys, handle: undefined, isDefined: false, uses: 0 }) - 1;
  }

  #find(keys: readonly string[], lists: List[], numbers: Map<readonly string[], number>): number {
    const contents = (this.#contents ??= new Map(lists.map((list, at) => [JSON.stringify(list.keys), at])));
    const content = JSON.stringify(keys);
    let number = contents.get(content);
    if (number === undefined) {
      const unused = this.#unused;
      if (unused === undefined || unused.size < MAX_UNUSED) number = this.#append(keys, lists);
      else {
        number = unused.values().next().value!;
        contents.delete(JSON.stringify(lists[number]!.keys));
        lists[number]!.isDefined = false;
      }
      contents.set(content, number);
    }
    numbers.delete(lists[number]!.keys);
    lists[number]!.keys = keys;
    return number;
  }

  /** How many keys a list has. */
  size(number: number): number {
    return this.#lists![number]!.keys.length;
  }

  /** The sink's handle of a record. Keys that are never used are never sent to the sink. */
  id(number: number, sink: Sink): RecordId {
    const list = this.#lists![number]!;
    if (!list.isDefined) {
      list.handle = sink.defineRecord(list.keys, list.handle);
      list.isDefined = true;
    }
    return list.handle!;
  }
}
