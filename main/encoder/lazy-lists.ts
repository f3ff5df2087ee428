import { isRecordList, RECORDS, type RecordList } from '../../core/reading/record-list.ts';

/** Records that are made in one go, in well under a slice. */
const PIECE = 256;

/** Keys of one object that are looked at. */
const MOST_KEYS = 1_000;

/**
 * A value in which writers find arrays in the place of the lists of records (`Rows`) at its root or in its objects. Their
 * records are made while they are written, a piece at a time. Lists inside lists, and in objects of more than 1,000 keys, are
 * not looked for. `known` has what objects become, and gets all that are met.
 */
export function withLazyLists(value: object, known: Map<object, object>): object {
  const met = known.get(value);
  if (met !== undefined) return met;
  try {
    const found = isRecordList(value) ? asArray(value) : isPlain(value) ? copied(value, known) : value;
    known.set(value, found);
    return found;
  } catch {
    // A proxy has thrown, or the value is too deep: the writer says so, and where.
    return value;
  }
}

/** How many records there are in the lists among some objects. */
export function countRecords(known: ReadonlyMap<object, object>): number {
  let count = 0;
  for (const found of known.keys()) if (isRecordList(found)) count += found.length;
  return count;
}

/** An object, or a copy of it where there are lists of records in it. */
function copied(value: object, known: Map<object, object>): object {
  known.set(value, value);
  const keys = Object.keys(value);
  if (keys.length > MOST_KEYS) return value;
  const own = new Map<string, object>();
  for (const key of keys) {
    // A getter is for the writer to call.
    const inner: unknown = Object.getOwnPropertyDescriptor(value, key)!.value;
    if (typeof inner !== 'object' || inner === null) continue;
    const found = withLazyLists(inner, known);
    if (found !== inner) own.set(key, found);
  }
  if (own.size === 0) return value;
  const properties = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  for (const [key, found] of own) properties[key]!.value = found;
  return Object.create(Object.getPrototypeOf(value) as object | null, properties) as object;
}

function isPlain(value: object): boolean {
  const parent: unknown = Object.getPrototypeOf(value);
  return parent === Object.prototype || parent === null;
}

/** An array, as far as one who reads it can tell. */
export function asArray(list: RecordList): unknown[] {
  return new Proxy<unknown[]>([], new Reading(list));
}

/** Reads an array whose items are a piece of a list at a time. */
class Reading implements ProxyHandler<unknown[]> {
  readonly #list: RecordList;
  /** The index of the first item of the piece that was made last, and that piece. */
  #first = 0;
  #piece: readonly unknown[] = [];
  /** The piece before it: a writer may take a run of items that it has looked at one by one. */
  #before: readonly unknown[] = [];

  constructor(list: RecordList) {
    this.#list = list;
  }

  get(target: unknown[], key: string | symbol): unknown {
    if (key === 'length') return this.#list.length;
    if (key === 'slice') return this.#slice;
    return isIndex(key) ? this.#at(Number(key)) : Reflect.get(target, key);
  }

  has(target: unknown[], key: string | symbol): boolean {
    return isIndex(key) ? Number(key) < this.#list.length : Reflect.has(target, key);
  }

  #at(index: number): unknown {
    const place = index - this.#first;
    if (place >= 0 && place < this.#piece.length) return this.#piece[place];
    if (place < 0 && place >= -this.#before.length) return this.#before[place + this.#before.length];
    const { length } = this.#list;
    if (index >= length) return undefined;
    this.#before = place === this.#piece.length ? this.#piece : [];
    this.#piece = this.#list[RECORDS](index, Math.min(index + PIECE, length));
    this.#first = index;
    return this.#piece[0];
  }

  readonly #slice = (from = 0, to = this.#list.length): unknown[] => {
    const items: unknown[] = [];
    for (let index = from; index < Math.min(to, this.#list.length); index += 1) items.push(this.#at(index));
    return items;
  };
}

/** Of the names that are read of an array, only those of its items begin with a digit. */
function isIndex(key: string | symbol): key is string {
  return typeof key === 'string' && key >= '0' && key < ':';
}
