import type { FieldNode, MessageNode } from './plan.ts';

/** A length that is still unknown: its offset, and the bytes reserved for it. */
export interface Head {
  readonly offset: number;
  readonly size: number;
}

/** Container in which writing resumes. */
export const IN_MESSAGE = 0;
export const IN_MESSAGES = 1;
export const IN_ITEMS = 2;
export const IN_MAP = 3;

/** Resume point in a message, a list of messages or scalars, or a map: writing continues at `next`. */
export interface Place {
  readonly kind: number;
  readonly next: number;
  readonly message: MessageNode | undefined;
  readonly field: FieldNode | undefined;
  readonly keys: readonly unknown[] | undefined;
  /** Length of a message or packed list, or of the map's entry before `next`. */
  readonly head: Head | undefined;
  /** Tag that ends a group. */
  readonly endTag: number;
}
