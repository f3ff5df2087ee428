/**
 * Key of an internal option of formats with records: the owner of the structures that one payload defines for the next. For a
 * reader, the list of structures by number, which it continues; for a writer, the connection or encoder.
 */
export const KEPT: unique symbol = Symbol('kept records');

/** Options of a reader or writer with the key. */
export interface KeepsRecords<Kept extends object = object> {
  [KEPT]?: Kept | undefined;
}

/** For a reader: lists of keys by the number of their id. Undefined for a message whose connection keeps none. */
export type KeptKeys = Map<number, readonly string[]>;
