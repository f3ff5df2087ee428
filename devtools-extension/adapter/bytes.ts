import type { Body, Header } from './adapter.ts';

/** The bytes that base64 stands for. */
export function fromBase64(text: string): Uint8Array {
  const direct = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (direct) return direct(text);
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** What windows-1252 has at 0x80 to 0x9f; the others are their own code. */
const WINDOWS_1252 = new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, i) => 0x80 + i));

/**
 * The bytes of a body that the browser has decoded to text. What was sent as `text/plain` without a charset was read as
 * windows-1252, which keeps every byte; `size` tells which of the two it was.
 */
export function bytesOfText(text: string, size: number): Uint8Array {
  const utf8 = new TextEncoder().encode(text);
  if (utf8.length === size || text.length !== size) return utf8;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    const place = code > 0xff ? WINDOWS_1252.indexOf(text[i]!) : -1;
    if (code > 0xff && place < 0) return utf8;
    bytes[i] = place < 0 ? code : 0x80 + place;
  }
  return bytes;
}

/** Whether the text that the browser gives is what was sent. */
export function likelyText(mimeType: string, initiator: string | undefined): boolean {
  return /json|text\/|javascript|xml|html|svg|x-www-form/.test(mimeType) || initiator === 'document';
}

/** A request's body: text where it was UTF-8, one character a byte elsewhere. Its length tells which. */
export function requestBytes(text: string, headers: readonly Header[]): Body {
  const declared = Number(headers.find(({ name }) => name.toLowerCase() === 'content-length')?.value ?? NaN);
  const utf8 = new TextEncoder().encode(text);
  if (utf8.length === declared) return { bytes: utf8 };
  const isBinary = !/[\u0100-\uffff]/.test(text);
  if (isBinary && text.length === declared) return { bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)) };
  return { bytes: utf8, lossy: !Number.isNaN(declared) || !isBinary };
}
