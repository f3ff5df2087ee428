import { Encoder } from './encoder/encoder.ts';
import type { EncoderOptions } from './encoder/options.ts';

/**
 * Creates an encoder. Nothing is loaded or started before first use.
 *
 * @example
 * const encoder = createEncoder();
 * await fetch('/orders', { method: 'POST', body: await encoder.body(orders, { format: 'messagepack' }) });
 */
export function createEncoder(options: EncoderOptions = {}): Encoder {
  return new Encoder(options);
}

export { type Columns, fromColumns } from './encoder/from-columns.ts';
export type { RecordList } from '../core/values/record-list.ts';
export type { Encodable, EncodableValue } from './encoder/encodable.ts';
export type { Encoder } from './encoder/encoder.ts';
export type { EncodeMessageOptions, MessageKind, MessageSocket, SendOptions } from './encoder/messages.ts';
export type { TranscodeSource } from './encoder/transcode/transcode.ts';
export type { Compression, EncodeFormat, EncodeOptions, EncodeProgress, EncoderOptions, EncodeSettings } from './encoder/options.ts';
export type { SchemaDefinition, SchemaOf, SchemaReference, TypedSchema } from './call/options/options.ts';
export type { PageWorker } from './pool/page-worker.ts';
export { EncodeError, SchemaError, WorkerCrashError } from '../core/errors.ts';
export type { EncodeErrorCode } from '../core/errors.ts';
export type { FormatId } from '../core/format/format-id.ts';
export type { WriteOptions } from '../core/formats/registry.ts';
