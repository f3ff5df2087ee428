import { createCloneWay } from './contenders/clone.ts';
import type { ContenderId, Way } from './contenders/contender.ts';
import { jsonParse, msgpackr } from './contenders/on-page.ts';
import { createUnspoolWay } from './contenders/unspool.ts';
import { describeError } from './errors/describe-error.ts';

/** Functions of a lane's page that the race calls. */
const lane = {
  ways: {
    'json-parse': jsonParse,
    msgpackr,
    clone: createCloneWay(),
    unspool: createUnspoolWay(),
  } satisfies Record<ContenderId, Way>,
  /** Copies the bytes into a buffer of this page. */
  load: (payload: Blob): Promise<ArrayBuffer> => new Response(payload).arrayBuffer(),
  describeError,
  /** Opens the ways of the playground, which read any payload. */
  openWays: async () => (await import('./playground/measuring/ways.ts')).createWays(),
};

/** The window of a lane's page. */
export type LaneWindow = Window & { lane: typeof lane };

Object.assign(globalThis, { lane });
