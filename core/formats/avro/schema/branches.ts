import { isDate, isMap } from '../../../values/class-of.ts';
import { bytesOf, isBinary, itemsOf } from '../../../writing/binary-values.ts';
import {
  ARRAY,
  BOOLEAN,
  BYTES,
  DATE,
  DECIMAL,
  DOUBLE,
  DURATION,
  ENUM,
  FIXED,
  FLOAT,
  INSTANT,
  INT,
  LONG,
  MAP,
  NULL,
  NULLABLE,
  RECORD,
  STRING,
  UUID,
  type WriteNode,
} from '../write/plan.ts';
import { decimalBytes, isDecimalText, isUuidText } from '../write/values.ts';
import { OWN_SCALE } from './schema.ts';

/**
 * Index of the branch of an unwrapped union for a value: the first that holds it exactly, for a number one without a
 * logical type if there is any, else the first that holds it rounded; among several records, the one with most of the
 * value's keys. A text is another branch's value than a string's only if it is read as the same text. −1 if no branch
 * fits.
 */
export function branchFor(branches: readonly WriteNode[], value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const plain = branches.findIndex((branch) => NUMBERS.has(branch.op) && fits(branch, value));
    if (plain >= 0) return plain;
  }
  const hasText = typeof value === 'string' && branches.some(({ op }) => op === STRING);
  let best = -1;
  let most = -1;
  for (const [index, branch] of branches.entries()) {
    if (!fits(branch, value, hasText)) continue;
    if (branch.op !== RECORD) return best >= 0 ? best : index;
    const count = branch.fields.filter(({ name }) => Object.hasOwn(value as object, name)).length;
    if (count <= most) continue;
    best = index;
    most = count;
  }
  if (best >= 0 || typeof value === 'object') return best;
  const rounding = typeof value === 'number' ? branches.findIndex(({ op }) => op === FLOAT) : -1;
  // It says why it does not hold the value.
  return rounding >= 0 ? rounding : branches.findIndex(({ op }) => op === DECIMAL && isDecimalLike(value));
}

const NUMBERS: ReadonlySet<number> = new Set([INT, LONG, FLOAT, DOUBLE]);

/**
 * True if a type holds a value, judging without the contents of lists and records. `isExact`: a text must be the one that
 * the type is read as.
 */
function fits(node: WriteNode, value: unknown, isExact = false): boolean {
  switch (node.op) {
    case NULL:
      return value === null || value === undefined;
    case BOOLEAN:
      return typeof value === 'boolean';
    case INT:
      return typeof value === 'number' && (value | 0) === value;
    case LONG:
      return isLong(value) || isLongText(node, value, isExact);
    case FLOAT:
      return typeof value === 'number' && (Math.fround(value) === value || Number.isNaN(value));
    case DOUBLE:
      return typeof value === 'number';
    case BYTES:
      return bytesOf(value) !== undefined;
    case FIXED:
      return bytesOf(value)?.length === node.size;
    case STRING:
      return typeof value === 'string';
    case ENUM:
      return node.indexOf(value) >= 0;
    case DATE:
      return isDate(value) || (typeof value === 'number' && (value | 0) === value);
    case INSTANT:
      return isDate(value) || isLong(value) || isLongText(node, value, isExact);
    case DECIMAL:
      return isDecimalLike(value) ? holdsDecimal(node, value, isExact) : bytesOf(value) !== undefined;
    case DURATION:
      return bytesOf(value)?.length === 12 || (isObject(value) && 'months' in value);
    case UUID:
      return bytesOf(value)?.length === 16 || (typeof value === 'string' && isUuidText(value) && !(isExact && /[A-F]/.test(value)));
    case ARRAY:
      return !isBinary(value) && itemsOf(value) !== undefined;
    case MAP:
      return isMap(value) || isObject(value);
    case RECORD:
      return (
        isObject(value) &&
        !isMap(value) &&
        node.fields.every(({ name, node: type, fallback }) => fallback !== undefined || canBeAbsent(type) || Object.hasOwn(value, name))
      );
    default:
      // A union never directly contains a union.
      return false;
  }
}

function isLongText({ takesText }: WriteNode, value: unknown, isExact: boolean): boolean {
  if (!takesText || typeof value !== 'string' || !/^-?\d{1,19}$/.test(value)) return false;
  return isLong(BigInt(value)) && !(isExact && String(BigInt(value)) !== value);
}

/** True for values that a decimal is made of. */
function isDecimalLike(value: unknown): value is string | number | bigint {
  return typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && isDecimalText(value));
}

/** True if a decimal has digits for a value and, if `isExact`, is read as the same text. */
function holdsDecimal({ precision, scale, size }: WriteNode, value: string | number | bigint, isExact: boolean): boolean {
  try {
    decimalBytes(value, precision, scale, size);
  } catch {
    return false;
  }
  if (!isExact) return true;
  const parts = /^(?!-[0.]*$)-?(?:0|[1-9]\d*)(?:\.(\d+))?$/.exec(value as string);
  return parts !== null && (scale === OWN_SCALE || (parts[1] ?? '').length === scale);
}

function isLong(value: unknown): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return typeof value === 'number' && Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isDate(value) && bytesOf(value) === undefined && itemsOf(value) === undefined;
}

function canBeAbsent({ op, nullIndex }: WriteNode): boolean {
  return op === NULL || op === NULLABLE || nullIndex >= 0;
}
