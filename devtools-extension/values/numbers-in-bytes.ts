/** A varint (https://protobuf.dev/programming-guides/encoding/#varints), and the place after it. */
export interface Varint<Value = number> {
  value: Value;
  next: number;
}

/** Number of bytes of the longest varint. */
const MAX_VARINT = 10;

/** Varint in the bytes before `end`, exact up to 2⁵³; undefined if it does not end. */
export function varintAt(bytes: Uint8Array, at: number, end = bytes.length): Varint | undefined {
  let value = 0;
  let scale = 1;
  for (let place = at; place < end && place < at + MAX_VARINT; place += 1) {
    const byte = bytes[place]!;
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte < 0x80) return { value, next: place + 1 };
  }
  return undefined;
}

/** Varint of any size in the bytes before `end`; undefined if it does not end. */
export function bigVarintAt(bytes: Uint8Array, at: number, end = bytes.length): Varint<bigint> | undefined {
  let value = 0n;
  let small = 0;
  for (let place = at; place < end && place < at + MAX_VARINT; place += 1) {
    const byte = bytes[place]!;
    const index = place - at;
    if (index < 4) small |= (byte & 0x7f) << (7 * index);
    else value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return { value: value | BigInt(small), next: place + 1 };
  }
  return undefined;
}

/** True for a plausible float: bytes of another type are rarely one. */
export function isLikelyFloat(value: number): boolean {
  return value === 0 || (Math.abs(value) > 1e-9 && Math.abs(value) < 1e18);
}
