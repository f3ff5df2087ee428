import { createWorker } from '../pool/create-worker.ts';
import { Decoder } from './decoder.ts';
import type { DecoderOptions } from './options/options.ts';

/**
 * Makes a decoder. Nothing is started or loaded before it is used.
 *
 * @example
 * const decoder = createDecoder();
 * const trips = await decoder.decode<Trip[]>(buffer, { format: 'messagepack' });
 */
export function createDecoder(options: DecoderOptions = {}): Decoder {
  return new Decoder(options, createWorker);
}
