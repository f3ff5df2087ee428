// oxlint-disable-next-line import/default -- Vite makes the module
import InlineWorker from '../worker/inline-entry.ts?worker&inline';
import { Decoder } from './decoder/decoder.ts';
import type { DecoderOptions } from './decoder/options/options.ts';
import { withAllCode } from './pool/code-files.ts';
import { createTrusted } from './pool/trusted-worker.ts';

/**
 * Makes a decoder whose worker is part of this module, for bundlers and servers that cannot serve a file beside it. It
 * needs `worker-src blob:` in a page's CSP.
 */
export function createDecoder(options: DecoderOptions = {}): Decoder {
  return new Decoder(options, () => withAllCode(createTrusted(() => new InlineWorker())));
}

// What is exported above takes the place of the same name here.
export * from './index.ts';
