import { isDate, isMap } from '../../../writing/class-of.ts';
import { bytesOf, isBinary, itemsOf } from '../../../bytes/binary-values.ts';
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
import { isDecimalText } from '../write/values.ts';

/**
 * Index of the branch of an unwrapped union for a value: the first that holds it exactly, else the first that holds
 * it rounded; among several records, the one with most of the value's keys. −1 if no branch fits.
 */
export function branchFor(branches: readonly WriteNode[], value: unknown): number {
  let best = -1;
  let most = -1;
  for (const [index, branch] of branches.entries()) {
    if (!fits(branch, value)) continue;
    if (branch.op !== RECORD) return best >= 0 ? best : index;
    const count = branch.fields.filter(({ name }) => Object.hasOwn(value as object, name)).length;
    if (count <= most) continue;
    best = index;
    most = count;
  }
  if (best >= 0 || typeof value !== 'number') return best;
  return branches.findIndex(({ op }) => op === FLOAT);
}

/** True if a type holds a value, judging without the contents of lists and records. */
function fits(node: WriteNode, value: unknown): boolean {
  switch (node.op) {
    case NULL:
      return value === null || value === undefined;
    case BOOLEAN:
      return typeof value === 'boolean';
    case INT:
      return typeof value === 'number' && (value | 0) === value;
    case LONG:
      return isLong(value) || isLongText(node, value);
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
      return isDate(value) || isLong(value) || isLongText(node, value);
    case DECIMAL:
      return (
        typeof value === 'number' || typeof value === 'bigint' || (typeof value === 'string' && isDecimalText(value)) || bytesOf(value) !== undefined
      );
    case DURATION:
      return bytesOf(value)?.length === 12 || (isObject(value) && 'months' in value);
    case UUID:
      return bytesOf(value)?.length === 16 || (typeof value === 'string' && value.length === 36);
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

function isLongText({ takesText }: WriteNode, value: unknown): boolean {
  return takesText && typeof value === 'string' && /^-?\d{1,19}$/.test(value);
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
