import { type FormatEntry, FORMATS, SNIFFERS } from './registry.ts';

export { describeStart, looksLikeMarkup } from '../bytes/markup.ts';

/** Bytes at the start of an input from which its format is detected. */
export const HEAD_BYTES = 64;
/** Scores below this could be any bytes. */
const SURE_ENOUGH = 0.4;

/** A format, and the options that a media type implies. */
export interface Detected {
  entry: FormatEntry;
  /** True for media types of sequences: one value after another. */
  sequence: boolean;
}

/**
 * Detects the format of a `Content-Type` value, ignoring its parameters. Undefined if the type is unspecific (none,
 * `text/plain`, `application/octet-stream`) or unknown. A structured syntax suffix (RFC 6839) counts, and so does the name of a
 * sequence, such as `application/json-seq` (RFC 7464).
 */
export function detectByMediaType(contentType: string | null | undefined): Detected | undefined {
  const type = contentType?.split(';', 1)[0]!.trim().toLowerCase();
  if (!type) return undefined;
  const single = type.replace(/-seq$/, '');
  const suffix = /\+[^+]+$/.exec(single)?.[0];
  for (const entry of FORMATS) {
    if (entry.mediaTypes.some((known) => known === single || known === suffix)) {
      return { entry, sequence: /ndjson|jsonl|-seq$/.test(type) };
    }
  }
  return undefined;
}

/** The format that the first bytes fit best; undefined if none is likely. `length` is that of the complete input. */
export function detectByContent(bytes: Uint8Array, length?: number): FormatEntry | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  let best: FormatEntry | undefined;
  let score = SURE_ENOUGH;
  for (const entry of FORMATS) {
    const sure = SNIFFERS[entry.id]?.(head, length) ?? 0;
    if (best ? sure > score : sure >= score) {
      best = entry;
      score = sure;
    }
  }
  return best;
}
