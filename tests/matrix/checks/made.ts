import { decodeSync } from '../../../main/sync.ts';
import { madeBy } from '../../setup/work/work.ts';
import type { FormatLine } from '../formats.ts';
import { outcomeOf } from '../outcome.ts';
import { payloadOf } from '../payload.ts';
import type { Shape } from '../shapes.ts';
import type { Call, Way } from '../ways.ts';
import { inChunks } from './work.ts';

/** Size of a payload, as a multiple of its shape’s, at which quadratic growth exceeds the bounds below. */
const TIMES = 16;
/** A byte of the payload may stand for one byte of the value. */
const LIMITS = { expansion: 1 };
/** Bytes allocated for each byte of the payload: where each value has a new key, each has a column, which several steps copy. */
const MAX_EACH = 512;
/** Bytes allocated by any call, in addition. */
const MAX_FIXED = 64e6;
/** Bytes of a chunk. */
const CHUNK = 8_000;

/** A sentence about the bytes that a way allocates beyond these bounds, whether it gives a value or an error; undefined if within. */
export async function madeTooMuch(way: Way, line: FormatLine, shape: Shape): Promise<string | undefined> {
  if (shape.isDepth) return undefined;
  const payload = await payloadOf(line, shape, shape.size * TIMES);
  const { format, bytes, options, compiled } = payload;
  const read = (): Promise<Call['reference']> => outcomeOf(() => decodeSync(format, bytes, { options, schema: compiled, limits: LIMITS }));
  const call: Call = {
    payload,
    earlier: await payloadOf(line, shape, shape.size),
    stream: () => inChunks(bytes, CHUNK),
    reference: await read(),
    limits: LIMITS,
  };
  if (way.fits?.(call) === false) return undefined;
  const made = await madeBy(() => way.run(call));
  const most = MAX_EACH * LIMITS.expansion * bytes.length + MAX_FIXED;
  return made > most ? `makes ${Math.round(made / 1e6)} MB of ${bytes.length} bytes, where ${Math.round(most / 1e6)} MB are admitted` : undefined;
}
