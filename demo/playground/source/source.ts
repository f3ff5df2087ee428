/** A payload that the visitor gave. */
export interface Source {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Content-Type; empty if unknown. */
  contentType: string;
}

const SEPARATORS = /0x|[\s:,]/gi;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
/** Characters of the pasted text that are looked at: regular expressions are not run over megabytes. */
const HEAD = 2_000;

/**
 * The payload in a pasted text: bytes in hexadecimal or base64, otherwise the text itself. Digits alone are a number in JSON.
 * Throws an Error for text that is empty or has no such digits.
 */
export function sourceOfText(text: string): Source {
  const trimmed = text.trim();
  if (trimmed === '') throw new Error('The text is empty: paste JSON, hexadecimal or base64.');
  const utf8 = (): Source => ({ name: 'pasted text', bytes: new TextEncoder().encode(text), contentType: '' });
  if (/^(?:[[{"]|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|true$|false$|null$)/i.test(trimmed.slice(0, HEAD))) return utf8();
  if (/^[0-9a-f]{2,}$/i.test(trimmed.slice(0, HEAD).replaceAll(SEPARATORS, '')))
    return { name: 'pasted hexadecimal', bytes: fromHex(trimmed), contentType: '' };
  const compact = trimmed.replaceAll(/\s+/g, '');
  if (compact.length % 4 !== 1 && BASE64.test(compact.slice(0, HEAD)) && !/\s\S+\s\S+\s/.test(trimmed.slice(0, HEAD))) {
    return { name: 'pasted base64', bytes: fromBase64(compact), contentType: '' };
  }
  return utf8();
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replaceAll(SEPARATORS, '');
  if (digits.length % 2 === 1 || /[^0-9a-f]/i.test(digits)) throw new Error('The hexadecimal text has a character that is no digit, or half a byte.');
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  let raw: string;
  try {
    raw = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new Error('The text looks like base64, but has a character that base64 does not have.');
  }
  return Uint8Array.from(raw, (character) => character.charCodeAt(0));
}
