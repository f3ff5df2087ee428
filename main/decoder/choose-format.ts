import { describeStart, type Detected, detectByContent, detectByMediaType, looksLikeMarkup } from '../../core/formats/detect.ts';
import { DecodeError } from '../../core/errors.ts';
import { formatEntry, FORMATS } from '../../core/formats/registry.ts';
import { mediaTypeOf } from '../input/sources.ts';
import type { DecodeSource } from './options/options.ts';

/**
 * The format of a payload: the one that is named, or else that of the source's media type, or else what its first bytes
 * fit. `length` is that of the whole payload, undefined where it is not known. Throws a DecodeError where none can be
 * told.
 */
export function chooseFormat(
  named: string | undefined,
  source: DecodeSource,
  bytes: Uint8Array,
  length: number | undefined = bytes.length,
): Detected {
  if (named !== undefined) {
    const entry = formatEntry(named);
    if (entry) return { entry, sequence: false };
    const known = FORMATS.map(({ id }) => id).join(', ');
    throw new DecodeError('unknown-format', `unknown format ${named}; known formats: ${known}`);
  }
  const typed = detectByMediaType(mediaTypeOf(source));
  if (typed) return typed;
  if (bytes.length === 0) throw new DecodeError('empty', 'the payload is empty', { offset: 0 });
  if (looksLikeMarkup(bytes)) {
    throw new DecodeError('unknown-format', `the payload is an HTML or XML document, not data${status(source)}`, { offset: 0 });
  }
  const entry = detectByContent(bytes, length);
  if (!entry) {
    const reason = `unknown format: the payload begins with ${describeStart(bytes)}${status(source)}; set the option format`;
    throw new DecodeError('unknown-format', reason, { offset: 0 });
  }
  return { entry, sequence: false };
}

/** Whether the source's media type tells the format. */
export function isTyped(source: DecodeSource): boolean {
  return detectByMediaType(mediaTypeOf(source)) !== undefined;
}

function status(source: DecodeSource): string {
  const { status, statusText } = source as Partial<Response>;
  return status === undefined ? '' : ` (the server's status was ${`${status} ${statusText}`.trim()})`;
}
