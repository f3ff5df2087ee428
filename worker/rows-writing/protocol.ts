/**
 * Messages between the page and a worker that writes `Rows`, over one port per encode. Messages have a `kind`. This
 * file imports only types.
 *
 *     page                                   worker
 *      │ job ────────────────────────────────▶│  loads the format's writer
 *      │ strings…, group… ───────────────────▶│  copies of the rows' data, transferred
 *      │ write ──────────────────────────────▶│  everything has been sent
 *      │◀─────────── chunk…, written… ────────│  the bytes, transferred; the total after each slice
 *      │ taken… ─────────────────────────────▶│  bytes read by the page: at most AHEAD_BYTES are in flight
 *      │ cancel ─────────────────────────────▶│
 *      │◀─────────── end │ failed ────────────│  the last message
 */

import type { ErrorRecord } from '../../core/error-record.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { Limits } from '../../core/limits.ts';
import type { NotServed } from '../load-service.ts';
import type { ColumnData, Group } from '../../core/rows/read-block.ts';
import type { StringChunk } from '../../core/rows/text.ts';

/** Bytes that the worker may write ahead of the page, rounded up to whole chunks. */
export const AHEAD_BYTES = 2 << 20;

/** The value to write and its options. Lists of strings, tables and blocks are identified by index. */
export interface RowsJob {
  readonly id: FormatId;
  /** URL of the file with the format's writer. */
  readonly url: string;
  readonly options: object;
  /** Compiled form of the schema. */
  readonly schema: unknown;
  readonly limits: Limits;
  /** The value, in which a placeholder object stands for each list. */
  readonly value: unknown;
  readonly lists: readonly PackedList[];
  readonly tables: readonly PackedTable[];
  readonly blocks: readonly PackedBlock[];
}

export interface PackedList {
  /** The placeholder in the value. */
  readonly place: object;
  readonly runs: readonly PackedRun[];
}

/** Rows of a table, or records as objects. */
export type PackedRun = { readonly table: number; readonly first: number; readonly count: number } | { readonly records: unknown[] };

export interface PackedTable {
  readonly block: number;
  /** Its id in the block. */
  readonly id: number;
  readonly keys: readonly string[];
}

/** The data that tapes refer to; fields are absent if the block has none. */
export interface PackedBlock {
  /** Lists of texts, binaries and keys, by their id in the block. */
  readonly lists?: readonly (readonly [list: number, strings: number])[];
  /** Parent of each shape except the first. */
  readonly shapes?: Int32Array;
}

/** A column whose dictionary is identified by the index of its list of strings. */
export type PackedColumn = Omit<ColumnData, 'list' | 'text'> & { readonly list: number | undefined };

export type PackedGroup = Omit<Group, 'table' | 'part' | 'columns'> & { readonly table: number; readonly columns: readonly PackedColumn[] };

/** A message with part of the rows' data. */
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
