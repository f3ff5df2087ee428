// V8, SpiderMonkey and JavaScriptCore keep one copy of each string that names a property, and their caches of property
// stores compare only those: a key that was cut from a longer text is looked up by its characters each time. Keys that
// name many properties are therefore replaced by the engine's copy. Benchmark: --engine-switches, `internalizedKeys`.

import { OFF } from './switches.ts';

/** Returns the engine's own copy of a key. */
export function internalized(key: string): string {
  return OFF.internalizedKeys ? key : Object.keys({ [key]: null })[0]!;
}
