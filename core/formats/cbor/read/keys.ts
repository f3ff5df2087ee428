import { CUT } from './input.ts';
import { ITEM_CUT, OTHER } from './items.ts';
import type { TagContext } from '../tags/tag-context.ts';

/**
 * Reads a key that is not a text string: a number, or a reference to a string. With `strings`, the map's first key was
 * a string, so this one must be too. Returns the position after it, or CUT.
 */
export function readUncommonKey(context: TagContext, strings: boolean, at: number): number {
  const { input, items, stack, sink, int64 } = context;
  const bundle = context.isBundle(at);
  if (bundle !== 0) return bundle < 0 ? CUT : context.readBundle(at);
  if (strings) {
    const text = items.textReference(at);
    if (text === ITEM_CUT) return CUT;
    if (text === OTHER) input.fail('unsupported', 'a key that is not a string after one that is: set the option maps to "map" or "object"', at);
  }
  const found = items.read(at, int64);
  if (found === ITEM_CUT) return CUT;
  if (found === OTHER) {
    input.fail('unsupported', 'a key that is neither a string nor a number: set the option maps to "map"', at);
  }
  sink.keyText(String(items.value), at, input.next);
  stack.keyed = true;
  return input.next;
}

/**
 * Classifies the first key of a map, which is not a text string: 1 if it makes the map a Map, 0 if not, −1 if it is
 * cut.
 */
export function classifyKey(context: TagContext, at: number): number {
  const bundle = context.isBundle(at);
  if (bundle !== 0) return bundle < 0 ? -1 : 0;
  const found = context.items.textReference(at);
  return found === ITEM_CUT ? -1 : found === OTHER ? 1 : 0;
}
