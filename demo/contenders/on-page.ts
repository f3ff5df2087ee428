import { unpack } from 'msgpackr/unpack-no-eval';
import { tripsOf } from '../payloads/trips.ts';
import type { Way } from './contender.ts';

/** Does the same as `response.json()`, including the decoding of UTF-8. */
export const jsonParse = onPage((payload) => JSON.parse(new TextDecoder().decode(payload)));

/** msgpackr without generated code, which the page's Content Security Policy forbids. */
export const msgpackr = onPage((payload) => unpack(new Uint8Array(payload)));

/** Decodes on the main thread, in one task. */
function onPage(parse: (payload: ArrayBuffer) => unknown): Way {
  return {
    prepare: () => Promise.resolve(),
    decode({ payload }) {
      const started = performance.now();
      const rows = tripsOf(parse(payload));
      const ms = performance.now() - started;
      return Promise.resolve({ rows, started, readyMs: ms, totalMs: ms });
    },
  };
}
