export { createDecoder } from './decoder/create-decoder.ts';
export type { Batches } from './streams/batches.ts';
export type { Decoder, DecoderEvents, DecoderStats } from './decoder/decoder.ts';
export type { DecoderFetch, DecoderRequestInit, DecoderResponse } from './decoder/fetch.ts';
export type { ColumnValues, Rows, RowsOptions } from './rows/rows.ts';
export { isRows } from './rows/is-rows.ts';
export type { RowPredicate, RowReader } from './tables/row-reader.ts';
export type { ArrowColumn, ArrowField, ArrowSchema, ArrowType } from './tables/arrow.ts';
export type { Comparisons, RowCondition, ValueCondition } from './tables/condition.ts';
export type { SortOptions, SortOrder } from './tables/sort.ts';
export type { ResultForm } from './rows/form.ts';
export type { DecodeReport, Registry } from './decoder/observe.ts';
export type { PoolStats } from './pool/pool.ts';
export type {
  BatchOptions,
  DecodeOptions,
  DecodeProgress,
  DecoderOptions,
  GrowOptions,
  DecodeSource,
  Route,
  SchemaDefinition,
  SchemaReference,
} from './decoder/options/options.ts';
export type { GrowingRows, RowsListener } from './streams/growing-rows.ts';
export type { ColumnsOf, RowsOf } from './decoder/options/results.ts';
export { DecodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../core/errors.ts';
export type { DecodeErrorCode, ErrorPlace, LimitName, PlacedError } from '../core/errors.ts';
export type { FormatId, FormatOptions, FormatSchemas } from '../core/formats/registry.ts';
export type { Limits } from '../core/limits.ts';
export type { Revive } from '../core/reading/revive.ts';
