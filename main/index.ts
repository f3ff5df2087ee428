export { createDecoder } from './decoder/create-decoder.ts';
export { defineSchema } from './decoder/options/define-schema.ts';
export type { Batches } from './streams/batches.ts';
export type { Decoder, DecoderEvents, DecoderStats } from './decoder/decoder.ts';
export type { DecoderFetch, DecoderRequestInit, DecoderResponse } from './decoder/fetch.ts';
export type { ColumnTypes, ColumnValues, Rows } from './rows/rows.ts';
export type { ResultForm } from './rows/form.ts';
export type { DecodeReport } from './decoder/observe.ts';
export type {
  BatchOptions,
  BatchSettings,
  DecodeOptions,
  DecodeProgress,
  DecoderOptions,
  GrowingRowsOptions,
  DecodeSettings,
  DecodeSource,
  FormatChoice,
  Route,
  SchemaDefinition,
  SchemaOf,
  SchemaReference,
  TypedSchema,
} from './decoder/options/options.ts';
export type { GrowingRows, RowsListener } from './streams/growing-rows.ts';
export type { ColumnsOf, FormOf, RowsOf } from './decoder/options/results.ts';
export { DecodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../core/errors.ts';
export type { DecodeErrorCode, ErrorPlace, LimitName } from '../core/errors.ts';
export type { FormatId, FormatOptions, FormatSchemas } from '../core/formats/registry.ts';
export type { Limits } from '../core/limits.ts';
export type { ReviveTag } from '../core/reading/revive.ts';
