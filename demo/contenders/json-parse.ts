import { tripsOf } from '../payloads/trips.ts';
import type { Way } from './contender.ts';

/** Does the same as `response.json()`, including the decoding of UTF-8. */
export const jsonParse: Way = {
  prepare: () => Promise.resolve(),
  decode({ payload }) {
    const started = performance.now();
    const rows = tripsOf(JSON.parse(new TextDecoder().decode(payload)));
    const ms = performance.now() - started;
    return Promise.resolve({ rows, started, readyMs: ms, totalMs: ms });
  },
};
