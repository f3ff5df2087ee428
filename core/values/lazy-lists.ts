import { isSource, type Source } from './sources.ts';
import { isRecordList, RECORDS, type RecordList, ROW_LIST } from './record-list.ts';

/** Records built in one go, well within a slice. */
const PIECE = 256;

/** Maximum number of an object's keys to search for lists. */
const MAX_KEYS = 1_000;

/**
 * Returns a value in which writers see arrays instead of the lists of records (`Rows`) at its root or in its objects.
 * Their records are built while they are written, a piece at a time. Lists inside lists, and in objects of more than
 * 1,000 keys, are not replaced. `known` maps objects to their replacements, and receives all objects visited. `sources`
 * receives the iterators and streams among them.
 */
export function withLazyLists(value: object, known: Map<object, object>, sources?: Source[]): object {
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  try {
    const found = isRecordList(value) ? asArray(value) : isPlain(value) ? copyWithLists(value, known, sources) : value;
    known.set(value, found);
    if (sources && isSource(value)) sources.push(value);
    return found;
  } catch {
    // A proxy threw, or the value is too deep; the writer reports where.
    return value;
  }
}

/** Number of records in the lists among some objects. */
export function countRecords(known: ReadonlyMap<object, object>): number {
  let count = 0;
  for (const found of known.keys()) if (isRecordList(found)) count += found.length;
  return count;
}

/** Returns an object, or a copy if it contains lists of records. */
function copyWithLists(value: object, known: Map<object, object>, sources: Source[] | undefined): object {
  known.set(value, value);
  const keys = Object.keys(value);
  if (keys.length > MAX_KEYS) return value;
  const own = new Map<string, object>();
  for (const key of keys) {
    // Getters are left for the writer to call.
    const child: unknown = Object.getOwnPropertyDescriptor(value, key)!.value;
    if (typeof child !== 'object' || child === null) continue;
    const found = withLazyLists(child, known, sources);
    if (found !== child) own.set(key, found);
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

/** Wraps a list as an array, indistinguishable for code that reads it. */
export function asArray(list: RecordList): unknown[] {
  return new Proxy<unknown[]>([], new LazyArrayHandler(list));
}

/** Proxy handler that builds the items of an array a piece at a time. */
class LazyArrayHandler implements ProxyHandler<unknown[]> {
  readonly #list: RecordList;
  /** The current piece, and the index of its first item. */
  #first = 0;
  #piece: readonly unknown[] = [];
  /** The previous piece: a writer may read a run of items again that it has checked one by one. */
  #before: readonly unknown[] = [];

  constructor(list: RecordList) {
    this.#list = list;
  }

  get(target: unknown[], key: string | symbol): unknown {
    if (key === 'length') return this.#list.length;
    if (key === 'slice') return this.#slice;
    if (key === ROW_LIST) return Reflect.get(this.#list, key);
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

/** Among the property names read from an array, only indices begin with a digit. */
function isIndex(key: string | symbol): key is string {
  return typeof key === 'string' && key >= '0' && key < ':';
}
