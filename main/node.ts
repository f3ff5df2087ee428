import { allCode } from './decoder/all-code.ts';
import { Decoder } from './decoder/decoder.ts';
import type { DecoderOptions } from './call/options/options.ts';
import { builtin } from '../core/platform/node.ts';
import { threadFile, ThreadWorker } from './pool/thread-worker.ts';

/**
 * Creates a decoder for Node, whose workers are threads: one less than the processor has, from 1 to 4. Objects are built on
 * the calling thread in slices, between which the event loop runs.
 */
export function createDecoder(options: DecoderOptions = {}): Decoder {
  const file = threadFile();
  const workers = Math.max(1, Math.min(builtin('node:os').availableParallelism() - 1, 4));
  const createWorker = file && ((): Worker => new ThreadWorker(file) as EventTarget as Worker);
  const given = { workers, createWorker, ...defined(options) };
  return new Decoder(given, undefined, allCode());
}

/** Options without those that are undefined. */
function defined(options: DecoderOptions): DecoderOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

export * from './exports.ts';
