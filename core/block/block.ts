/**
 * The layout of a block: the decoded result as flat buffers, written by the column sink and read by the materialiser.
 * This file imports nothing; docs/ARCHITECTURE.md explains the layout with an example.
 *
 * A block is a sequence of parts, each one ArrayBuffer, each exact in length. A part may use what earlier parts
 * defined. All words are 32-bit little-endian; sections start at multiples of 8 bytes.
 *
 *     part      = header, sections, directory
 *     header    = MAGIC, VERSION, flags, directory offset in bytes, directory length in words, reserved × 3
 *     directory = entries one after another, each an ENTRY word and its fields
 *
 * Text is WTF-8 (UTF-8 that may also encode lone surrogates, which JSON has).
 */

/** `UNSP` in ASCII. */
export const MAGIC = 0x50534e55;
export const VERSION = 2;
export const HEADER_BYTES = 32;
/** Offsets in a part are signed words. */
export const MOST_PART_BYTES = 2 ** 31 - 1;

/** Flags of a part. */
export const PART_LAST = 1;
/** The block holds references: values whose identity matters, so that it is built as a whole. */
export const PART_REFERENCES = 2;
/**
 * A list that is given out in batches, which are values of their own: the part that ends what lies before it, each part
 * that ends a batch, and the one that ends the list. What lies around the list goes on afterwards as if the parts between
 * had not been; shapes, keys, tags and dictionaries go on through all.
 */
export const PART_LIST = 4;
export const PART_BATCH = 8;
export const PART_LIST_END = 16;

/**
 * Kinds of directory entries, with their fields.
 *
 *     STRINGS  list, first, count, ends offset, bytes offset, bytes length, all ASCII (0 or 1)
 *              `count` more items of an append-only list; `ends` are uint32 byte positions in the bytes;
 *              a dictionary that begins again from 0 takes the place of the one before
 *     SHAPES   first, count, parents offset
 *              shape `first + i` has the keys of shape `parents[i]` and then key `first + i - 1` of list KEYS;
 *              shape 0 has no keys
 *     TABLE    table, shape
 *     GROUP    table, first row, rows, tape offset, tape words, columns, then for each column:
 *              kind, states offset (0 for none), data offset, and two words that depend on the kind
 *     TAPE     tape offset, tape words; the root value, or the list of a batch's items
 *     RAW      table, first row, rows, ends offset, bytes offset, bytes length, separator
 *              rows of a table without keys, each the bytes of an object in the payload's format, which are checked and
 *              can be read by themselves; `ends` are uint32 byte positions in the bytes; `separator` is the byte between
 *              two rows, −1 where there is none; a comma tells that the format is JSON
 */
export const ENTRY_STRINGS = 1;
export const ENTRY_SHAPES = 2;
export const ENTRY_TABLE = 3;
export const ENTRY_GROUP = 4;
export const ENTRY_TAPE = 5;
export const ENTRY_RAW = 6;

/** Ids of the append-only lists; dictionaries of columns follow from LIST_DICTIONARY on. */
export const LIST_TEXT = 0;
export const LIST_BINARY = 1;
export const LIST_KEYS = 2;
export const LIST_TAGS = 3;
export const LIST_DICTIONARY = 4;

/**
 * Kinds of columns, with their data.
 *
 *     EMPTY       none: every row's state tells its value
 *     BOOLEAN     uint8
 *     INT32       int32
 *     FLOAT64     float64
 *     BIGINT64    int64
 *     DATE        float64, milliseconds since the epoch
 *     DICTIONARY  indices into a list: first word the list, second the bytes of an index (1, 2 or 4)
 *     TEXT        uint32 ends, one a row: first word the offset of the bytes, second their length, negative (~length)
 *                 where not all are ASCII
 *     VARIANT     uint32 positions in the group's tape
 */
export const KIND_EMPTY = 0;
export const KIND_BOOLEAN = 1;
export const KIND_INT32 = 2;
export const KIND_FLOAT64 = 3;
export const KIND_BIGINT64 = 4;
export const KIND_DATE = 5;
export const KIND_DICTIONARY = 6;
export const KIND_TEXT = 7;
export const KIND_VARIANT = 8;
/** Words a column takes in a GROUP entry. */
export const COLUMN_WORDS = 5;

/** States of a row in a column. */
export const STATE_VALUE = 0;
export const STATE_NULL = 1;
export const STATE_UNDEFINED = 2;
export const STATE_ABSENT = 3;

/**
 * Tags of the tape, in the low 5 bits of a word; the high 27 are the tag's argument.
 *
 *     NULL UNDEFINED FALSE TRUE
 *     INT                  the argument, signed
 *     FLOAT                two words: a float64
 *     DATE                 two words: a float64, milliseconds since the epoch
 *     STRING               one word: index in LIST_TEXT
 *     BIGINT               one word: index in LIST_TEXT of the decimal digits
 *     BINARY    kind       one word: index in LIST_BINARY
 *     LIST      records    one word: items; then the items, of which a ROWS counts for as many as it has;
 *                          `records` is 1 where every item is an object, 0 otherwise
 *     SET                  as LIST
 *     MAP                  one word: entries; then key and value of each
 *     OBJECT    shape      one word: extra entries; then the shape's values, then a KEY and a value for each extra
 *     KEY                  one word: index in LIST_TEXT
 *     ROWS      table      two words: first row, rows
 *     TAGGED    tag        the tag's name is in LIST_TAGS; then the inner value
 *     ANCHOR               one word: id; then the value that has it
 *     REFERENCE            one word: id
 */
export const TAG_BITS = 5;
export const TAG_MASK = 31;
export const TAG_NULL = 0;
export const TAG_UNDEFINED = 1;
export const TAG_FALSE = 2;
export const TAG_TRUE = 3;
export const TAG_INT = 4;
export const TAG_FLOAT = 5;
export const TAG_DATE = 6;
export const TAG_STRING = 7;
export const TAG_BIGINT = 8;
export const TAG_BINARY = 9;
export const TAG_LIST = 10;
export const TAG_SET = 11;
export const TAG_MAP = 12;
export const TAG_OBJECT = 13;
export const TAG_KEY = 14;
export const TAG_ROWS = 15;
export const TAG_TAGGED = 16;
export const TAG_ANCHOR = 17;
export const TAG_REFERENCE = 18;
