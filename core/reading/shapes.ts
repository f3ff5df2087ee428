import { claimMaker, type Maker } from '../engine/makers.ts';

/** Records of a shape after which it claims a maker. */
const OFTEN = 32;

/** A list of keys that records share, and the maker for them. */
export class Shape {
  keys: readonly string[];
  make: Maker | undefined = undefined;
  /** An unused object of this shape: see `keepAlive`. */
  keepAliveInstance: object | undefined = undefined;
  #seen = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  /** Counts a record. Returns true if there is a maker. */
  see(): boolean {
    if (this.make) return true;
    this.#seen += 1;
    if (this.#seen !== OFTEN) return false;
    const claim = claimMaker(this.keys);
    if (!claim) return false;
    this.make = claim.make;
    this.keys = claim.keys;
    this.keepAliveInstance = claim.make(
      claim.keys,
      claim.keys.map(() => null),
    );
    return true;
  }
}

/** Shapes by list of keys: a reader that defines the same list in another call gets its maker again. */
const shapes = new WeakMap<readonly string[], Shape>();

/** Type of `shapeOf`. */
export type ShapeOf = (keys: readonly string[]) => Shape;

export function shapeOf(keys: readonly string[]): Shape {
  let shape = shapes.get(keys);
  if (!shape) shapes.set(keys, (shape = new Shape(keys)));
  return shape;
}

/** Sorts the properties of a record into the order of its keys. The object stays the same: others may refer to it. */
export function reorder(target: Record<string, unknown>, keys: readonly string[]): void {
  const values = new Map(Object.entries(target));
  for (const key of values.keys()) delete target[key];
  for (const key of keys) {
    if (!values.has(key)) continue;
    const value = values.get(key);
    if (key === '__proto__') {
      Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true });
    } else {
      target[key] = value;
    }
  }
}
