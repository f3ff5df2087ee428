import type { FormatId } from '../format/format-id.ts';
import { FORMATS, formatEntry, type FormatEntry } from './registry.ts';

/**
 * Characters of an `Accept` value up to which a request to another origin needs no preflight (Fetch standard, CORS-safelisted
 * request-header).
 */
export const SAFELISTED = 128;

/** The media types of each format, the one that is sent first. A `+suffix` stands for every type that ends with it. */
export const MEDIA_TYPES: Readonly<Record<FormatId, readonly string[]>> = /* @__PURE__ */ mediaTypes();

/** The end of each `Accept` value: JSON, or else whatever the server has. */
export const OTHERS = 'application/json;q=0.9, */*;q=0.5';

/** An `Accept` value for formats, in their order, of at most `most` characters. */
export function acceptOf(formats: Iterable<FormatId>, most = Infinity): string {
  let accept = '';
  for (const id of formats) {
    const [type] = formatEntry(id)!.mediaTypes;
    if (type !== 'application/json' && accept.length + type!.length + 2 + OTHERS.length <= most) accept += `${type}, `;
  }
  return accept + OTHERS;
}

/**
 * True if payloads of a format can only be read with a schema, or hold only tables, so that not any value can be
 * answered with them. Only a container of Avro includes its schema.
 */
export function needsSchema({ id, schema }: FormatEntry): boolean {
  return schema !== false || id === 'avro';
}

function mediaTypes(): Record<FormatId, readonly string[]> {
  return Object.fromEntries(FORMATS.map(({ id, mediaTypes }) => [id, mediaTypes])) as Record<FormatId, readonly string[]>;
}
