// V8 and SpiderMonkey learn which keys each place in the source defines. An object literal with computed keys is
// several times as fast as assigning key by key while its place sees a single shape, and slower than anything else after
// a second one. Each maker in the table is a place of its own, and is claimed once, for a shape that occurs often: as
// fast as code generated for that shape, without generating any. Benchmark: --engine-switches, `makers`.

import { internalized } from './internalized.ts';
import { type Maker, MAKERS } from './maker-table.ts';
import { OFF } from './switches.ts';

export type { Maker } from './maker-table.ts';

/** A maker, and the keys to pass to it. */
interface Claim {
  readonly make: Maker;
  readonly keys: readonly string[];
}

/**
 * Claims a maker for objects of exactly these keys; undefined if all are taken. There are few, and a claim is
 * permanent: claim one only for a shape that occurs often.
 */
export function claimMaker(keys: readonly string[]): Claim | undefined {
  const makers = OFF.makers ? undefined : MAKERS[keys.length - 1];
  if (!makers || makers.length < 2) return undefined;
  // Engines learn a place only for their own copies of keys.
  const names = keys.map(internalized);
  // Engines also learn the kind of each property's value, and relearn it when another kind comes. So the first, shared
  // maker sets each property to several kinds, which generalises them for all makers.
  for (const value of [1, 0.5, ''])
    makers[0]!(
      names,
      names.map(() => value),
    );
  return { make: makers.pop()!, keys: names };
}
