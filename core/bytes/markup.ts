/** Number of bytes of an input that are shown. */
const SHOWN_BYTES = 40;
/** Number of bytes in which a document begins, after white space. */
const HEAD_BYTES = 256;

/** The beginning of an input in quotes, if it looks like text; undefined for other bytes, and for fewer than four. */
export function textStart(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, SHOWN_BYTES);
  // Printable ASCII, tabs and line breaks only: characters of other scripts may be cut.
  if (head.length < 4 || !head.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09)) return undefined;
  return JSON.stringify(String.fromCharCode(...head) + (bytes.length > SHOWN_BYTES ? '…' : ''));
}

/** The beginning of an input: as text, or in hexadecimal. */
export function describeStart(bytes: Uint8Array): string {
  return textStart(bytes) ?? Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}

/** The first bytes of an input without a byte order mark and white space, each as a character of its own. */
export function textHead(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, HEAD_BYTES)).replace(/^(?:\xef\xbb\xbf)?[ \n\r\t]*/, '');
}

/** True if the input starts like an HTML or XML document: servers and proxies send one when they fail. */
export function looksLikeMarkup(bytes: Uint8Array): boolean {
  return /^<(?:!doctype|html|head|body|\?xml|!--)/i.test(textHead(bytes));
}
