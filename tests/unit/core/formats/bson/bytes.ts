import { bytesOf, hex } from '../../../../setup/values/hex.ts';

/** Document of `elements`, each given as hexadecimal digits or bytes. */
export function document(...elements: (string | Uint8Array)[]): Uint8Array {
  const content = bytesOf(...elements.map((element) => (typeof element === 'string' ? hex(element) : element)));
  const bytes = new Uint8Array(content.length + 5);
  new DataView(bytes.buffer).setInt32(0, bytes.length, true);
  bytes.set(content, 4);
  return bytes;
}

/** BSON string as hexadecimal digits: length, UTF-8, a zero. */
export function text(value: string): string {
  const utf8 = new TextEncoder().encode(value);
  const head = new Uint8Array(4);
  new DataView(head.buffer).setInt32(0, utf8.length + 1, true);
  return digits(bytesOf(head, utf8, 0));
}

/** Key: UTF-8 and a zero. */
export function key(name: string): string {
  return digits(bytesOf(name, 0));
}

export function digits(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
