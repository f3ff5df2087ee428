export { createDecoder } from './decoder/create-decoder.ts';
export type { Batches } from './batches/batches.ts';
export type { Decoder, DecoderEvents, DecoderStats } from './decoder/decoder.ts';
export type { DecoderFetch, DecoderRequestInit, DecoderResponse } from './decoder/fetch.ts';
export type { ColumnValues, Rows } from './materialise/rows.ts';
export type { ResultForm } from './materialise/form.ts';
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
} from './decoder/options.ts';
export type { GrowingRows, RowsListener } from './batches/growing-rows.ts';
export type { ColumnsOf, RowsOf } from './decoder/results.ts';
export { DecodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../worker/errors.ts';
export type { DecodeErrorCode, ErrorPlace, LimitName, PlacedError } from '../worker/errors.ts';
export type { FormatId, FormatOptions, FormatSchemas } from '../worker/formats/registry.ts';
export type { Limits } from '../worker/limits.ts';
export type { Revive } from '../worker/events/revive.ts';
