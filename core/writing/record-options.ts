/**
 * Options for writing plain objects as records, whose keys are written once. The first value of each is the default.
 */
export interface RecordOptions {
  /**
   * Writes plain objects as records of msgpackr or cbor-x, whose keys are written once: all of them, or those for which
   * the function returns true. Their readers must support records. Default false.
   */
  records?: boolean | ((value: object) => boolean);
  /**
   * The record structures that the writer shares with its readers: lists of keys by number (the decoder's
   * `structures`). Without `saveStructures`, new ones are appended to this array, which the reader must then be given.
   */
  structures?: (readonly string[] | null | undefined)[];
  /** Returns the saved shared structures. Called at the beginning, and after a declined save. */
  getStructures?: () => readonly (readonly string[] | null | undefined)[] | null | undefined;
  /**
   * Saves the shared structures. Called once for each new one, before bytes that need it are emitted. Return `false` to
   * decline because another writer has saved in the meantime: `isCompatible` tells whether the saved structures allow
   * saving.
   */
  saveStructures?: (structures: readonly (readonly string[])[], isCompatible: (saved: readonly unknown[] | null | undefined) => boolean) => unknown;
  /** Decides whether the structure of these keys is shared. Default: every structure, as long as numbers are left. */
  shouldShareStructure?: (keys: readonly string[]) => boolean;
  /**
   * How many structures may be shared. Default with `structures` or `saveStructures`: 32 for MessagePack, of at most
   * 8,160, and 128 for CBOR, of at most 8,190; otherwise 0.
   */
  maxSharedStructures?: number;
  /**
   * How many structures the bytes themselves may define at one time. Default for MessagePack 64, or 32 if some are
   * shared; for CBOR 256, less those that may be shared.
   */
  maxOwnStructures?: number;
  /**
   * Keeps structures that one encode defined for the next encodes of the same encoder: a reader must read all of their
   * bytes as one sequence. Default false.
   */
  keepRecords?: boolean;
}
