export { createDecoder } from './decoder/create-decoder.ts';
export type { Batches } from './streams/batches.ts';
export type { Decoder, DecoderEvents, DecoderStats } from './decoder/decoder.ts';
export type { DecoderFetch, DecoderRequestInit, DecoderResponse } from './decoder/fetch.ts';
export type { ColumnValues, Rows } from './rows/rows.ts';
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
export type { GrowingRows, RowsListener, RowsSnapshot } from './streams/growing-rows.ts';
export type { ColumnsOf, RowsOf } from './decoder/options/results.ts';
export { DecodeError, LimitError, NetworkError, SchemaError, TimeoutError, WorkerCrashError } from '../core/errors.ts';
export type { DecodeErrorCode, ErrorPlace, LimitName, PlacedError } from '../core/errors.ts';
export type { FormatId, FormatOptions, FormatSchemas } from '../core/formats/registry.ts';
export type { Limits } from '../core/limits.ts';
export type { Revive } from '../core/reading/revive.ts';
export type { ChunkSource } from './live/chunks.ts';
export type { DeepPartial } from './live/deep-partial.ts';
export type { StreamEvent } from './live/event-parser.ts';
export type { EventOptions } from './live/events.ts';
export type { MessageCounts, MessagePolicy } from './live/inbox.ts';
export type { MessageSource, MessageTarget, SocketStream } from './live/listen.ts';
export type { MessageData, MessageOptions } from './live/messages.ts';
export type { PartialDecodeOptions } from './live/partial.ts';
export type { PartialForm } from './live/partial-form.ts';
