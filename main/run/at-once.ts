import { NOT_PLAIN, parseJson } from '../../core/slicing/json/values.ts';
import type { ResultForm } from '../rows/form.ts';
import { loadedFormat } from '../call/formats.ts';
import { isSequence, type Prepared, readByEngine, settingOf } from '../call/prepare.ts';

/** The result of `decodeAtOnce` if a payload takes more than the present task. */
export const LATER: unique symbol = Symbol('later');

/**
 * Decodes a payload in the present task. Returns `LATER` if it needs code that is not loaded, or is JSON that the engine does
 * not take: the reader, which says what is wrong with it, reads it in slices. Adds as little as possible to the time of the
 * decode itself, since most payloads are small.
 */
export function decodeAtOnce(prepared: Prepared, bytes: Uint8Array, as: ResultForm = 'objects'): unknown {
  const { entry, schema, revive, shaping } = prepared;
  if (shaping) return LATER;
  if (readByEngine(prepared) && !isSequence(prepared)) {
    const value = parseJson(bytes, prepared.limits);
    return value === NOT_PLAIN ? LATER : value;
  }
  if (schema && !schema.compiled) return LATER;
  const loaded = loadedFormat(entry.id);
  if (!loaded || loaded.format.prepare?.(bytes)) return LATER;
  return loaded.readers.readAtOnce(settingOf(prepared, loaded.format), bytes, revive, as !== 'objects');
}
