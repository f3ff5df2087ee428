import { HEAD_BYTES } from '../../worker/detect.ts';
import { type Core, inPlace, limitsOf } from '../decoder/core.ts';
import type { Operation } from '../decoder/operation.ts';
import type { DecodeOptions, DecodeSource } from '../decoder/options.ts';
import { compressionOf } from './open-source.ts';
import type { Payload } from './sources.ts';
import { openBytes } from './source-input.ts';

/**
 * Begins to read a source. Where it turns out to be so small that it is decoded in place, or nothing can be decoded
 * before it has come, it is read to its end.
 */
export async function openInput(core: Core, operation: Operation, source: DecodeSource, options: DecodeOptions): Promise<Payload> {
  const whole = core.options.keepBodies === true || inPlace(core, Infinity, options);
  const input = openBytes(source, options, whole);
  operation.stop = (reason) => input.cancel(reason);
  const there = input.fetched !== undefined;
  const bytes = await input.head(whole ? Infinity : there || options.route === 'worker' ? HEAD_BYTES : core.inlineBelow);
  const compression = compressionOf(source, options);
  if (compression) {
    const { headOf, unpack } = await import('./unpack.ts');
    const limits = limitsOf(core, options);
    if (input.ended && !there) return { bytes: await unpack(bytes, limits), own: true };
    // Only to tell the format: the worker decompresses by itself.
    return { bytes: await headOf(input, limits), own: true, input, compression };
  }
  if ((input.ended && !there) || operation.settled) return { bytes, own: true };
  return { bytes, own: true, input };
}
