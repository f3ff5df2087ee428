import { EncodeError } from '../../../core/errors.ts';
import type { FormatId } from '../../../core/formats/registry.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** What a container begins and ends with. */
export interface Ends {
  readonly head: Bytes;
  readonly end: Bytes;
}

/**
 * A format whose objects and lists begin with the number of their items, or of their bytes, and in which what is inside is
 * the same bytes wherever it stands.
 */
export interface CountedForm {
  /** What is around the `count` fields of an object, which have so many bytes. Throws an EncodeError where these are too many. */
  object(count: number, bytes: number): Ends;
  /** What is around the items of a list. */
  list(count: number, bytes: number): Ends;
  /** Bytes of an empty key, and of what else comes before the container that is its value. */
  readonly emptyKey: number;
  /** Whether a list can be the root. */
  readonly hasRootLists: boolean;
  /** A container that is written as some items of a list, the first of them at an index, but for its head. */
  items(items: readonly unknown[], first: number): object;
}

/** Options with which a value is written in another way behind others, or in an object of other keys. */
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

/** The form of a format, if what these options write has one. */
export function countedForm(id: FormatId, options: object): CountedForm | undefined {
  const given = new Map(Object.entries(options));
  // Items that are undefined are not skipped, as fields are.
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
  // The type, and the end of the key.
  emptyKey: 2,
  hasRootLists: false,
  // The keys of a list are its indices. As those of an object they would take the place of keys that come again.
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

/** A byte, and the count behind it in as many as are said. */
function head(first: number, count: number, bytes: number): Bytes {
  return Uint8Array.of(first, ...[count >>> 24, count >>> 16, count >>> 8, count].slice(4 - bytes));
}

/** Length (int32), elements, 0. */
function document(bytes: number): Ends {
  const length = bytes + 5;
  if (length > 0x7fff_ffff) throw new EncodeError('range', `a document of ${length} bytes`);
  return { head: Uint8Array.of(length, length >> 8, length >> 16, length >> 24), end: Uint8Array.of(0) };
}

const FORMS: Partial<Record<FormatId, CountedForm>> = { messagepack, cbor, bson };
