import { Containers } from '../../../reading/containers.ts';

/** Kinds of containers. */
export const ROOT = 1;
export const ARRAY = 2;
export const OBJECT = 3;
export const RECORD = 4;
export const MAP = 5;
export const SET = 6;
/** An error or a regular expression of msgpackr's: one value. */
export const TAGGED = 7;
/** An extension whose content is a value. */
export const EXTENSION = 8;
/** The keys of a record, which becomes a RECORD once they are complete. */
export const DEFINITION = 9;

/** The open containers. */
export class Stack extends Containers {
  /** Opens a container of `size` values, whose head is at the byte `offset` of the input. */
  push(kind: number, size: number, offset: number): void {
    this.check(size, offset);
    this.enter(kind, size, size);
  }
}
