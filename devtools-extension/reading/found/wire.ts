import { joined } from '../../../core/bytes/byte-input.ts';
import { varintAt } from '../../values/numbers-in-bytes.ts';

/** A field of a message: its number, its wire type, and the bytes of a length-delimited one or a fixed number. */
export interface WireField {
  number: number;
  wire: number;
  bytes: Uint8Array | undefined;
}

/** Fields of a message; undefined if the bytes are not a message. */
export function fieldsOfMessage(message: Uint8Array): WireField[] | undefined {
  const found: WireField[] = [];
  let at = 0;
  const varint = (): number => {
    const found = varintAt(message, at);
    at = found?.next ?? message.length;
    return found?.value ?? NaN;
  };
  while (at < message.length) {
    const tag = varint();
    if (!(tag >= 8)) return undefined;
    const number = Math.floor(tag / 8);
    let bytes: Uint8Array | undefined;
    if (tag % 8 === 0) {
      if (Number.isNaN(varint())) return undefined;
    } else if (tag % 8 === 2) {
      const length = varint();
      if (!(length <= message.length - at)) return undefined;
      bytes = message.subarray(at, at + length);
      at += length;
    } else if (tag % 8 === 1 || tag % 8 === 5) {
      const size = tag % 8 === 1 ? 8 : 4;
      bytes = message.subarray(at, at + size);
      at += size;
      if (at > message.length) return undefined;
    } else {
      return undefined;
    }
    found.push({ number, wire: tag % 8, bytes });
  }
  return found;
}

/** Contents of the length-delimited fields with a number; none if the bytes are not a message. */
export function contentsOf(message: Uint8Array, number: number): Uint8Array[] {
  return (fieldsOfMessage(message) ?? []).flatMap((field) => (field.number === number && field.wire === 2 && field.bytes ? [field.bytes] : []));
}

/** Text of the first field with a number; empty without one. */
export function textIn(message: Uint8Array, number: number): string {
  const [found] = contentsOf(message, number);
  return found ? new TextDecoder().decode(found) : '';
}

/** Bytes of a varint; a negative one has ten. */
function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** A length-delimited field. */
export function wrapped(number: number, bytes: Uint8Array): Uint8Array {
  return joined([Uint8Array.from([...varint(number * 8 + 2), ...varint(bytes.length)]), bytes]);
}

export function text(number: number, value: string): Uint8Array {
  return wrapped(number, new TextEncoder().encode(value));
}

export function varintField(number: number, value: number): Uint8Array {
  return Uint8Array.from([...varint(number * 8), ...varint(value)]);
}
