/** Where a document, an array, a code with its scope, or a list of documents goes on. `offset` is that of its length. */
export interface StopPlace {
  readonly kind: 'object' | 'array' | 'scope' | 'sequence';
  readonly next: number;
  readonly offset: number;
  readonly keys: readonly string[];
  /** Of an array, how many items there are. */
  readonly count: number;
}

/** Of a place that is in no document. */
export const NO_KEYS: readonly string[] = [];
