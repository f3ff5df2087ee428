/** Parses hexadecimal digits, with optional spaces and dashes. */
export function hex(text: string): Uint8Array {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (digits.length % 2 !== 0) throw new Error(`half a byte: ${text}`);
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
}

/** Concatenates parts; strings are encoded as UTF-8. */
export function bytesOf(...parts: (number | string | Uint8Array | number[])[]): Uint8Array {
  const encoder = new TextEncoder();
  return Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'number' ? [part] : [...(typeof part === 'string' ? encoder.encode(part) : part)])),
  );
}

/** Bytes as hexadecimal digits, without spaces. */
export function toHex(bytes: Uint8Array): string {
  let digits = '';
  for (const byte of bytes) digits += DIGITS[byte];
  return digits;
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The index of the first difference, or −1. For arrays that are too large for `toEqual`. */
export function firstDifference(bytes: Uint8Array, others: Uint8Array): number {
  const shorter = Math.min(bytes.length, others.length);
  for (let at = 0; at < shorter; at += 1) if (bytes[at] !== others[at]) return at;
  return bytes.length === others.length ? -1 : shorter;
}
