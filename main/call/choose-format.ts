import { describeStart, type Detected, detectByContent, detectByMediaType, looksLikeMarkup } from '../../core/formats/detect.ts';
import { DecodeError } from '../../core/errors.ts';
import { formatEntry } from '../../core/formats/registry.ts';
import { mediaTypeOf } from './input/sources.ts';
import { checkFormats } from './options/check.ts';
import type { DecodeSource } from './options/options.ts';

/**
 * Finds the format of a payload: the named one, `typed`, which is that of its media type, or the one that its first bytes fit.
 * `length` is that of the whole payload, undefined if unknown. Throws a DecodeError if it has no known format, and a TypeError if a format is named that does not exist.
 */
export function chooseFormat(named: string | undefined, typed: Detected | undefined, bytes: Uint8Array, length: number | undefined): Detected {
  if (named !== undefined) {
    checkFormats('format', [named]);
    return { entry: formatEntry(named)!, sequence: false };
  }
  if (typed) return typed;
  if (bytes.length === 0) throw emptyPayload();
  if (looksLikeMarkup(bytes)) {
    throw new DecodeError('unknown-format', 'the payload is an HTML or XML document', { offset: 0 });
  }
  const entry = detectByContent(bytes, length);
  if (!entry) {
    const reason = `unknown format: the payload begins with ${describeStart(bytes)}; set the option format`;
    throw new DecodeError('unknown-format', reason, { offset: 0 });
  }
  return { entry, sequence: false };
}

/** True if the source's media type names a format. */
export function isTyped(source: DecodeSource): boolean {
  return detectByMediaType(mediaTypeOf(source)) !== undefined;
}

/** True if the option or the source's media type names JSON. */
export function isJson(source: DecodeSource, { format }: { readonly format?: string | undefined }): boolean {
  return (format ?? detectByMediaType(mediaTypeOf(source))?.entry.id) === 'json';
}

/** The error of a payload without bytes. */
export function emptyPayload(): DecodeError {
  return new DecodeError('empty', 'the payload is empty', { offset: 0 });
}
