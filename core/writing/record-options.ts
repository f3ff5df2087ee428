/** How plain objects are written as records, whose keys are written once. What is left out has the value named first. */
export interface RecordOptions {
  /**
   * Writes plain objects as records of msgpackr or cbor-x, whose keys are written once: all of them, or those that the function
   * returns true for. Their readers must know records. Default false.
   */
  records?: boolean | ((value: object) => boolean);
  /**
   * The record structures that the writer shares with its readers, lists of keys by number (the decoder's `structures`).
   * Without `saveStructures`, new ones are appended to this array, which the reader must then be given.
   */
  structures?: (readonly string[] | null | undefined)[];
  /** Gives the shared structures that were saved: asked for at the beginning, and after a save that was declined. */
  getStructures?: () => readonly (readonly string[] | null | undefined)[] | null | undefined;
  /**
   * Saves the shared structures. It is called once for each new one, before bytes that need it are given out. `false`
   * declines, because another writer saved: `isCompatible` tells, of what is saved, whether that is so.
   */
  saveStructures?: (structures: readonly (readonly string[])[], isCompatible: (saved: readonly unknown[] | null | undefined) => boolean) => unknown;
  /** Whether the structure of these keys is to be shared. Default: every structure, while there is a number left. */
  shouldShareStructure?: (keys: readonly string[]) => boolean;
  /**
   * How many structures may be shared. Default with `structures` or `saveStructures` 32 for MessagePack, of at most 8,160,
   * and 128 for CBOR, of at most 8,190; otherwise 0.
   */
  maxSharedStructures?: number;
  /**
   * How many structures the bytes themselves may define at one time. Default for MessagePack 64, or 32 where some are
   * shared; for CBOR 256, less those that may be shared.
   */
  maxOwnStructures?: number;
  /**
   * Structures that one encode defined stay defined for the next ones of the same encoder: a reader must read all of
   * their bytes, one after the other, as a sequence. Default false.
   */
  keepRecords?: boolean;
}
