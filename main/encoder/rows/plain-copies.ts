import { isRecordList, type RecordList } from '../../../core/values/record-list.ts';
import { setProperty } from '../../../core/values/property.ts';

/** Maximum number of values and characters to copy; larger values are faster to write on this thread. */
const MAX_VALUES = 1_000;
const MAX_CHARACTERS = 100_000;

/** Thrown if a value cannot be written in a worker, or is faster to write on this thread. */
export class StaysOnPage extends Error {}

/**
 * Copies values for a worker, and replaces every list of records by an empty object. Throws StaysOnPage for anything
 * that a copy would lose, such as getters and instances of classes.
 */
export class PlainCopies {
  /** The placeholder of each list. */
  readonly placeholders = new Map<RecordList, object>();
  readonly #copies = new Map<object, object>();
  /** Objects first found inside an array. */
  readonly #inArrays = new Set<object>();
  /** Depth of nested arrays being copied. */
  #arrays = 0;
  #values = 0;
  #characters = 0;

  copy(value: unknown): unknown {
    if (typeof value === 'string') this.#characters += value.length;
    if (++this.#values > MAX_VALUES || this.#characters > MAX_CHARACTERS) throw new StaysOnPage();
    if (typeof value === 'function' || typeof value === 'symbol') throw new StaysOnPage();
    if (typeof value !== 'object' || value === null) return value;
    const known = this.#copies.get(value);
    // Writers write the lists of records inside an array in one go, and an object also used elsewhere may contain some.
    if (this.#arrays > 0 && (isRecordList(value) || (known && !this.#inArrays.has(value)))) throw new StaysOnPage();
    return known ?? this.#object(value);
  }

  #object(value: object): object {
    if (isRecordList(value)) return this.#place(value);
    const parent: unknown = Object.getPrototypeOf(value);
    if (parent === Array.prototype) return this.#array(value as unknown[]);
    if (parent === Date.prototype && Object.keys(value).length === 0) return value;
    if (parent !== Object.prototype && parent !== null) throw new StaysOnPage();
    const copy = this.#known(value, {});
    for (const key of Object.keys(value)) {
      const property = Object.getOwnPropertyDescriptor(value, key)!;
      if (!('value' in property)) throw new StaysOnPage();
      this.#characters += key.length;
      setProperty(copy, key, this.copy(property.value));
    }
    return copy;
  }

  #array(list: readonly unknown[]): object {
    if (list.length > MAX_VALUES) throw new StaysOnPage();
    this.#arrays += 1;
    const copy: unknown[] = this.#known(list, []);
    for (const item of list) copy.push(this.copy(item));
    this.#arrays -= 1;
    return copy;
  }

  #known<Copy extends object>(value: object, copy: Copy): Copy {
    if (this.#arrays > 0) this.#inArrays.add(value);
    this.#copies.set(value, copy);
    return copy;
  }

  #place(list: RecordList): object {
    const placeholder = {};
    this.#copies.set(list, placeholder);
    this.placeholders.set(list, placeholder);
    return placeholder;
  }
}
