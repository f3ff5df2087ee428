import type { Body, Header } from './adapter.ts';

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (direct) return direct(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Decodes base64 in either alphabet, with or without padding (RFC 4648, sections 4 and 5). */
export function fromAnyBase64(text: string): Uint8Array {
  const plain = withoutPadding(text).replaceAll('-', '+').replaceAll('_', '/');
  return fromBase64(plain + '='.repeat((4 - (plain.length % 4)) % 4));
}

/** Base64 without trailing `=`. */
export function withoutPadding(text: string): string {
  let end = text.length;
  while (text[end - 1] === '=') end -= 1;
  return text.slice(0, end);
}

/** Encodes bytes of any length as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x6000) text += btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000)));
  return text;
}

/** Text of bytes in UTF-8; undefined for other bytes. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes as pairs of hexadecimal digits. */
export function hexOf(bytes: Uint8Array, between = ' '): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(between);
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** Characters of windows-1252 at 0x80 to 0x9f. All others equal their code. */
const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i));

/**
 * Recovers the bytes of a body that the browser decoded to text. Browsers read `text/plain` without a charset as
 * windows-1252, which preserves every byte; `size`, the size as sent, tells it from UTF-8. Of a stream, it may be the size of
 * a part.
 */
export function bodyOfText(text: string, size: number): Body {
  const utf8 = new TextEncoder().encode(text);
  const isKnown = utf8.length === size;
  const single = isKnown ? undefined : windows1252(text);
  // By chance, hardly any text in windows-1252 is UTF-8 too, unless it is ASCII.
  if (single && (text.length === size || (utf8.length > text.length && utf8Of(single) !== undefined))) return { bytes: single };
  // U+FFFD marks bytes that were not UTF-8, unless it was sent.
  if (isKnown || size <= 0) return text.includes('\ufffd') ? { bytes: utf8, lossy: true } : { bytes: utf8 };
  // The decoder removes a byte order mark.
  if (utf8.length === size - 3 && !text.includes('\ufffd')) return { bytes: withByteOrderMark(utf8) };
  return { bytes: utf8, lossy: true };
}

function withByteOrderMark(utf8: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(utf8.length + 3);
  bytes.set([0xef, 0xbb, 0xbf]);
  bytes.set(utf8, 3);
  return bytes;
}

/** Encodes text as windows-1252; undefined if it contains other characters. */
function windows1252(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const place = code > 0xff ? WINDOWS_1252.indexOf(text[i]!) : -1;
    if (code > 0xff && place < 0) return undefined;
    bytes[i] = place < 0 ? code : 0x80 + place;
  }
  return bytes;
}

/**
 * Recovers a request's body from the browser's text: UTF-8 decoded, or one character per byte. The Content-Length tells
 * which. Before it is known, control characters in a body of a non-text type indicate bytes.
 */
export function requestBytes(text: string, headers: readonly Header[]): Body {
  const header = (name: string): string | undefined => headers.find((candidate) => candidate.name.toLowerCase() === name)?.value;
  const declared = Number(header('content-length') ?? NaN);
  const utf8 = new TextEncoder().encode(text);
  if (utf8.length === declared) return { bytes: utf8 };
  if (!/[\u0080-\uffff]/.test(text)) return { bytes: utf8, lossy: !Number.isNaN(declared) };
  const isText = /[\u0100-\uffff]/.test(text) || TEXT_TYPE.test(header('content-type') ?? 'text/plain');
  const single = Number.isNaN(declared) ? !isText && /(?![\t\n\r])\p{Cc}/u.test(text) : text.length === declared;
  if (single && !/[\u0100-\uffff]/.test(text)) return { bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)) };
  return { bytes: utf8, lossy: true };
}

/** Text media types. */
const TEXT_TYPE = /^text\/|[/+](?:json|xml|javascript|graphql|x-www-form-urlencoded)\b/i;
