import { NOT_PLAIN, parseJson } from '../../json/values.ts';
import { bytesOf } from '../../input/sources.ts';
import type { Core } from '../core.ts';
import { loadedFormat } from '../formats.ts';
import type { DecodeReport } from '../observe.ts';
import type { DecodeOptions, DecodeSource } from '../options/options.ts';
import { prepare, type Prepared, readByEngine, settingOf } from '../prepare.ts';

/** A decode that takes more than the present task. */
export const LATER: unique symbol = Symbol('later');

/**
 * Decodes a small payload in the present task. `LATER` where its bytes must be read, or code must be loaded first. Costs
 * little more than the plain decode: nothing is awaited, measured or made that need not be.
 */
export function decodeSmall(core: Core, source: DecodeSource, options: DecodeOptions, report?: DecodeReport): unknown {
  if ((options.as ?? 'objects') !== 'objects' || options.compression || (options.route ?? core.options.route) === 'worker') return LATER;
  const bytes = bytesOf(source);
  if (!bytes || bytes.length === 0 || bytes.length >= core.inlineBelow) return LATER;
  const prepared = prepare(core, source, options, bytes);
  const { entry, schema } = prepared;
  if (schema && !schema.compiled) return LATER;
  if (report) {
    report.bytes = bytes.length;
    report.format = entry.id;
    report.schema = schema?.name;
    report.why = 'small';
  }
  return decodeHere(prepared, bytes);
}

/** Decodes a payload that is small, in one go. `LATER` where code must be loaded first. */
export function decodeHere(prepared: Prepared, bytes: Uint8Array): unknown {
  const { entry, options, limits, revive } = prepared;
  if (readByEngine(prepared) && !(options as { sequence?: boolean }).sequence) {
    const value = parseJson(bytes, limits);
    if (value !== NOT_PLAIN) return value;
  }
  const here = loadedFormat(entry.id);
  if (!here || here.format.prepare?.(bytes)) return LATER;
  return here.readers.decodeAtOnce(settingOf(prepared, here.format), bytes, revive);
}
