import { unpack } from 'msgpackr/unpack-no-eval';
import { tripsOf } from '../payloads/trips.ts';
import type { Way } from './contender.ts';

/** msgpackr without generated code, which the page's Content Security Policy forbids. */
export const msgpackr: Way = {
  prepare: () => Promise.resolve(),
  decode({ payload }) {
    const started = performance.now();
    const rows = tripsOf(unpack(new Uint8Array(payload)));
    const ms = performance.now() - started;
    return Promise.resolve({ rows, started, readyMs: ms, totalMs: ms });
  },
};
