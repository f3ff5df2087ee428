// oxlint-disable-next-line import/default -- Vite makes the module
import InlineWorker from '../worker/inline-entry.ts?worker&inline';
import { allCode } from './decoder/all-code.ts';
import { Decoder } from './decoder/decoder.ts';
import type { DecoderOptions } from './call/options/options.ts';
import type { NamedSchemas } from './decoder/named-schemas.ts';
import { withAllCode } from './pool/code-requests.ts';
import { createTrusted } from './pool/trusted-worker.ts';

/**
 * Creates a decoder whose worker is bundled into this module, for bundlers and servers that cannot serve the worker as
 * a separate file. Requires `worker-src blob:` in the page's CSP.
 */
export function createDecoder<V>(options: DecoderOptions<V> & { schemas: object }): NamedSchemas<V> & Decoder;
export function createDecoder(options?: DecoderOptions): Decoder;
export function createDecoder(options: DecoderOptions = {}): Decoder {
  return new Decoder(options, () => withAllCode(createTrusted(() => new InlineWorker())), allCode());
}

export * from './exports.ts';
