export { createDecoder } from './create-decoder.ts';
export type { Batches } from './batches.ts';
export type { Decoder, DecoderEvents, DecoderStats } from './decoder.ts';
export type { DecoderFetch, DecoderRequestInit, DecoderResponse, FetchIn } from './fetch.ts';
export type { ColumnValues, Rows } from './materialise/rows.ts';
export type { ResultForm } from './materialise/index.ts';
export type { DecodeReport, Registry } from './observe.ts';
export type { PoolStats } from './pool.ts';
export type {
  BatchOptions,
  DecodeOptions,
  DecodeProgress,
  DecoderOptions,
  GrowOptions,
  DecodeSource,
  Route,
  RowsListener,
  SchemaDefinition,
  SchemaReference,
} from './options.ts';
export type { GrowingRows } from './stream/growing-rows.ts';
export type { ColumnsOf, RowsOf } from './results.ts';
export { DecodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../worker/errors.ts';
export type { DecodeErrorCode, ErrorPlace, LimitName, PlacedError } from '../worker/errors.ts';
export type { FormatId, FormatOptions, FormatSchemas } from '../worker/formats/registry.ts';
export type { Limits } from '../worker/limits.ts';
export type { Revive } from '../worker/revive.ts';
