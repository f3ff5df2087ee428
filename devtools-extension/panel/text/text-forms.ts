import type { ReadingClient } from '../../reading/protocol.ts';
import { jsonLines } from '../../values/json-lines.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { runSliced } from '../shared/slices.ts';
import { textLines } from './text-lines.ts';

/** Form of the text: the value as JSON, the formatted source, or the original bytes. */
export type TextForm = 'json' | 'formatted' | 'sent';

/** Form and encoding to show. */
export interface TextChoice {
  form: TextForm;
  /** Encoding of the original bytes; detected if undefined. */
  encoding?: string | undefined;
}

/** Maximum size of a body that is formatted. */
const MOST_FORMATTED = 4_000_000;

/** Lines of a body, and a note if they are not in the requested form. */
export interface TextLines {
  lines: readonly string[];
  note: string;
}

/** Available text forms, the most useful first. */
export function textForms({ tree, language, error }: OpenBody): TextForm[] {
  const isDecoded = tree !== undefined && tree.count > 1;
  // For valid JSON, the decoded form is the formatted one.
  const isFormatted = language !== undefined && !(language === 'json' && isDecoded && !error);
  return [...(isDecoded ? (['json'] as const) : []), ...(isFormatted ? (['formatted'] as const) : []), 'sent'];
}

/** Lines of a body in a form; the original text if it cannot be formatted. Undefined if cancelled. */
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
