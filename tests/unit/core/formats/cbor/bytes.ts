import { head } from './arbitrary.ts';

/** Bytes from hexadecimal digits and white space. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.replace(/\s/g, '').match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Text string data item as hexadecimal digits. */
export function text(value: string): string {
  const content = new TextEncoder().encode(value);
  return [...head(3, content.length), ...content].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
