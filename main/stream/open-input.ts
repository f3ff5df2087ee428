import { HEAD_BYTES } from '../../worker/detect.ts';
import { type Core, inPlace } from '../core.ts';
import type { Operation } from '../operation.ts';
import type { DecodeOptions, DecodeSource } from '../options.ts';
import type { Payload } from '../sources.ts';
import { ByteInput } from './input.ts';

/**
 * Begins to read a source. Where it turns out to be so small that it is decoded in place, or nothing can be decoded
 * before it has come, it is read to its end.
 */
export async function openInput(core: Core, operation: Operation, source: DecodeSource, options: DecodeOptions): Promise<Payload> {
  const input = new ByteInput(source, options);
  operation.stop = (reason) => input.cancel(reason);
  const whole = core.options.keepBodies === true || inPlace(core, Infinity, options);
  const bytes = await input.head(whole ? Infinity : options.route === 'worker' ? HEAD_BYTES : core.inlineBelow);
  if (input.ended || operation.settled) return { bytes, own: true };
  return { bytes, own: true, input };
}
