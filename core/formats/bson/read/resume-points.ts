/**
 * Where to resume in a document, an array, a code with its scope, or a list of documents. `offset` is that of its
 * length.
 */
export interface StopPlace {
  readonly kind: 'object' | 'array' | 'scope' | 'sequence';
  readonly next: number;
  readonly offset: number;
  readonly keys: readonly string[];
  /** How many items an array has. */
  readonly count: number;
}

/** Keys of a place outside documents. */
export const NO_KEYS: readonly string[] = [];
