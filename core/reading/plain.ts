import type { Limits } from '../limits.ts';
import type { Shape, ShapeOf } from './shapes.ts';

/**
 * Base of formats that decode small payloads without a reader and a sink (`Format.decodeAtOnce`), building values as
 * they read. Creating a reader and a sink takes as long as reading some hundred bytes.
 */

/** Bytes of the largest small payload. */
const SMALL = 16_384;
/** Depth and values allowed. Payloads that need more, and calls with lower limits, get a reader. */
const MAX_DEPTH = 48;
const MAX_VALUES = 65_536;

/**
 * Payloads are copied here: reading from views of fixed memory costs less than creating views. Bytes after the payload
 * are left over from the previous one, so ends are checked before a value is returned.
 */
export const memory: Uint8Array<ArrayBuffer> = new Uint8Array(SMALL + 8);
export const view: DataView<ArrayBuffer> = new DataView(memory.buffer);

/** Thrown if the payload is invalid or uncommon in any way. */
export const NOT_PLAIN: Error = new Error('not plain');

/** True if a payload may be decoded plainly. */
export function isSmall({ length }: Uint8Array, limits: Limits): boolean {
  const { bytes, depth, values, stringLength, binaryLength } = limits;
  return length <= SMALL && bytes >= SMALL && depth > MAX_DEPTH + 1 && values > MAX_VALUES && stringLength >= SMALL && binaryLength >= SMALL;
}

/**
 * Decodes small payloads one after another; a format implements `root`. The instance is kept, since V8 keeps optimised
 * code only while it exists.
 */
export abstract class PlainReader {
  /** Position and end of the payload. */
  protected at = 0;
  protected end = 0;
  #left = 0;
  #shapeOf: ShapeOf | undefined;
  #namesKeys = false;
  /** The shapes needed so far, by record number. */
  readonly #shapes: Shape[] = [];

  /** The value of a small payload; undefined if it is invalid or uncommon. With `namesKeys`, see `listOf`. */
  read(bytes: Uint8Array, shapeOf: ShapeOf, namesKeys: boolean): unknown {
    memory.set(bytes);
    this.#shapeOf = shapeOf;
    this.#namesKeys = namesKeys;
    this.at = 0;
    this.end = bytes.length;
    this.#left = MAX_VALUES;
    try {
      const value = this.root();
      return this.at === this.end ? value : undefined;
    } catch {
      return undefined;
    }
  }

  protected abstract root(): unknown;

  /** Counts the values of a container at nesting level `depth`. */
  protected count(values: number, depth: number): void {
    if (depth > MAX_DEPTH || (this.#left -= values) < 0) throw NOT_PLAIN;
  }

  /** A record with one value for each key. No key is `__proto__`. */
  protected record(number: number, keys: readonly string[], values: readonly unknown[]): object {
    const shape = (this.#shapes[number] ??= this.#shapeOf!(keys));
    return shape.see() ? shape.make!(shape.keys, values) : partialRecord(keys, values);
  }

  /** A list whose records have these keys. If it is empty, it names them for results that become `Rows`: see `KeyedList`. */
  protected listOf(keys: readonly string[] | undefined, items: unknown[]): unknown[] {
    if (this.#namesKeys && keys !== undefined && items.length === 0) Object.defineProperty(items, 'recordKeys', { value: keys });
    return items;
  }
}

/** A record without the keys whose values are undefined. */
export function partialRecord(keys: readonly string[], values: readonly unknown[]): object {
  const object: Record<string, unknown> = {};
  keys.forEach((key, index) => {
    if (values[index] !== undefined) object[key] = values[index];
  });
  return object;
}
