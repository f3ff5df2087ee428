import type { Shape } from './shapes.ts';

/** What an open container does with the next value. */
export type Place = number;
export const ROOT: Place = 0;
export const OBJECT: Place = 1;
export const ARRAY: Place = 2;
/** An object, after the key `__proto__`, which must become a property of its own. */
export const PROTO: Place = 3;
export const SET: Place = 4;
export const MAP_KEY: Place = 5;
export const MAP_VALUE: Place = 6;
export const TAGGED: Place = 7;

export const NO_ANCHOR = -1;

/** One open container. Frames are kept and used again, so that opening a container allocates nothing else. */
export class OpenContainer {
  place: Place = ROOT;
  target: unknown = undefined;
  /** The key whose value comes next; in a map any value. */
  key: unknown = undefined;
  /** Items so far of an array, a set or a map. */
  index = 0;
  /** Items of an array that were taken out of it before those. */
  given = 0;
  /** The keys of a record, and the field announced last. */
  keys: readonly string[] | undefined = undefined;
  field = -1;
  /** The record's fields came in another order than that of its keys. */
  disordered = false;
  /**
   * The shape of a record whose values are gathered, as in an array, until it is whole and made at once. Only then does
   * the container outside get it, where others get what they contain when it begins.
   */
  gathered: Shape | undefined = undefined;
  values: unknown[] | undefined = undefined;
  /** The anchor of a tagged value, which exists only when it ends. */
  anchor = NO_ANCHOR;
  readonly outer: OpenContainer | undefined;
  inner: OpenContainer | undefined = undefined;

  constructor(outer: OpenContainer | undefined) {
    this.outer = outer;
  }
}

/** Whether the container outside has been handed this one: when it began, unless it is handed over when it ends. */
export function isCounted(frame: OpenContainer): boolean {
  return frame.gathered === undefined && frame.place !== TAGGED;
}
