import type { Shape } from '../../reading/shapes.ts';

/** Use that an open container makes of the next value. */
export type Place = number;
export const ROOT: Place = 0;
export const OBJECT: Place = 1;
export const ARRAY: Place = 2;
/** An object after the key `__proto__`, which must become an own property. */
export const PROTO: Place = 3;
export const SET: Place = 4;
export const MAP_KEY: Place = 5;
export const MAP_VALUE: Place = 6;
export const TAGGED: Place = 7;

export const NO_ANCHOR = -1;

/** One open container. Frames are reused, so opening a container allocates nothing else. */
export class OpenContainer {
  place: Place = ROOT;
  target: unknown = undefined;
  /** Key of the next value; in a map, any value. */
  key: unknown = undefined;
  /** Items so far of an array, a set or a map. */
  index = 0;
  /** Items of an array already taken out of it. */
  taken = 0;
  /** Keys of a record, and the field read last. */
  keys: readonly string[] | undefined = undefined;
  field = -1;
  /** True if the record's fields are not in the order of its keys. */
  disordered = false;
  /**
   * The shape of a record whose values are collected as in an array until the record is complete and created at once.
   * The enclosing container receives it only then; it receives other containers when they begin.
   */
  gathered: Shape | undefined = undefined;
  values: unknown[] | undefined = undefined;
  /** Anchor of a tagged value, which exists only once it ends. */
  anchor = NO_ANCHOR;
  readonly outer: OpenContainer | undefined;
  inner: OpenContainer | undefined = undefined;

  constructor(outer: OpenContainer | undefined) {
    this.outer = outer;
  }
}

/** True if the enclosing container already holds this one: it received it at the beginning, not at the end. */
export function isCounted(frame: OpenContainer): boolean {
  return frame.gathered === undefined && frame.place !== TAGGED;
}
