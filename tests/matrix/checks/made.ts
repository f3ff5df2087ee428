import { decodeSync } from '../../../main/sync.ts';
import { madeBy } from '../../setup/work/work.ts';
import type { FormatLine } from '../formats.ts';
import { outcomeOf } from '../outcome.ts';
import { payloadOf } from '../payload.ts';
import type { Shape } from '../shapes.ts';
import type { Call, Way } from '../ways.ts';

/** Size of a payload, as a multiple of its shape’s: what grows by the square of it exceeds all else. */
const TIMES = 16;
/** No value has fewer bytes than it may stand for. */
const LIMITS = { expansion: 1 };
/** Bytes that a byte of the payload may take: with a key that is always new, a value has a column of its own, which several steps make anew. */
const EACH = 512;
/** What a call makes beside. */
const MOST = 64e6;
/** Bytes of a chunk. */
const CHUNK = 8_000;

/** What a way makes of a payload beyond what its limits admit, of which an error may be the outcome; undefined if nothing. */
export async function madeTooMuch(way: Way, line: FormatLine, shape: Shape): Promise<string | undefined> {
  if (shape.isDepth) return undefined;
  const payload = await payloadOf(line, shape, shape.size * TIMES);
  const { format, bytes, options, compiled } = payload;
  const read = (): Promise<Call['reference']> => outcomeOf(() => decodeSync(format, bytes, { options, schema: compiled, limits: LIMITS }));
  const call: Call = {
    payload,
    earlier: await payloadOf(line, shape, shape.size),
    stream: () => cut(bytes),
    reference: await read(),
    limits: LIMITS,
  };
  if (way.fits?.(call) === false) return undefined;
  const made = await madeBy(() => way.run(call));
  const most = EACH * LIMITS.expansion * bytes.length + MOST;
  return made > most ? `makes ${Math.round(made / 1e6)} MB of ${bytes.length} bytes, where ${Math.round(most / 1e6)} MB are admitted` : undefined;
}

function cut(bytes: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += CHUNK)));
      else controller.close();
    },
  });
}
