import { tripsOf } from '../payloads/trips.ts';
import type { Way } from './contender.ts';
import { type Parse, parseJson, parseMessagePack } from './libraries.ts';

/** Does the same as `response.json()`, including the decoding of UTF-8. */
export const jsonParse = onPage(parseJson);

/** msgpackr without generated code, which the page's Content Security Policy forbids. */
export const msgpackr = onPage(parseMessagePack);

/** Decodes on the main thread, in one task. */
function onPage(parse: Parse): Way {
  return {
    prepare: () => Promise.resolve(),
    decode({ payload }) {
      const started = performance.now();
      const rows = tripsOf(parse(new Uint8Array(payload), false));
      const ms = performance.now() - started;
      return Promise.resolve({ rows, started, readyMs: ms, totalMs: ms });
    },
  };
}
