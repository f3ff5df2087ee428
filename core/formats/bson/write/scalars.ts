import { out, view } from '../../../bytes/output.ts';
import { bytesOf } from '../../../writing/written-classes.ts';
import { BINARY, DATE, DB_POINTER, DECIMAL128, DOUBLE, INT32, INT64, MAX_KEY, MIN_KEY, OBJECT_ID, SYMBOL, TIMESTAMP } from '../types.ts';
import { objectIdBytes } from './extended.ts';
import { writeBigint, writeBinary, writeString } from './values.ts';

/**
 * Writers by the type of a BsonValue, for types that JavaScript lacks and that contain no other values. They write the
 * type at `typeAt`, the rest at `at`.
 */
export const SCALAR_WRITERS: Readonly<Record<string, (value: never, typeAt: number, at: number) => number>> = {
  ObjectId: (value: unknown, typeAt, at) => bytes(OBJECT_ID, objectIdBytes(value), typeAt, at),
  Decimal128: (value: Uint8Array, typeAt, at) => bytes(DECIMAL128, bytesOf(value), typeAt, at),
  Binary: ([subtype, content]: [number, Uint8Array], typeAt, at) => {
    out[typeAt] = BINARY;
    return writeBinary(bytesOf(content), subtype, at);
  },
  Timestamp: ([t, i]: [number, number], typeAt, at) => {
    out[typeAt] = TIMESTAMP;
    view.setUint32(at, i, true);
    view.setUint32(at + 4, t, true);
    return at + 8;
  },
  Long: (value: bigint, typeAt, at) => {
    out[typeAt] = INT64;
    return writeBigint(value, at);
  },
  Date: (value: bigint, typeAt, at) => {
    out[typeAt] = DATE;
    return writeBigint(value, at);
  },
  Double: (value: number, typeAt, at) => {
    out[typeAt] = DOUBLE;
    view.setFloat64(at, value, true);
    return at + 8;
  },
  Int32: (value: number, typeAt, at) => {
    out[typeAt] = INT32;
    view.setInt32(at, value, true);
    return at + 4;
  },
  BSONSymbol: (value: string, typeAt, at) => {
    out[typeAt] = SYMBOL;
    return writeString(value, at);
  },
  DBRef: ([namespace, id]: [string, unknown], typeAt, at) => {
    out[typeAt] = DB_POINTER;
    const end = writeString(namespace, at);
    out.set(objectIdBytes(id), end);
    return end + 12;
  },
  MinKey: (_: null, typeAt, at) => {
    out[typeAt] = MIN_KEY;
    return at;
  },
  MaxKey: (_: null, typeAt, at) => {
    out[typeAt] = MAX_KEY;
    return at;
  },
};

function bytes(type: number, content: Uint8Array, typeAt: number, at: number): number {
  out[typeAt] = type;
  out.set(content, at);
  return at + content.length;
}
