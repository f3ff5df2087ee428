import type { Limits } from '../limits.ts';
import type { Shape, ShapeOf } from '../sinks/objects/shapes.ts';

/**
 * What formats share that decode small payloads plainly (`Format.decodePlain`): into values that are built as they are
 * read. To make a reader and a sink takes as long as to read some hundred bytes.
 */

/** Bytes of a payload that is small. */
const SMALL = 16_384;
/** What it may ask for. Whose limits are lower, or who needs more, gets a reader. */
const DEEPEST = 48;
const MOST_VALUES = 65_536;

/**
 * Where a payload is copied to: views of memory that never changes cost less to read from than new ones cost to make. What
 * lies behind the payload is of one before it, so that ends are checked before anything is given out.
 */
export const memory: Uint8Array<ArrayBuffer> = new Uint8Array(SMALL + 8);
export const view: DataView<ArrayBuffer> = new DataView(memory.buffer);

/** Thrown where something is wrong or out of the ordinary, whatever it is. */
export const NOT_PLAIN: Error = new Error('not plain');

/** Whether a payload may be decoded plainly. */
export function isSmall({ length }: Uint8Array, limits: Limits): boolean {
  const { inputLength, depth, values, stringLength, binaryLength } = limits;
  return length <= SMALL && inputLength >= SMALL && depth > DEEPEST + 1 && values > MOST_VALUES && stringLength >= SMALL && binaryLength >= SMALL;
}

/**
 * Decodes one small payload after the other; a format says how its root is read. It is kept, as V8 keeps the code that it
 * optimises only while there is one.
 */
export abstract class PlainReader {
  /** How far the payload is read, and where it ends. */
  protected at = 0;
  protected end = 0;
  #left = 0;
  #shapeOf: ShapeOf | undefined;
  /** By record the shapes that were needed. */
  readonly #shapes: Shape[] = [];

  /** The value of a small payload; undefined where anything is wrong or out of the ordinary. */
  read(bytes: Uint8Array, shapeOf: ShapeOf): unknown {
    memory.set(bytes);
    this.#shapeOf = shapeOf;
    this.at = 0;
    this.end = bytes.length;
    this.#left = MOST_VALUES;
    try {
      const value = this.root();
      return this.at === this.end ? value : undefined;
    } catch {
      return undefined;
    }
  }

  protected abstract root(): unknown;

  /** Counts the values of a container, of which so many are inside of each other. */
  protected count(values: number, depth: number): void {
    if (depth > DEEPEST || (this.#left -= values) < 0) throw NOT_PLAIN;
  }

  /** A record with these values, of which there is one for each key. No key is `__proto__`. */
  protected record(number: number, keys: readonly string[], values: readonly unknown[]): object {
    const shape = (this.#shapes[number] ??= this.#shapeOf!(keys));
    return shape.see() ? shape.make!(shape.keys, values) : partialRecord(keys, values);
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
