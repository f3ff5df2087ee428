import { EncodeError } from '../../../errors.ts';
import { BOOL, FIXED64, INT64, SFIXED64, SINT64, STRING, UINT64 } from './schema.ts';

const LONG = new Set([INT64, UINT64, SINT64, FIXED64, SFIXED64]);

/** Converts an object's key to the key type of a map in the schema. */
export function mapKeyOf(type: number, key: string): string | number | bigint | boolean {
  if (type === STRING) return key;
  if (type === BOOL) {
    if (key !== 'true' && key !== 'false') throw new EncodeError('type', 'a key that is neither true nor false');
    return key === 'true';
  }
  if (!/^-?\d{1,20}$/.test(key)) throw new EncodeError('type', 'a key that is not an integer');
  return LONG.has(type) ? BigInt(key) : Number(key);
}
