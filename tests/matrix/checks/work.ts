import { excessOf } from '../../setup/work/work.ts';
import type { FormatLine } from '../formats.ts';
import { outcomeOf } from '../outcome.ts';
import { payloadOf } from '../payload.ts';
import type { Shape } from '../shapes.ts';
import type { Call, Way } from '../ways.ts';
import { decodeSync } from '../../../main/sync.ts';

/** Bytes of a chunk, so that eight times the bytes are eight times the chunks. */
const CHUNK = 16;

/** The measures of work that grow by more than three for each doubling of the input. */
export async function excessIn(way: Way, line: FormatLine, shape: Shape): Promise<string[]> {
  // Its size is the least at which it is one.
  if (shape.limits) return [];
  const callOf = async (size: number): Promise<Call> => {
    const payload = await payloadOf(line, shape, size);
    return {
      payload,
      earlier: await payloadOf(line, shape, Math.ceil(size * 0.9)),
      stream: () => inChunks(payload.bytes, CHUNK),
      reference: await outcomeOf(() => decodeSync(payload.format, payload.bytes, { options: payload.options, schema: payload.compiled })),
    };
  };
  if (way.fits?.(await callOf(1)) === false) return [];
  return excessOf(async (size) => {
    const call = await callOf(size);
    return () => way.run(call);
  }, shape.size);
}

/** A stream of bytes in chunks of a size. */
export function inChunks(bytes: Uint8Array<ArrayBuffer>, size: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += size)));
      else controller.close();
    },
  });
}
