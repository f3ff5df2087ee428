import { SchemaError } from '../../../errors.ts';
import { BOOL, DOUBLE, FIXED32, FIXED64, FLOAT, INT32, INT64, SFIXED32, SFIXED64, SINT32, SINT64, UINT32, UINT64 } from './schema.ts';

/** Bits of an integer type, negative if it is signed. */
const BITS = new Map([
  [INT32, -32],
  [SINT32, -32],
  [SFIXED32, -32],
  [UINT32, 32],
  [FIXED32, 32],
  [INT64, -64],
  [SINT64, -64],
  [SFIXED64, -64],
  [UINT64, 64],
  [FIXED64, 64],
]);

const INTEGER = /^(-?)(\d+|0[xX][\da-fA-F]+|0o[0-7]+)$/;
const FLOAT_TEXT = /^([+-]?)(?:(inf|infinity)|(nan)|(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|0x[\da-f]+|0o[0-7]+))$/i;

/** Default of a number or a boolean, given as text; a bigint for 64-bit types. `field` is for the error. */
export function numericDefault(field: string, text: string, type: number): number | bigint | boolean {
  if (type === BOOL) {
    if (text !== 'true' && text !== 'false') throw invalidDefault(field, text);
    return text === 'true';
  }
  if (type === FLOAT || type === DOUBLE) {
    const value = floatOf(text);
    if (value === undefined) throw invalidDefault(field, text);
    return type === FLOAT ? Math.fround(value) : value;
  }
  const [, sign, digits] = INTEGER.exec(text) ?? [];
  const bits = BITS.get(type);
  // A 64-bit integer has at most 22 octal digits and a prefix.
  if (digits === undefined || bits === undefined || digits.length > 24) throw invalidDefault(field, text);
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits);
  if (value !== (bits < 0 ? BigInt.asIntN(-bits, value) : BigInt.asUintN(bits, value))) throw invalidDefault(field, text);
  return Math.abs(bits) === 64 ? value : Number(value);
}

function floatOf(text: string): number | undefined {
  const [, sign, infinite, nan, digits] = FLOAT_TEXT.exec(text) ?? [];
  const value = infinite ? Infinity : nan ? NaN : digits === undefined ? undefined : Number(digits);
  return value !== undefined && sign === '-' ? -value : value;
}

function invalidDefault(field: string, text: string): SchemaError {
  return new SchemaError(`the default of the field ${field} does not fit its type: ${text.slice(0, 40)}`);
}
