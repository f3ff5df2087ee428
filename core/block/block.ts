/**
 * Constants of the block layout: the decoded result as flat buffers, written by the column sink and read by the
 * materialiser. This file imports nothing; README.md describes the layout with an example.
 *
 * A block is a sequence of parts. Each part is one ArrayBuffer of exact length and may use definitions of earlier
 * parts. All words are 32-bit little-endian; sections start at multiples of 8 bytes.
 *
 *     part      = header, sections, directory
 *     header    = MAGIC, VERSION, flags, directory offset in bytes, directory length in words, reserved × 3
 *     directory = entries one after another, each an ENTRY word and its fields
 *
 * Text is WTF-8: UTF-8 that may also encode lone surrogates, which JSON allows.
 */

/** `UNSP` in ASCII. */
export const MAGIC = 0x50534e55;
export const VERSION = 2;
export const HEADER_BYTES = 32;
/** Offsets in a part are signed words. */
export const MAX_PART_BYTES = 2 ** 31 - 1;

/** Flags of a part. */
export const PART_LAST = 1;
/** The block contains references: values whose identity matters, so it must be built as a whole. */
export const PART_REFERENCES = 2;
/**
 * Flags of a list that is delivered in batches: on the part that ends the data before the list, on each part that ends
 * a batch, and on the part that ends the list. Each batch is a value of its own. The data around the list resumes after
 * PART_LIST_END; shapes, keys, tags and dictionaries carry across all parts.
 */
export const PART_LIST = 4;
export const PART_BATCH = 8;
export const PART_LIST_END = 16;

/**
 * Kinds of directory entries, with their fields.
 *
 *     STRINGS  list, first, count, ends offset, bytes offset, bytes length, all ASCII (0 or 1)
 *              appends `count` items to a list; `ends` are uint32 byte positions in the bytes;
 *              a dictionary that restarts at 0 replaces the previous one
 *     SHAPES   first, count, parents offset
 *              shape `first + i` has the keys of shape `parents[i]`, then key `first + i - 1` of list KEYS;
 *              shape 0 has no keys
 *     TABLE    table, shape
 *     GROUP    table, first row, rows, tape offset, tape words, columns, then for each column:
 *              kind, states offset (0 for none), data offset, and two words that depend on the kind
 *     TAPE     tape offset, tape words; the root value, or the list of a batch's items
 *     RAW      table, first row, rows, ends offset, bytes offset, bytes length, separator
 *              rows of a table without keys: each row holds the validated bytes of one self-contained object in the
 *              payload's format; `ends` are uint32 byte positions in the bytes; `separator` is the byte between two
 *              rows, −1 for none; a comma means that the format is JSON
 */
export const ENTRY_STRINGS = 1;
export const ENTRY_SHAPES = 2;
export const ENTRY_TABLE = 3;
export const ENTRY_GROUP = 4;
export const ENTRY_TAPE = 5;
export const ENTRY_RAW = 6;

/** Ids of the append-only lists. Dictionaries of columns use the ids from LIST_DICTIONARY on. */
export const LIST_TEXT = 0;
export const LIST_BINARY = 1;
export const LIST_KEYS = 2;
export const LIST_TAGS = 3;
export const LIST_DICTIONARY = 4;

/**
 * Kinds of columns, with their data.
 *
 *     EMPTY       none: the states hold every value
 *     BOOLEAN     uint8
 *     INT32       int32
 *     FLOAT64     float64
 *     BIGINT64    int64
 *     DATE        float64, milliseconds since the epoch
 *     DICTIONARY  indices into a list; first word: the list, second word: bytes of an index (1, 2 or 4)
 *     TEXT        uint32 ends, one per row; first word: offset of the bytes, second word: their length, stored as
 *                 ~length unless all are ASCII
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
/** Words of a column in a GROUP entry. */
export const COLUMN_WORDS = 5;

/** States of a row in a column. */
export const STATE_VALUE = 0;
export const STATE_NULL = 1;
export const STATE_UNDEFINED = 2;
export const STATE_ABSENT = 3;

/**
 * Tags of the tape, in the low 5 bits of a word; the high 27 bits are the tag's argument.
 *
 *     NULL UNDEFINED FALSE TRUE
 *     INT                  the argument, signed
 *     FLOAT                two words: a float64
 *     DATE                 two words: a float64, milliseconds since the epoch
 *     STRING               one word: index in LIST_TEXT
 *     BIGINT               one word: index in LIST_TEXT of the decimal digits
 *     BINARY    kind       one word: index in LIST_BINARY
 *     LIST      records    one word: number of items; then the items, where a ROWS counts as all of its rows;
 *                          `records` is 1 for a list that becomes rows, else 0: a list that contains an object and no
 *                          list, a list of null and undefined, or an empty list; for an empty list, its other bits are
 *                          the shape of the objects that a schema puts in it
 *     SET                  as LIST
 *     MAP                  one word: number of entries; then key and value of each
 *     OBJECT    shape      one word: number of extra entries; then the shape's values, then a KEY and a value per extra
 *     KEY                  one word: index in LIST_TEXT
 *     ROWS      table      two words: first row, rows
 *     TAGGED    tag        the tag's name is in LIST_TAGS; then the tagged value
 *     ANCHOR               one word: id; then the value it names
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
