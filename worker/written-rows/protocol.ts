/**
 * What crosses between the page and a worker that writes `Rows`, over a port for each encode. Messages carry a `kind`. This
 * file imports only types.
 *
 *     page                                   worker
 *      │ job ────────────────────────────────▶│  loads the format's writer
 *      │ strings…, group… ───────────────────▶│  copies of what the rows are made of, transferred
 *      │ write ──────────────────────────────▶│  everything has been sent
 *      │◀─────────── chunk…, written… ────────│  the bytes, transferred; how many in all, after each slice
 *      │ taken… ─────────────────────────────▶│  what was read: no more than AHEAD_BYTES are on the way
 *      │ cancel ─────────────────────────────▶│
 *      │◀─────────── end │ failed ────────────│  the last message
 */

import type { ErrorRecord } from '../../core/error-record.ts';
import type { FormatId } from '../../core/formats/registry.ts';
import type { Limits } from '../../core/limits.ts';
import type { NotServed } from '../serve.ts';
import type { ColumnData, Group } from '../../main/rows/block.ts';
import type { StringChunk } from '../../main/rows/text.ts';

/** Bytes that the worker may have written and the page has not taken, give or take the chunk that ends there. */
export const AHEAD_BYTES = 2 << 20;

/** What is to be written, and how. Lists of strings, tables and blocks are named by their indices. */
export interface RowsJob {
  readonly id: FormatId;
  /** Where the file of the format's writer is. */
  readonly url: string;
  readonly options: object;
  /** In its compiled form. */
  readonly schema: unknown;
  readonly limits: Limits;
  /** The value, with an object of its own in the place of each list. */
  readonly value: unknown;
  readonly lists: readonly PackedList[];
  readonly tables: readonly PackedTable[];
  readonly blocks: readonly PackedBlock[];
}

export interface PackedList {
  /** The object that stands for it in the value. */
  readonly place: object;
  readonly runs: readonly PackedRun[];
}

/** Rows of a table, or records that are objects. */
export type PackedRun = { readonly table: number; readonly first: number; readonly count: number } | { readonly records: unknown[] };

export interface PackedTable {
  readonly block: number;
  /** Its number in the block. */
  readonly id: number;
  readonly keys: readonly string[];
}

/** What tapes refer to; absent where the block has none. */
export interface PackedBlock {
  /** Its lists of texts, binaries and keys, by their number in the block. */
  readonly lists?: readonly (readonly [list: number, strings: number])[];
  /** The parent of each shape but the first. */
  readonly shapes?: Int32Array;
}

/** A column whose dictionary is a list of strings. */
export type PackedColumn = Omit<ColumnData, 'list' | 'text'> & { readonly list: number | undefined };

export type PackedGroup = Omit<Group, 'table' | 'part' | 'columns'> & { readonly table: number; readonly columns: readonly PackedColumn[] };

/** A message with what the rows are made of. */
export type PackedPart =
  | { readonly kind: 'strings'; readonly strings: number; readonly chunk: StringChunk }
  | { readonly kind: 'group'; readonly group: PackedGroup };

export type ToRowsWorker =
  | { readonly kind: 'job'; readonly job: RowsJob }
  | PackedPart
  | { readonly kind: 'write' }
  | { readonly kind: 'taken'; readonly bytes: number }
  | { readonly kind: 'cancel' };

export type FromRowsWorker =
  | { readonly kind: 'chunk'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'written'; readonly bytes: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly error: ErrorRecord }
  | NotServed;
