import type { FieldNode, MessageNode } from './plan.ts';

/** Length prefix that is not known yet: its offset, and the bytes reserved for it. */
export interface Head {
  readonly offset: number;
  readonly size: number;
}

/** Container in which writing resumes. */
export const IN_MESSAGE = 0;
export const IN_MESSAGES = 1;
export const IN_ITEMS = 2;
export const IN_MAP = 3;

/** Where writing goes on in a message, a list of messages or of scalars, or a map: behind `next` of what is in it. */
export interface Place {
  readonly kind: number;
  readonly next: number;
  readonly message: MessageNode | undefined;
  readonly field: FieldNode | undefined;
  readonly keys: readonly unknown[] | undefined;
  /** Prefix of a message, a packed list, or the entry of a map before `next`. */
  readonly head: Head | undefined;
  /** The tag that ends a group. */
  readonly endTag: number;
}
