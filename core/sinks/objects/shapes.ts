import { claimMaker, type Maker } from './makers.ts';

/** Records of a shape before it claims a maker. */
const OFTEN = 32;

/** A list of keys that records share, and how they are made. */
export class Shape {
  keys: readonly string[];
  make: Maker | undefined = undefined;
  /** An object that nobody gets: see `KeepAlive`. */
  keepAliveInstance: object | undefined = undefined;
  #seen = 0;

  constructor(keys: readonly string[]) {
    this.keys = keys;
  }

  /** Counts a record. True when there is a maker. */
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

/** Shapes by the list itself: a reader that defines the same list again, in another call, finds its maker again. */
const shapes = new WeakMap<readonly string[], Shape>();

/** As `shapeOf`. */
export type ShapeOf = (keys: readonly string[]) => Shape;

/** The shape of a list of keys. */
export function shapeOf(keys: readonly string[]): Shape {
  let shape = shapes.get(keys);
  if (!shape) shapes.set(keys, (shape = new Shape(keys)));
  return shape;
}

/** Puts the properties of a record in the order of its keys. The object stays the same: others may refer to it. */
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
