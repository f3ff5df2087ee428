/**
 * Makes plain objects of one shape as fast as code generated for that shape would, without generating any. An engine
 * learns for each place in the source which keys it defines; an object literal with computed keys is therefore several
 * times as fast as assigning key by key, as long as no second shape ever comes by the same place, and slower than
 * anything else when one does. So each maker of the table is a place of its own, and is handed out once.
 */
import { type Maker, MAKERS } from './maker-table.ts';

export type { Maker } from './maker-table.ts';

/** The most keys that a maker can take. */
export const LARGEST_SHAPE: number = MAKERS.length;

/** A maker, and the keys to give it. */
export interface Claim {
  readonly make: Maker;
  readonly keys: readonly string[];
}

/**
 * A maker that is the caller's alone, for objects of exactly these keys; undefined where all are taken. There are few:
 * claim one only for a shape that has come often, and keep it for good.
 */
export function claimMaker(keys: readonly string[]): Claim | undefined {
  const makers = MAKERS[keys.length - 1];
  if (!makers || makers.length < 2) return undefined;
  // A place is only learnt for the strings that engines keep for property names, not for others equal to them.
  const names = keys.map((key) => nameOf(key));
  // What kind of value a property has is also learnt, and learnt anew when another comes. So the maker begins with
  // properties that have had every kind: it is the first, whose place many shapes have come by, that has made them so.
  for (const value of [1, 0.5, ''])
    makers[0]!(
      names,
      names.map(() => value),
    );
  return { make: makers.pop()!, keys: names };
}

/** The string equal to `key` that is a property's name. */
function nameOf(key: string): string {
  const bag = Object.create(null) as Record<string, null>;
  bag[key] = null;
  return Object.keys(bag)[0]!;
}
