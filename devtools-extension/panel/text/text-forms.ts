import { jsonLines } from '../../values/json-lines.ts';
import type { OpenBody } from '../body/open-body.ts';
import { runSliced } from '../shared/slices.ts';

/** Form of the text: the value as JSON, or the original bytes. */
export type TextForm = 'json' | 'sent';

/** Available text forms, the most useful first. */
export function textForms({ tree }: OpenBody): TextForm[] {
  return tree !== undefined && tree.count > 1 ? ['json', 'sent'] : ['sent'];
}

/** Lines of a body in a form; undefined if cancelled. Without an encoding, that of the original bytes is detected. */
export function linesOf(body: OpenBody, form: TextForm, encoding: string, signal: AbortSignal): Promise<string[] | undefined> {
  return runSliced(form === 'json' ? jsonLines(body.tree!, body.tree!.root) : textLines(body.bytes, encoding), signal);
}

/** Maximum number of bytes shown as text. */
const MAX_BYTES = 8_000_000;
/** Longer lines continue in the next row. */
const MAX_LINE = 2_000;

/** Selectable text encodings, as named in https://encoding.spec.whatwg.org/ */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'macintosh',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
] as const;

/** Decodes bytes into lines. Without an encoding: UTF-16 with a byte order mark, otherwise UTF-8, otherwise windows-1252. */
export function* textLines(bytes: Uint8Array, encoding = ''): Generator<undefined, string[]> {
  const part = bytes.subarray(0, MAX_BYTES);
  const lines: string[] = [];
  for (const line of (encoding ? new TextDecoder(encoding).decode(part) : decode(part)).split(/\r?\n|\r/)) {
    if ((lines.length & 0x3ff) === 0) yield;
    for (let at = 0; at === 0 || at < line.length; at += MAX_LINE) lines.push(line.slice(at, at + MAX_LINE));
  }
  if (bytes.length > part.length) lines.push('…');
  return lines;
}

function decode(bytes: Uint8Array): string {
  const mark = bytes.length > 1 ? (bytes[0]! << 8) | bytes[1]! : 0;
  if (mark === 0xfffe || mark === 0xfeff) return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
