import { bigVarintAt } from '../../values/numbers-in-bytes.ts';

/** One interpretation of the bytes at an offset. */
export interface Reading {
  name: string;
  little: string;
  /** Undefined if byte order makes no difference. */
  big?: string;
}

const SIZES = [1, 2, 4, 8] as const;

/** Reads the bytes at an offset as every number type that fits. */
export function readingsAt(bytes: Uint8Array, at: number): Reading[] {
  const left = bytes.length - at;
  if (at < 0 || left <= 0) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, left);
  const found: Reading[] = [];
  for (const size of SIZES) {
    if (left < size) break;
    const both = (read: (isLittle: boolean) => number | bigint): Pick<Reading, 'little' | 'big'> =>
      size === 1 ? { little: String(read(true)) } : { little: String(read(true)), big: String(read(false)) };
    found.push(
      { name: `uint${size * 8}`, ...both((isLittle) => unsigned(view, size, isLittle)) },
      { name: `int${size * 8}`, ...both((isLittle) => signed(view, size, isLittle)) },
    );
  }
  if (left >= 4) found.push({ name: 'float32', little: String(view.getFloat32(0, true)), big: String(view.getFloat32(0, false)) });
  if (left >= 8) found.push({ name: 'float64', little: String(view.getFloat64(0, true)), big: String(view.getFloat64(0, false)) });
  const varint = bigVarintAt(bytes, at);
  if (varint)
    found.push(
      { name: `varint, ${varint.next - at} B`, little: String(varint.value) },
      { name: 'zigzag varint', little: String((varint.value >> 1n) ^ -(varint.value & 1n)) },
    );
  found.push({ name: 'binary', little: bytes[at]!.toString(2).padStart(8, '0') });
  return found;
}

function unsigned(view: DataView, size: number, isLittle: boolean): number | bigint {
  if (size === 8) return view.getBigUint64(0, isLittle);
  return size === 4 ? view.getUint32(0, isLittle) : size === 2 ? view.getUint16(0, isLittle) : view.getUint8(0);
}

function signed(view: DataView, size: number, isLittle: boolean): number | bigint {
  if (size === 8) return view.getBigInt64(0, isLittle);
  return size === 4 ? view.getInt32(0, isLittle) : size === 2 ? view.getInt16(0, isLittle) : view.getInt8(0);
}

/** Offset that a text denotes: decimal, or hexadecimal with 0x; negative numbers count from the end. Undefined if invalid. */
export function offsetOf(text: string, length: number): number | undefined {
  const [, minus, digits] = /^\s*(-?)(0x[\da-f]+|\d+)\s*$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const at = minus ? length - Number(digits) : Number(digits);
  return at >= 0 && at < length ? at : undefined;
}
