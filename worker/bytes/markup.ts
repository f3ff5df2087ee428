/** Whether the input starts as an HTML or XML document does: what servers and proxies answer with when they fail. */
export function looksLikeMarkup(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at += 1;
  if (bytes[at] !== 0x3c) return false;
  return /^<(?:!doctype|html|head|body|\?xml|!--)/i.test(String.fromCharCode(...bytes.subarray(at, at + 16)));
}
