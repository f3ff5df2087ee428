import { unpack } from 'msgpackr/unpack-no-eval';
import { tripsOf } from '../models/trips.ts';
import type { Contender } from './contender.ts';

/** msgpackr without generated code: the page's Content Security Policy forbids that. */
export const msgpackr: Contender = {
  id: 'msgpackr',
  title: 'msgpackr',
  how: 'On the main thread, bytes to objects; without generated code, which this page’s security policy forbids.',
  encodingFor: (chosen) => (chosen === 'json' ? 'messagepack' : chosen),
  prepare: () => Promise.resolve(),
  decode({ payload }) {
    const started = performance.now();
    const rows = tripsOf(unpack(new Uint8Array(payload)));
    const ms = performance.now() - started;
    return Promise.resolve({ rows, started, readyMs: ms, totalMs: ms });
  },
};
