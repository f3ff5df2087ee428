// Exports of the entries `unspool`, `unspool/core` and `unspool/inline`, in addition to `createDecoder`.
export { defineSchema } from './call/options/define-schema.ts';
export type { Batches } from './streams/batches.ts';
export type { Decoder, DecoderEvents, DecoderStats } from './decoder/decoder.ts';
export type { DecoderFetch, DecoderRequestInit, DecoderResponse } from './decoder/fetch.ts';
export type {
  ColumnForm,
  ColumnForms,
  ColumnOptions,
  ColumnTypes,
  ColumnValues,
  KeyOptions,
  MaskedColumn,
  Rows,
  RowsOptions,
  RowsView,
  ViewOptions,
  ViewSnapshot,
} from './rows/rows.ts';
export { MEDIA_TYPES } from '../core/formats/accept.ts';
export { isRows } from './rows/rows.ts';
export type { RowPredicate, RowReader } from './tables/row-reader.ts';
export type { ArrowColumn, ArrowField, ArrowSchema, ArrowType } from './tables/arrow.ts';
export type { Comparisons, RowCondition, ValueCondition } from './tables/condition.ts';
export type { PathValue, RowPath } from '../core/rows/paths.ts';
export type { SortKey, SortOptions, SortOrder, SortOrders } from './tables/sort.ts';
export type { ColumnCodes } from './tables/tables.ts';
export type { ResultForm } from './rows/form.ts';
export type { DecodeReport } from './call/observe.ts';
export type {
  BatchOptions,
  BatchSettings,
  DecodeOptions,
  DecodeProgress,
  DecoderOptions,
  DecodeSettings,
  DecodeSource,
  FormatChoice,
  Route,
  RegisteredSchema,
  SchemaDefinition,
  SchemaOf,
  SchemaReference,
  SchemaScope,
  TypedSchema,
} from './call/options/options.ts';
export type { OutputOf, StandardIssue, StandardResult, StandardSchema, Validated } from './call/options/standard-schema.ts';
export type { PageWorker } from './pool/page-worker.ts';
export type { GrowingRows, GrowingRowsOptions, RowsListener, RowsSnapshot } from './streams/growing-rows.ts';
export type { FlatPoints } from '../core/sinks/typed/typed-sink.ts';
export type { BatchColumns, ColumnsOf, Picked, ResultAs, RowsOf } from './call/options/results.ts';
export type { NamedResponse, NamedSchemas } from './decoder/named-schemas.ts';
export type { BatchAs, ItemAt, ListPath, SchemaValue } from './call/options/typed-schemas.ts';
export { DecodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../core/errors.ts';
export type { DecodeErrorCode, ErrorPlace, LimitName } from '../core/errors.ts';
export type { FormatId } from '../core/format/format-id.ts';
export type { FormatOptions, FormatSchemas } from '../core/formats/registry.ts';
export type { Limits } from '../core/limits.ts';
export type { ReviveTag } from '../core/reading/revive.ts';
export type { ChunkSource } from './live/chunks.ts';
export type { DeepPartial } from './live/deep-partial.ts';
export type { StreamEvent } from '../core/messages/event-parser.ts';
export type { EventOptions } from './live/events.ts';
export type { MessageCounts, MessagePolicy } from '../core/messages/inbox.ts';
export type { MessageSource, MessageTarget, SocketStream } from '../core/messages/listen.ts';
export type { MessageData, MessageOptions, MessageSettings } from './live/messages.ts';
export type { AnswerOptions, PartialDecodeOptions, PartialSettings } from './live/partial.ts';
export type { AnswerService } from './live/answer/open-answer.ts';
export type { AnswerCall, AnswerParts } from './live/answer/parts.ts';
export type { ServiceError } from './live/answer/service-error.ts';
export type { PartialForm } from './live/partial-form.ts';
