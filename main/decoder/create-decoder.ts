import { createWorker } from '../pool/create-worker.ts';
import { allCode } from './all-code.ts';
import { Decoder } from './decoder.ts';
import type { DecoderOptions } from '../call/options/options.ts';
import type { NamedSchemas } from './named-schemas.ts';

/**
 * Makes a decoder. Nothing is started or loaded before it is used. With `schemas` of `defineSchema`, their names carry their types:
 * see `NamedSchemas`.
 *
 * @example
 * const decoder = createDecoder();
 * const trips = await decoder.decode<Trip[]>(buffer, { format: 'messagepack' });
 */
export function createDecoder<V>(options: DecoderOptions<V> & { schemas: object }): NamedSchemas<V> & Decoder;
export function createDecoder(options?: DecoderOptions): Decoder;
export function createDecoder(options: DecoderOptions = {}): Decoder {
  return new Decoder(options, createWorker, allCode());
}
