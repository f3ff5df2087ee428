import Negotiator from 'negotiator';
import { detectByMediaType } from '../../core/formats/detect.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { formatEntry, FORMATS } from '../../core/formats/registry.ts';
import { headerOf, type ServerRequest, shortened } from './server-request.ts';

/** A media type that a response may have, and how its body is written. */
export interface Alternative {
  readonly type: string;
  readonly format: FormatId;
  /** True for a type of sequences: one item after another, without an array around them. */
  readonly sequence: boolean;
}

/** Formats that hold any value and need no schema. */
const ANY_VALUE: readonly FormatId[] = ['json', 'messagepack', 'cbor'];

/** The formats of a request or response: the given ones, or those of any value and those with a schema. */
export function formatsOf(formats: object | undefined, schemas: object | undefined): readonly FormatId[] {
  const ids = Object.keys(formats ?? {}) as FormatId[];
  const chosen = formats ? ids : [...ANY_VALUE, ...(Object.keys(schemas ?? {}) as FormatId[])];
  const unknown = chosen.find((id) => !formatEntry(id));
  if (unknown !== undefined) throw new TypeError(`unknown format ${unknown}; known are ${FORMATS.map(({ id }) => id).join(', ')}`);
  return chosen;
}

/** The media types of some formats, the preferred of each first, and those of sequences last. */
export function alternativesOf(formats: readonly FormatId[]): Alternative[] {
  // JSON of a value with a schema for ProtoJSON is that.
  const written = formats.includes('protojson') ? formats.filter((format) => format !== 'json') : formats;
  const alternatives = written.flatMap((format) => {
    const types = formatEntry(format)!.mediaTypes.filter((type) => !type.startsWith('+'));
    return types.map((type) => ({ type, format, sequence: detectByMediaType(type)!.sequence }));
  });
  return [...alternatives.filter(({ sequence }) => !sequence), ...alternatives.filter(({ sequence }) => sequence)];
}

/**
 * Chooses the alternative that a request accepts most (RFC 9110 section 12.5.1): by quality, then by how exactly it is named, then
 * in the order of the alternatives. Undefined if it accepts none. A format's other names stand for it only where they are named
 * themselves, so that `application/json;q=0, *\/*` does not choose `text/json`.
 */
export function choose(request: ServerRequest, alternatives: readonly Alternative[]): Alternative | undefined {
  const accept = shortened(headerOf(request, 'accept')?.toLowerCase() ?? '') || '*/*';
  const named = new Map<string, Alternative>();
  const seen = new Set<string>();
  for (const alternative of alternatives) {
    const { type, format, sequence } = alternative;
    const kind = `${format} ${sequence}`;
    if (!seen.has(kind) || accept.includes(type)) named.set(type, alternative);
    seen.add(kind);
  }
  // Some clients name the encoding of JSON, although the type has no such parameter (RFC 8259 section 11).
  const json = named.get('application/json');
  if (json && accept.includes('charset')) named.set('application/json;charset=utf-8', json);
  const type = new Negotiator({ headers: { accept } }).mediaType([...named.keys()]);
  return type === undefined ? undefined : named.get(type);
}
