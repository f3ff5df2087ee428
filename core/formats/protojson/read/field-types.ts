import { ENUM_NAME, NULL_VALUE, RAW_STRING } from '../../protobuf/read/plan.ts';
import { ENUM, FIXED32, FIXED64, INT64, SFIXED64, SINT64, STRING, TYPE_NAMES, UINT32, UINT64 } from '../../protobuf/schema/schema.ts';

/** True for text. */
export function isText(type: number): boolean {
  return type === STRING || type === RAW_STRING;
}

/** True for types of 64 bits. */
export function isLong(type: number): boolean {
  return type === INT64 || type === UINT64 || type === SINT64 || type === FIXED64 || type === SFIXED64;
}

/** True if an integer fits in a type. */
export function isInRange(type: number, value: number | bigint): boolean {
  if (isLong(type)) {
    const exact = BigInt(value);
    return exact === (type === UINT64 || type === FIXED64 ? BigInt.asUintN(64, exact) : BigInt.asIntN(64, exact));
  }
  return type === UINT32 || type === FIXED32 ? value >= 0 && value <= 0xffff_ffff : value >= -0x8000_0000 && value <= 0x7fff_ffff;
}

/** A type as errors name it. */
export function typeName(type: number): string {
  const name = type === ENUM_NAME || type === NULL_VALUE ? TYPE_NAMES[ENUM]! : type === RAW_STRING ? TYPE_NAMES[STRING]! : TYPE_NAMES[type]!;
  return name === 'string' || name === 'double' || name === 'float'
    ? `a ${name}`
    : /^[aeiou]/.test(name) && !name.startsWith('uint')
      ? `an ${name}`
      : `a ${name}`;
}

/** A name or text of the input, cut to a length that errors may have. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
