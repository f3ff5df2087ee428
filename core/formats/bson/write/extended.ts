import { EncodeError } from '../../../errors.ts';
import { bytesOf } from '../../../writing/written-classes.ts';
import { parseDecimal128 } from '../decimal128.ts';
import { BsonValue } from '../revive.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Converts an object of Extended JSON to the value that it stands for; null for a document. */
export function fromExtended(value: Fields): BsonValue | Date | undefined | null {
  for (const key in value) {
    if (key.charCodeAt(0) !== DOLLAR || !Object.hasOwn(value, key)) return null;
    const make = MAKERS[key];
    // Legacy forms have `$type`, `$options` or `$code` in either order.
    return make === undefined || !Object.hasOwn(MAKERS, key) ? null : make(value, Object.keys(value).length);
  }
  return null;
}

const DOLLAR = 0x24;
const HEX_12 = /^[0-9a-f]{24}$/i;
const INT64 = /^[+-]?\d{1,19}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Makers by the first key of an object. Each returns null if the object does not match its form, and is a document.
 * Undefined is a value.
 */
const MAKERS: Readonly<Record<string, (value: Fields, count: number) => BsonValue | Date | undefined | null>> = {
  $oid: ({ $oid }, count) => (count === 1 && isText($oid) ? new BsonValue('ObjectId', $oid) : null),
  $symbol: ({ $symbol }, count) => (count === 1 && isText($symbol) ? new BsonValue('BSONSymbol', $symbol) : null),
  $numberInt: ({ $numberInt }, count) => (count === 1 ? new BsonValue('Int32', Number(integer($numberInt))) : null),
  $numberLong: ({ $numberLong }, count) => (count === 1 ? new BsonValue('Long', integer($numberLong)) : null),
  $numberDouble: ({ $numberDouble }, count) => (count === 1 ? new BsonValue('Double', double($numberDouble)) : null),
  $numberDecimal: ({ $numberDecimal }, count) =>
    count === 1 && isText($numberDecimal) ? new BsonValue('Decimal128', decimal($numberDecimal)) : null,
  $binary: ({ $binary, $type }, count) => {
    if (isText($binary)) return count === 2 && isText($type) ? binary($binary, $type) : null;
    const { base64, subType } = ($binary ?? {}) as Fields;
    return count === 1 && isText(base64) && isText(subType) ? binary(base64, subType) : null;
  },
  $type: (value, count) => (count === 2 && isText(value['$binary']) ? MAKERS['$binary']!(value, count) : null),
  $uuid: ({ $uuid }, count) =>
    count === 1 && isText($uuid) && UUID.test($uuid) ? new BsonValue('Binary', [4, hexBytes($uuid.replaceAll('-', ''))]) : null,
  $code: (value, count) => {
    const { $code, $scope } = value;
    if (!isText($code)) return null;
    if (count === 1) return new BsonValue('Code', [$code]);
    return count === 2 && typeof $scope === 'object' && $scope !== null ? new BsonValue('Code', [$code, $scope]) : null;
  },
  $scope: (value, count) => (count === 2 ? MAKERS['$code']!(value, count) : null),
  $timestamp: ({ $timestamp }, count) => {
    const { t, i } = ($timestamp ?? {}) as Fields;
    return count === 1 && typeof t === 'number' && typeof i === 'number' ? new BsonValue('Timestamp', [t, i]) : null;
  },
  $regularExpression: ({ $regularExpression }, count) => {
    const { pattern, options } = ($regularExpression ?? {}) as Fields;
    return count === 1 && isText(pattern) && isText(options) ? new BsonValue('BSONRegExp', [pattern, options]) : null;
  },
  $dbPointer: ({ $dbPointer }, count) => {
    const { $ref, $id } = ($dbPointer ?? {}) as Fields;
    return count === 1 && isText($ref) ? new BsonValue('DBRef', [$ref, $id]) : null;
  },
  $date: ({ $date }, count) => {
    if (count !== 1) return null;
    if (isText($date)) return date(Date.parse($date));
    if (typeof $date === 'number') return date($date);
    const { $numberLong } = ($date ?? {}) as Fields;
    return isText($numberLong) ? new BsonValue('Date', integer($numberLong)) : null;
  },
  $minKey: ({ $minKey }, count) => (count === 1 && $minKey === 1 ? new BsonValue('MinKey', null) : null),
  $maxKey: ({ $maxKey }, count) => (count === 1 && $maxKey === 1 ? new BsonValue('MaxKey', null) : null),
  $undefined: ({ $undefined }, count) => (count === 1 && $undefined === true ? undefined : null),
};

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function integer(value: unknown): bigint {
  if (!isText(value) || !INT64.test(value)) return fail(`invalid integer ${String(value)}`);
  return BigInt(value.replace('+', ''));
}

