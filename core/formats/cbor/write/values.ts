import { writeBytes } from '../../../writing/binary-values.ts';
import { out, room, soft, view } from '../../../bytes/output.ts';
import { EncodeError } from '../../../errors.ts';
import { bytesOf } from '../../../writing/written-classes.ts';
import { BYTES, head, TAG } from './heads.ts';
import { TYPED_ARRAY_TAGS } from '../tags/typed-arrays.ts';

/** Tags that are always invalid (https://www.iana.org/assignments/cbor-tags). */
const INVALID_TAGS: ReadonlySet<bigint> = new Set([0xffffn, 0xffff_ffffn, 0xffff_ffff_ffff_ffffn]);

/** Writes a tag (RFC 8949 section 3.4). Returns the position after it, for its content. */
export function writeTag(tag: number | bigint, at: number): number {
  if (at > soft) at = room(at, 0);
  if (typeof tag === 'number' ? !Number.isSafeInteger(tag) || tag < 0 : BigInt.asUintN(64, tag) !== tag) fail(`invalid tag number ${tag}`);
  if (INVALID_TAGS.has(BigInt(tag))) fail(`the tag ${tag} is always invalid`);
  if (tag <= Number.MAX_SAFE_INTEGER) return head(TAG, Number(tag), at);
  out[at] = TAG | 27;
  view.setBigUint64(at + 1, BigInt(tag));
  return at + 9;
}

/** Writes a simple value (RFC 8949 section 3.3). Returns the position after it. */
export function writeSimple(value: number, at: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 255 || (value > 19 && value < 32)) fail(`invalid simple value ${value}`);
  if (value < 20) {
    out[at] = 0xe0 | value;
    return at + 1;
  }
  view.setUint16(at, 0xf800 | value);
  return at + 2;
}

/**
 * Writes a typed array of the class `className` with its tag (RFC 8746), and other bytes without a tag. Returns the
 * position after it.
 */
export function writeBinary(value: ArrayBufferView | ArrayBufferLike, className: string, at: number): number {
  const bytes = bytesOf(value);
  if (at > soft) at = room(at, 0);
  const tag = className === 'Uint8Array' ? undefined : TYPED_ARRAY_TAGS.get(className);
  if (tag !== undefined) at = head(TAG, tag, at);
  return writeBytes(bytes, head(BYTES, bytes.length, at));
}

function fail(what: string): never {
  throw new EncodeError('range', what);
}
