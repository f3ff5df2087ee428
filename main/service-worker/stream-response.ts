import { frameHeader, frameTrailer } from '../part-stream.ts';
import type { DecodeParts } from './block-response.ts';
import { Outflow } from './outflow.ts';

/** The first part goes out at once: it is what the page waits for. */
const HELD_BYTES = 16 * 1024;

/** The parts of a block as a body that grows while the payload is decoded. `done` is told when the decode has ended. */
export function streamParts(decode: DecodeParts, done: (ended: Promise<void>) => void): Promise<BodyInit> {
  const flow = new Outflow(HELD_BYTES);
  const run = async (): Promise<void> => {
    try {
      await decode(async (part) => {
        await flow.write(frameHeader(part.byteLength));
        await flow.write(new Uint8Array(part));
      });
      await flow.write(frameTrailer());
      await flow.end();
    } catch (error) {
      flow.fail(error);
    }
  };
  done(run());
  return flow.body;
}
