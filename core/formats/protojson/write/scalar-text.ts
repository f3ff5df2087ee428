import { EncodeError, outOfRange } from '../../../errors.ts';
import { toBase64 } from '../../../sinks/json/values.ts';
import { bytesOf } from '../../../writing/binary-values.ts';
import { BOOL, BYTES, DOUBLE, ENUM, FIXED32, FLOAT, INT32, SFIXED32, SINT32, STRING, UINT32 } from '../../protobuf/schema/schema.ts';
import type { EnumNode } from '../../protobuf/write/plan.ts';
import { checkInt32, checkInt64, checkUint32, numberOf, wrongType } from '../../protobuf/write/scalars.ts';
import { hasLoneSurrogate } from '../text-forms.ts';

/** The first name of each number, by enum. */
const names = new WeakMap<EnumNode, ReadonlyMap<number, string>>();

/** The JSON of a scalar. */
export function scalarText(type: number, value: unknown, enumType: EnumNode | undefined): string {
  switch (type) {
    case STRING:
      if (typeof value !== 'string') throw wrongType(type, value);
      if (hasLoneSurrogate(value)) throw new EncodeError('text', 'the string has a lone surrogate');
      return JSON.stringify(value);
    case BOOL:
      if (typeof value !== 'boolean') throw wrongType(type, value);
      return String(value);
    case INT32:
    case SINT32:
    case SFIXED32:
      return String(checkInt32(type, value));
    case UINT32:
    case FIXED32:
      return String(checkUint32(type, value));
    case DOUBLE:
      if (typeof value !== 'number') throw wrongType(type, value);
      return numberText(value, String(value));
    case FLOAT: {
      if (typeof value !== 'number') throw wrongType(type, value);
      const single = Math.fround(value);
      if (Math.abs(single) === Infinity && Math.abs(value) !== Infinity) throw outOfRange(value, 'float');
      return numberText(single, floatText(single));
    }
    case BYTES: {
      const bytes = bytesOf(value);
      if (bytes === undefined) throw wrongType(type, value);
      return `"${toBase64(bytes)}"`;
    }
    case ENUM:
      return enumText(enumType!, value);
    default:
      // Most integers fit a number, and making a bigint takes longer than its text.
      return `"${typeof value === 'number' && value >= 0 && Number.isSafeInteger(value) ? value + 0 : checkInt64(type, value)}"`;
  }
}

/** The default of a scalar that is zero or empty. */
export function zeroOf(type: number): unknown {
  if (type === STRING) return '';
  if (type === BYTES) return new Uint8Array(0);
  return type === BOOL ? false : 0;
}

function numberText(value: number, text: string): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? text : `"${text}"`;
}

/** The shortest text of a number of 32 bits that gives the same number of 32 bits. */
function floatText(value: number): string {
  for (let digits = 6; digits < 9; digits += 1) {
    const near = Number(value.toPrecision(digits));
    if (Math.fround(near) === value) return String(near);
  }
  return String(Number(value.toPrecision(9)));
}

function enumText(type: EnumNode, value: unknown): string {
  const number = numberOf(type, value);
  if (type.name === 'google.protobuf.NullValue') return 'null';
  let known = names.get(type);
  if (known === undefined) {
    const byNumber = new Map<number, string>();
    for (const [name, own] of type.byName) if (!byNumber.has(own)) byNumber.set(own, name);
    names.set(type, (known = byNumber));
  }
  const name = known.get(number);
  return name === undefined ? String(number) : `"${name}"`;
}