function double(value: unknown): number {
  const number = isText(value) && value.trim() !== '' ? Number(value) : Number.NaN;
  if (Number.isNaN(number) && value !== 'NaN') fail(`invalid double ${String(value)}`);
  return number;
}

function decimal(text: string): Uint8Array {
  return parseDecimal128(text) ?? fail(`the decimal ${text}, which 34 digits do not hold`);
}

function date(milliseconds: number): Date {
  if (Number.isNaN(milliseconds)) fail('a $date that is none');
  return new Date(milliseconds);
}

function binary(base64: string, subtype: string): BsonValue {
  let text: string;
  try {
    text = atob(base64);
  } catch {
    return fail('a $binary that is not base64');
  }
  if (!/^[0-9a-f]{1,2}$/i.test(subtype)) fail(`invalid subtype ${subtype}`);
  return new BsonValue('Binary', [Number.parseInt(subtype, 16), Uint8Array.from(text, (character) => character.charCodeAt(0))]);
}

/** The bytes of hexadecimal digits. */
function hexBytes(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, index) => Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16));
}

/** The 12 bytes of an ObjectId. */
export function objectIdBytes(id: unknown): Uint8Array {
  const value = id instanceof BsonValue ? id.value : isClass(id) ? (id as unknown as { id: unknown }).id : id;
  const extended = typeof value === 'object' && value !== null ? (value as { $oid?: unknown }).$oid : undefined;
  const found = extended ?? value;
  if (ArrayBuffer.isView(found) && found.byteLength === 12) return bytesOf(found);
  if (!isText(found) || !HEX_12.test(found)) return fail('an ObjectId that has not 24 hexadecimal digits');
  return hexBytes(found);
}

/** An instance of one of the bson package's classes, in any version or copy of the package. */
interface PackageValue {
  readonly _bsontype: string;
  readonly [field: string]: unknown;
}

/** True for an instance of one of the bson package's classes. */
export function isClass(value: unknown): value is PackageValue {
  return typeof (value as { _bsontype?: unknown } | null)?._bsontype === 'string';
}

/** Converts an instance of one of the bson package's classes to a BsonValue; a DBRef becomes a document. */
export function fromClass(value: PackageValue): BsonValue | Fields {
  const { _bsontype: type } = value;
  switch (type) {
    case 'ObjectId':
    case 'ObjectID':
      return new BsonValue('ObjectId', value['id']);
    case 'Binary': {
      const { position, buffer, sub_type: subtype } = value as unknown as { position: number; buffer: Uint8Array; sub_type: number };
      return new BsonValue('Binary', [subtype, buffer.subarray(0, position)]);
    }
    case 'Decimal128':
      return new BsonValue('Decimal128', value['bytes']);
    case 'Timestamp':
      return new BsonValue('Timestamp', [(value['high'] as number) >>> 0, (value['low'] as number) >>> 0]);
    case 'Long':
      return new BsonValue('Long', (BigInt(value['high'] as number) << 32n) | BigInt((value['low'] as number) >>> 0));
    case 'Code':
      return new BsonValue('Code', value['scope'] ? [value['code'], value['scope']] : [value['code']]);
    case 'DBRef': {
      const { collection: $ref, oid: $id, db, fields } = value as unknown as { collection: string; oid: unknown; db?: string; fields?: object };
      return { $ref, $id, ...(db === undefined ? {} : { $db: db }), ...fields };
    }
    case 'BSONRegExp':
      return new BsonValue(type, [value['pattern'], value['options']]);
    case 'Double':
    case 'Int32':
    case 'BSONSymbol':
      return new BsonValue(type, value['value']);
    case 'MinKey':
    case 'MaxKey':
      return new BsonValue(type, null);
    default:
      return fail(`unknown class ${type}`);
  }
}

function fail(what: string): never {
  throw new EncodeError('range', what);
}
