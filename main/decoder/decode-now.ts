import type { FormatEntry } from '../../worker/formats/registry.ts';
import { type Core, formatOptions, inPlace, limitsOf, NONE } from './core.ts';
import { chooseFormat } from './detect.ts';
import { parseJson, UNSURE } from './inline-json.ts';
import type { DecodeReport } from './observe.ts';
import type { DecodeOptions, DecodeSource } from './options.ts';
import type { Schema } from './schemas.ts';
import { bytesOf } from '../input/sources.ts';
import { inlineTools } from './tools.ts';

/** A decode that takes more than the present task. */
export const LATER: unique symbol = Symbol('later');

/**
 * Decodes a small payload in the present task. `LATER` where its bytes must be read, code loaded or a worker asked
 * first. Costs little more than the plain decode: nothing is awaited, measured or made that need not be.
 */
export function decodeNow(core: Core, source: DecodeSource, options: DecodeOptions, report?: DecodeReport): unknown {
  if ((options.as ?? 'objects') !== 'objects' || options.compression) return LATER;
  const bytes = bytesOf(source);
  if (!bytes || bytes.length === 0 || !inPlace(core, bytes.length, options)) return LATER;
  const { schemas } = core;
  const { entry, sequence } = chooseFormat(options.format ?? schemas.formatOf(options.schema), source, bytes);
  const schema = schemas.resolve(options.schema, entry);
  if (schema && !schema.compiled) return LATER;
  if (report) {
    report.bytes = bytes.length;
    report.format = entry.id;
    report.schema = schema?.name;
  }
  return decodeInPlace(core, entry, formatOptions(core, entry, options, sequence), schema, bytes, options);
}

/** Decodes a payload in place into plain objects. `LATER` where code must be loaded first. */
export function decodeInPlace(
  core: Core,
  entry: FormatEntry,
  reading: object,
  schema: Schema | undefined,
  bytes: Uint8Array,
  options: DecodeOptions,
): unknown {
  const limits = limitsOf(core, options);
  if (entry.id === 'json' && reading === NONE) {
    const value = parseJson(bytes, limits);
    if (value !== UNSURE) return value;
  }
  const tools = inlineTools.get(entry.id);
  if (!tools || tools.format.prepare?.(bytes)) return LATER;
  const setting = { id: entry.id, format: tools.format, options: reading, limits, schema: schema?.compiled };
  return tools.code.decodeObjects(setting, bytes, options.revive ?? core.options.revive);
}
