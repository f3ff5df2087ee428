/** Number of bytes of an input that are shown. */
const SHOWN_BYTES = 40;

/** The beginning of an input in quotes, if it looks like text; undefined for other bytes, and for fewer than four. */
export function textStart(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, SHOWN_BYTES);
  // Printable ASCII, tabs and line breaks only: characters of other scripts may be cut.
  if (head.length < 4 || !head.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09)) return undefined;
  return JSON.stringify(String.fromCharCode(...head) + (bytes.length > SHOWN_BYTES ? '…' : ''));
}

/** The beginning of an input: as text, or in hexadecimal. */
export function describeStart(bytes: Uint8Array): string {
  const hex = Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
  return textStart(bytes) ?? hex;
}

/** True if the input starts like an HTML or XML document: servers and proxies send one when they fail. */
export function looksLikeMarkup(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  if (bytes[at] !== 0x3c) return false;
  return /^<(?:!doctype|html|head|body|\?xml|!--)/i.test(String.fromCharCode(...bytes.subarray(at, at + 16)));
}
