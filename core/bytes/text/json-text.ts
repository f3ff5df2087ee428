const encoder = new TextEncoder();
/** An escape, or a surrogate without its other half. */
const LONE = /\\.|\p{Cs}/gsu;

/** True if every surrogate of a text is one of a pair. Not every engine has the method. */
export function isWellFormed(text: string): boolean {
  return (text as { isWellFormed?(): boolean }).isWellFormed?.() ?? !/\p{Cs}/u.test(text);
}

/** Encodes JSON as UTF-8, with escapes for the lone surrogates of its strings, which UTF-8 lacks and `JSON.parse` keeps. */
export function encodeJson(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(isWellFormed(text) ? text : text.replace(LONE, escaped));
}

function escaped(part: string): string {
  return part.length === 1 ? `\\u${part.charCodeAt(0).toString(16)}` : part;
}
