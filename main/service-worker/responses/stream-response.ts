import { recordError } from '../../../core/error-record.ts';
import { frameFailure, frameHeader, frameTrailer } from '../../block/part-stream.ts';
import { Outflow } from './outflow.ts';
import type { Decode, Consumer } from './consumer.ts';

/** Bytes held back: few, since the page waits for the first part. */
const HELD_BYTES = 16 * 1024;

/**
 * Returns the parts of a block as a body that grows while the payload is decoded. Failures after the beginning are
 * reported at its end. Calls `done` with a promise for the end of the decode.
 */
export function streamParts(decode: Decode, done: (ended: Promise<void>) => void): Promise<BodyInit> {
  const flow = new Outflow(HELD_BYTES);
  const frames: Consumer = {
    async take(part) {
      await flow.take(frameHeader(part.byteLength));
      await flow.take(part);
    },
    get begun() {
      return flow.begun;
    },
    drop: () => flow.drop(),
  };
  const run = async (): Promise<void> => {
    try {
      await decode(frames);
      await flow.take(frameTrailer());
      await flow.end();
    } catch (error) {
      await fail(flow, error);
    }
  };
  done(run());
  return flow.body;
}

async function fail(flow: Outflow, error: unknown): Promise<void> {
  try {
    if (flow.begun) {
      await flow.take(frameFailure(recordError(error)));
      await flow.end();
      return;
    }
  } catch {
    // The page is gone.
  }
  flow.fail(error);
}
