import type { ReadingClient } from '../../reading/protocol.ts';
import { jsonLines } from '../../values/json-lines.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { runSliced } from '../shared/slices.ts';
import { textLines } from './text-lines.ts';

/** What a body is shown as in text: its value as JSON, its own text with indentation, or the bytes as they were sent. */
export type TextForm = 'json' | 'formatted' | 'sent';

/** What is to be shown. */
export interface TextChoice {
  form: TextForm;
  /** Of what was sent; undefined where the bytes are to tell. */
  encoding?: string | undefined;
}

/** Bytes of text that are formatted. */
const MOST_FORMATTED = 4_000_000;

/** Lines of a body, and a word where they are not those that were asked for. */
export interface TextLines {
  lines: readonly string[];
  note: string;
}

/** The forms in which a body can be shown as text, the one that says most first. */
export function textForms({ tree, language, error }: OpenBody): TextForm[] {
  const isDecoded = tree !== undefined && tree.count > 1;
  // The value of whole JSON is its text with indentation.
  const isFormatted = language !== undefined && !(language === 'json' && isDecoded && !error);
  return [...(isDecoded ? (['json'] as const) : []), ...(isFormatted ? (['formatted'] as const) : []), 'sent'];
}

/** The lines of a body in a form, those that were sent in the encoding given; those that were sent where it cannot be formatted. Undefined where it is no longer wanted. */
export async function linesOf(
  body: OpenBody,
  { form, encoding }: TextChoice,
  client: ReadingClient,
  signal: AbortSignal,
): Promise<TextLines | undefined> {
  const { bytes, note } = form === 'formatted' ? await formattedBytes(body, client, signal) : { bytes: body.bytes, note: '' };
  const work = form === 'json' ? jsonLines(body.tree!, body.tree!.root) : textLines(bytes, form === 'sent' ? encoding : undefined);
  const lines = await runSliced(work, () => signal.aborted);
  return lines && !signal.aborted ? { lines, note } : undefined;
}

async function formattedBytes(
  { bytes, language }: OpenBody,
  client: ReadingClient,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array; note: string }> {
  if (bytes.length > MOST_FORMATTED) return { bytes, note: `not formatted: more than ${formatBytes(MOST_FORMATTED)}` };
  try {
    return { bytes: await client.call('formatText', { bytes, language: language! }, { signal }), note: '' };
  } catch (error) {
    return { bytes, note: `not formatted: ${(error as Error).message}` };
  }
}
