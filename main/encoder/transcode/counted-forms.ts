import { EncodeError } from '../../../core/errors.ts';
import type { FormatId } from '../../../core/format/format-id.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** Bytes before and after a container's content. */
export interface Ends {
  readonly head: Bytes;
  readonly end: Bytes;
}

/**
 * A format whose objects and lists begin with the number of their items or bytes, and whose content has the same bytes
 * at any position.
 */
export interface CountedForm {
  /** Head and end of an object with `count` fields of `bytes` in total. Throws an EncodeError if there are too many. */
  object(count: number, bytes: number): Ends;
  /** Head and end of a list. */
  list(count: number, bytes: number): Ends;
  /** Bytes of an empty key, and of anything else before the container that is its value. */
  readonly emptyKey: number;
  /** True if a list can be the root. */
  readonly hasRootLists: boolean;
  /** Container whose content is written like these items of a list, the first of which has the index `first`. */
  items(items: readonly unknown[], first: number): object;
}

/** Options that change a value's bytes depending on earlier values, or on other keys of its object. */
const DEPENDENT = [
  'records',
  'bundleStrings',
  'references',
  'sequence',
  'extensions',
  'skipValues',
  'mapSize',
  'deterministic',
  'selfDescribed',
  'packedValues',
  'types',
];

/** Counted form of a format, if the options allow for one. */
export function countedForm(id: FormatId, options: object): CountedForm | undefined {
  const given = new Map(Object.entries(options));
  // Only undefined fields are skipped, not undefined items.
  if (given.get('undefined') === 'skip' || DEPENDENT.some((name) => given.get(name))) return undefined;
  return FORMS[id];
}

const NOTHING = new Uint8Array(0);

const messagepack: CountedForm = {
  // fixmap, map 16 and 32; fixarray, array 16 and 32.
  object: (count) => ({ head: messagepackHead(0x80, 0xde, count), end: NOTHING }),
  list: (count) => ({ head: messagepackHead(0x90, 0xdc, count), end: NOTHING }),
  emptyKey: 1,
  hasRootLists: true,
  items: (items) => items,
};

const cbor: CountedForm = {
  // Major types 5 and 4.
  object: (count) => ({ head: cborHead(0xa0, count), end: NOTHING }),
  list: (count) => ({ head: cborHead(0x80, count), end: NOTHING }),
  emptyKey: 1,
  hasRootLists: true,
  items: (items) => items,
};

const bson: CountedForm = {
  object: (_count, bytes) => document(bytes),
  list: (_count, bytes) => document(bytes),
  // The type, and the terminator of the key.
  emptyKey: 2,
  hasRootLists: false,
  // Keys of a list are its indices. A Map prevents them from replacing repeated keys, as they would in an object.
  items: (items, first) => new Map(items.map((item, index) => [String(first + index), item])),
};

function messagepackHead(few: number, many: number, count: number): Bytes {
  if (count < 16) return head(few | count, count, 0);
  return count < 0x1_0000 ? head(many, count, 2) : head(many + 1, count, 4);
}

function cborHead(major: number, count: number): Bytes {
  if (count < 24) return head(major | count, count, 0);
  if (count < 0x100) return head(major | 24, count, 1);
  return count < 0x1_0000 ? head(major | 25, count, 2) : head(major | 26, count, 4);
}

/** A byte, followed by the count as a big-endian integer of `bytes` bytes. */
function head(first: number, count: number, bytes: number): Bytes {
  return Uint8Array.of(first, ...[count >>> 24, count >>> 16, count >>> 8, count].slice(4 - bytes));
}

/** Length (int32), elements, 0. */
function document(bytes: number): Ends {
  const length = bytes + 5;
  if (length > 0x7fff_ffff) throw new EncodeError('range', `the document has ${length} bytes, more than BSON allows`);
  return { head: Uint8Array.of(length, length >> 8, length >> 16, length >> 24), end: Uint8Array.of(0) };
}

const FORMS: Partial<Record<FormatId, CountedForm>> = { messagepack, cbor, bson };
