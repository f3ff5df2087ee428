import { addFormats } from './call/formats.ts';
import type { NamedFormats } from './call/named-formats.ts';
import type { DecoderOptions } from './call/options/options.ts';
import { Decoder } from './decoder/decoder.ts';
import type { NamedSchemas } from './decoder/named-schemas.ts';
import { withAllCode } from './pool/code-requests.ts';
import { createTrusted } from './pool/trusted-worker.ts';

/** Options of `createDecoder` of `unspool/core`. */
export type CoreOptions<V = unknown> = DecoderOptions<V> & {
  /**
   * The formats that the decoder reads, by their ids: the default export of a module of `unspool/formats/*`, or a function that
   * imports the module when a payload needs it. JSON that the engine parses needs no code.
   */
  formats: NamedFormats;
};

/**
 * Makes a decoder of the named formats, whose code alone is in the application's build. Its workers are those of the option
 * `createWorker`, with `serve` of `unspool/worker-core`; without the option, everything is decoded on the calling thread.
 *
 * @example
 * const decoder = createDecoder({
 *   formats: { json: () => import('unspool/formats/json'), cbor: () => import('unspool/formats/cbor') },
 *   createWorker: () => new Worker(new URL('./unspool-worker.js', import.meta.url), { type: 'module' }),
 * });
 */
export function createDecoder<V>(options: CoreOptions<V> & { schemas: object }): NamedSchemas<V> & Decoder;
export function createDecoder(options: CoreOptions): Decoder;
export function createDecoder({ formats, createWorker, ...options }: CoreOptions): Decoder {
  addFormats(formats);
  const start = createWorker && ((): Worker => withAllCode(createTrusted(createWorker)));
  return new Decoder(options, start, { named: formats });
}

export type { FormatSource, NamedFormats } from './call/named-formats.ts';
export * from './exports.ts';
