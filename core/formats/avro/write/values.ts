import { EncodeError } from '../../../errors.ts';
import { bytesOf } from '../../../writing/binary-values.ts';
import { OWN_SCALE } from '../schema/schema.ts';

const DAY = 86_400_000;
const DECIMAL_TEXT = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;
const UUID_TEXT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Days of a Date. Throws if it has a time of day. */
export function daysOf(date: Date): number {
  const days = date.getTime() / DAY;
  if (Number.isNaN(days)) throw new EncodeError('range', 'an invalid Date');
  if (!Number.isInteger(days)) throw new EncodeError('range', 'a Date with a time of day where a date is expected');
  return days;
}

/** A timestamp in units of which `scale` make a millisecond. */
export function instantOf(date: Date, scale: number): number | bigint {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) throw new EncodeError('range', 'an invalid Date');
  const value = milliseconds * scale;
  return Number.isSafeInteger(value) ? value : BigInt(milliseconds) * BigInt(scale);
}

/** True if a text is a UUID. */
export function isUuidText(text: string): boolean {
  return UUID_TEXT.test(text);
}

/** The 16 bytes of a UUID (RFC 9562), given as text or bytes. */
export function uuidBytes(value: unknown): Uint8Array {
  if (typeof value === 'string') {
    if (!isUuidText(value)) throw new EncodeError('type', 'a text that is not a UUID');
    return Uint8Array.from(value.replaceAll('-', '').match(/../g)!, (digits) => Number.parseInt(digits, 16));
  }
  const bytes = bytesOf(value);
  if (bytes?.length !== 16) throw new EncodeError('type', 'a value that is not a UUID');
  return bytes;
}

/** Months, days and milliseconds: three uint32, little-endian. */
export function durationBytes(value: unknown): Uint8Array {
  const given = bytesOf(value);
  if (given?.length === 12) return given;
  if (typeof value !== 'object' || value === null) throw new EncodeError('type', 'a value that is not a duration');
  const bytes = new DataView(new ArrayBuffer(12));
  for (const [index, name] of (['months', 'days', 'milliseconds'] as const).entries()) {
    const part: unknown = (value as Record<string, unknown>)[name];
    if (typeof part !== 'number') throw new EncodeError(part === undefined ? 'missing' : 'type', `the ${name} of a duration must be a number`);
    if (part !== part >>> 0) throw new EncodeError('range', `the ${name} of a duration must be a uint32`);
    bytes.setUint32(4 * index, part, true);
  }
  return new Uint8Array(bytes.buffer);
}

/**
 * Unscaled value of a decimal in two's complement, highest byte first: `size` bytes, or as few as possible if `size`
 * is negative; a big-decimal with `OWN_SCALE`. Bytes are returned unchanged.
 */
export function decimalBytes(value: unknown, precision: number, scale: number, size: number): Uint8Array {
  const given = bytesOf(value);
  if (given !== undefined) {
    if (size >= 0 && given.length !== size) throw new EncodeError('range', `a decimal of ${given.length} bytes where ${size} are expected`);
    return given;
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    throw new EncodeError('type', 'a value that is not a decimal');
  if (scale === OWN_SCALE) return bigDecimalBytes(String(value), precision);
  const unscaled = unscaledOf(String(value), precision, scale);
  const count = size >= 0 ? size : bytesFor(unscaled);
  if (BigInt.asIntN(8 * count, unscaled) !== unscaled) throw new EncodeError('range', `a decimal that ${count} bytes cannot hold`);
  return signedBytes(unscaled, count);
}

/** A big-decimal: the unscaled value as bytes with their length, and the scale of the text. */
function bigDecimalBytes(text: string, precision: number): Uint8Array {
  const [, , , fraction = '', exponent = '0'] = DECIMAL_TEXT.exec(text) ?? [];
  const scale = fraction.length - Number(exponent);
  const unscaled = unscaledOf(text, precision, scale);
  const bytes = signedBytes(unscaled, bytesFor(unscaled));
  return Uint8Array.from([...zigZag(bytes.length), ...bytes, ...zigZag(scale)]);
}

/** A small integer as Avro encodes it. */
function zigZag(value: number): number[] {
  const bytes: number[] = [];
  let rest = value < 0 ? -2 * value - 1 : 2 * value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  return [...bytes, rest];
}

/** True if a text is a decimal number. */
export function isDecimalText(text: string): boolean {
  const parts = DECIMAL_TEXT.exec(text);
  return parts !== null && (parts[2] !== '' || (parts[3] ?? '') !== '');
}

function unscaledOf(text: string, precision: number, scale: number): bigint {
  if (!isDecimalText(text)) throw new EncodeError('type', 'a text that is not a decimal number');
  const [, sign, integer = '', fraction = '', exponent = '0'] = DECIMAL_TEXT.exec(text)!;
  let digits = `${integer}${fraction}`.replace(/^0+/, '') || '0';
  // Number of zeros to append to the digits; if negative, of digits to drop.
  const shift = digits === '0' ? 0 : scale - fraction.length + Number(exponent);
  if (digits.length + shift > precision) throw new EncodeError('range', `the decimal has more than ${precision} digits`);
  if (shift >= 0) digits += '0'.repeat(shift);
  else {
    if (/[^0]/.test(digits.slice(shift))) throw new EncodeError('range', `the decimal has more than ${scale} places`);
    digits = digits.slice(0, shift) || '0';
  }
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

function bytesFor(value: bigint): number {
  const bits = (value < 0n ? -value - 1n : value).toString(16).length * 4;
  const most = Math.ceil(bits / 8);
  return BigInt.asIntN(8 * most, value) === value ? most : most + 1;
}

function signedBytes(value: bigint, count: number): Uint8Array {
  const digits = BigInt.asUintN(8 * count, value)
    .toString(16)
    .padStart(2 * count, '0');
  return Uint8Array.from({ length: count }, (_, index) => Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16));
}
