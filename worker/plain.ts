import type { Limits } from './limits.ts';
import type { Shape } from './sinks/objects-shapes.ts';

/**
 * What formats share that decode small payloads plainly (`Format.decodePlain`): into values that are built as they are
 * read. To make a reader and a sink takes as long as to read some hundred bytes.
 */

/** Bytes of a payload that is small. */
const SMALL = 16_384;
/** What it may ask for. Whose limits are lower, or who needs more, gets a reader. */
export const DEEPEST = 48;
export const MOST_VALUES = 65_536;

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
  const { depth, values, stringLength, binaryLength } = limits;
  return length <= SMALL && depth > DEEPEST + 1 && values > MOST_VALUES && stringLength >= SMALL && binaryLength >= SMALL;
}

/** A record with these values, of which there is one for each key. No key is `__proto__`. */
export function makeRecord(shape: Shape, values: readonly unknown[]): object {
  if (shape.see()) return shape.make!(shape.keys, values);
  const object: Record<string, unknown> = {};
  shape.keys.forEach((key, index) => {
    object[key] = values[index];
  });
  return object;
}
