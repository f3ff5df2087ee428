import { type FormatEntry, FORMATS } from './registry.ts';
import { SNIFFERS } from './sniffers.ts';

export { describeStart, looksLikeMarkup } from '../bytes/markup.ts';

/** How many of the first bytes tell a format. */
export const HEAD_BYTES = 64;
/** Below this, the first bytes could be anything. */
const SURE_ENOUGH = 0.4;

/** A format, and the options that a media type implies. */
export interface Detected {
  entry: FormatEntry;
  /** A media type of sequences: one value after another. */
  sequence: boolean;
}

/**
 * The format of a `Content-Type` value, its parameters ignored; undefined where the type says nothing (none,
 * `text/plain`, `application/octet-stream`) or names no known format. A structured syntax suffix (RFC 6839) counts.
 */
export function detectByMediaType(contentType: string | null | undefined): Detected | undefined {
  const type = contentType?.split(';', 1)[0]!.trim().toLowerCase();
  if (!type) return undefined;
  const suffix = /\+[^+]+$/.exec(type)?.[0];
  for (const entry of FORMATS) {
    if (entry.mediaTypes.some((known) => known === type || known === suffix)) {
      return { entry, sequence: /ndjson|jsonl|-seq$/.test(type) };
    }
  }
  return undefined;
}

/** The format that the first bytes fit best; undefined where none is likely. `length` is that of the whole input. */
export function detectByContent(bytes: Uint8Array, length?: number): FormatEntry | undefined {
  const head = bytes.subarray(0, HEAD_BYTES);
  let best: FormatEntry | undefined;
  let score = SURE_ENOUGH;
  for (const entry of FORMATS) {
    const sure = SNIFFERS[entry.id]?.(head, length) ?? 0;
    if (sure >= score && (!best || sure > score)) {
      best = entry;
      score = sure;
    }
  }
  return best;
}
