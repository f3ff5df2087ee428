import { brandInstances } from '../../instanceof-brand.ts';

/** Tags of `types: 'classes'`, with their inner values. */
/** Hexadecimal digits. */
export const OBJECT_ID = 'bson:ObjectId';
/** `[subtype, bytes]` */
export const BINARY = 'bson:Binary';
/** 16 bytes. */
export const DECIMAL128 = 'bson:Decimal128';
/** `[t, i]` */
export const TIMESTAMP = 'bson:Timestamp';
/** `[code]` or `[code, scope]` */
export const CODE = 'bson:Code';
/** null */
export const MIN_KEY = 'bson:MinKey';
/** null */
export const MAX_KEY = 'bson:MaxKey';
/** `[namespace, ObjectId]`: a DBPointer. */
export const DB_REF = 'bson:DBRef';
/** A bigint. */
export const LONG = 'bson:Long';
/** A number. */
export const DOUBLE = 'bson:Double';
/** A number. */
export const INT32 = 'bson:Int32';
/** A string. */
export const SYMBOL = 'bson:BSONSymbol';
/** `[pattern, options]` */
export const REGEXP = 'bson:BSONRegExp';

const UUID_SUBTYPE = 4;

/** A value of a type that JavaScript lacks, if `types` is `classes` and no `reviveTag` is given. */
export class BsonValue {
  /** The name of the bson package's class. */
  readonly type: string;
  /**
   * The parts: the digits of an ObjectId, `[subtype, bytes]` of a Binary, the bytes of a Decimal128, `[t, i]` of a
   * Timestamp, `[code, scope]` of a Code, `[namespace, id]` of a DBRef, `[pattern, options]` of a BSONRegExp.
   */
  readonly value: unknown;

  constructor(type: string, value: unknown) {
    this.type = type;
    this.value = value;
  }
}

brandInstances('BsonValue', BsonValue);

/** Makes the value of one of the format's tags. */
export function reviveBson(tag: string, inner: unknown): unknown {
  return new BsonValue(tag.slice('bson:'.length), inner);
}

/** The classes of the bson package that `createReviveTag` uses. */
export interface BsonClasses {
  ObjectId: new (hex: string) => unknown;
  Binary: new (bytes: Uint8Array, subtype: number) => unknown;
  UUID: new (bytes: Uint8Array) => unknown;
  Decimal128: new (bytes: Uint8Array) => unknown;
  Timestamp: new (parts: { t: number; i: number }) => unknown;
  Code: new (code: string, scope?: never) => unknown;
  MinKey: new () => unknown;
  MaxKey: new () => unknown;
  DBRef: new (collection: string, id: never) => unknown;
  Long: { fromBigInt(value: bigint): unknown };
  Double: new (value: number) => unknown;
  Int32: new (value: number) => unknown;
  BSONSymbol: new (value: string) => unknown;
  BSONRegExp: new (pattern: string, options: string) => unknown;
}

/** Creates a `reviveTag` that makes the bson package's own values. `classes` are the exports of the package. */
export function createReviveTag(classes: BsonClasses): (tag: string, inner: unknown) => unknown {
  const makers: Record<string, (inner: never) => unknown> = {
    [OBJECT_ID]: (hex: string) => new classes.ObjectId(hex),
    [BINARY]: ([subtype, bytes]: [number, Uint8Array]) =>
      subtype === UUID_SUBTYPE && bytes.length === 16 ? new classes.UUID(bytes) : new classes.Binary(bytes, subtype),
    [DECIMAL128]: (bytes: Uint8Array) => new classes.Decimal128(bytes),
    [TIMESTAMP]: ([t, i]: [number, number]) => new classes.Timestamp({ t, i }),
    [CODE]: ([code, scope]: [string, never]) => new classes.Code(code, scope),
    [MIN_KEY]: () => new classes.MinKey(),
    [MAX_KEY]: () => new classes.MaxKey(),
    [DB_REF]: ([namespace, id]: [string, never]) => new classes.DBRef(namespace, id),
    [LONG]: (value: bigint) => classes.Long.fromBigInt(value),
    [DOUBLE]: (value: number) => new classes.Double(value),
    [INT32]: (value: number) => new classes.Int32(value),
    [SYMBOL]: (value: string) => new classes.BSONSymbol(value),
    [REGEXP]: ([pattern, options]: [string, string]) => new classes.BSONRegExp(pattern, options),
  };
  return (tag, inner) => (Object.hasOwn(makers, tag) ? makers[tag]!(inner as never) : undefined);
}
