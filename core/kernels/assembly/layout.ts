/**
 * Where things lie in a kernel's memory. The AssemblyScript sources and the driver share this file, which imports nothing.
 *
 *     0          what the compiler placed: constants, the powers of ten
 *     context    the words below: what a run goes by, and what it tells
 *     window     WINDOW_BYTES of input, then WINDOW_SLACK zero bytes
 *     slots      for each column of a row, whatever its table: cells, states, text; they are copied out after each run
 *     tables     for each table its columns (COLUMN_BYTES each), keys, patterns and dictionaries
 */

/** Input that one run reads at most. */
export const WINDOW_BYTES = 262144;
/** Zero bytes behind it: they end every token of JSON, and reads that go past a token stay within them. */
export const WINDOW_SLACK = 128;
/** Rows that one run reads at most. */
export const RUN_ROWS = 2048;
/** Text that one run reads into a column of kind TEXT at most. */
export const RUN_TEXT = 65536;

/** Words of the context, as byte offsets. */
export const CONTEXT_COLUMNS = 0;
export const CONTEXT_WIDTH = 4;
/** After a run: where it stopped, before the row that it did not read; why; and at which column. */
export const CONTEXT_POSITION = 8;
export const CONTEXT_STATUS = 12;
export const CONTEXT_COLUMN = 16;
/** After a run: how many values the rows have, the rows themselves not counted. */
export const CONTEXT_VALUES = 20;
/** Bytes of the longest string. */
export const CONTEXT_LONGEST = 24;
/** See `events/row-flags.ts`. */
export const CONTEXT_FLAGS = 28;
/** What the hash of a string begins with. */
export const CONTEXT_SEED = 32;
/** What each record begins with where no keys are written. */
export const CONTEXT_HEAD = 40;
/** Where the format's schema tells what comes: how many steps a record takes, where they are, and the symbols they name. */
export const CONTEXT_STEP_COUNT = 44;
/** Of the bytes 0x40 to 0x7f those that begin a record of MessagePack: two words, a bit each. */
export const CONTEXT_IDS = 48;
export const CONTEXT_STEPS = 56;
export const CONTEXT_SYMBOLS = 60;
/** After a run: how many of the values are not in the input, but defaults. */
export const CONTEXT_DEFAULTS = 64;
/** Of items that are checked as a whole: containers that may be open in one, values that may come, bytes of the longest binary. */
export const CONTEXT_DEPTH = 68;
export const CONTEXT_MOST = 72;
export const CONTEXT_BINARY = 76;
export const CONTEXT_BYTES = 80;

/** Bytes of a step: its operation, its column (an address, 0 where the value is passed over), and two operands. */
export const STEP_BYTES = 16;
/** Bytes of a symbol: where its text is, its length, and its index in its column's dictionary + 1, 0 before it is known. */
export const SYMBOL_BYTES = 12;

/** Why a run stopped: all rows that there was room for are read. */
export const STATUS_ROOM = 0;
/** The row is to be read by the reader. */
export const STATUS_OTHER = 1;
/** A column's text is full. */
export const STATUS_TEXT = 2;
/** A column's dictionary is full. */
export const STATUS_DICTIONARY = 3;
/** The powers of ten are wanted. */
export const STATUS_POWERS = 4;

/** A column's fields, as byte offsets. The kind is one of block.ts. */
export const COLUMN_KIND = 0;
/** Cells: 4 bytes each, 8 of FLOAT64. Of DICTIONARY an index, of TEXT where the row's text ends. */
export const COLUMN_CELLS = 4;
/** One byte a row: STATE of block.ts. */
export const COLUMN_STATES = 8;
/** Whether any row's state is not STATE_VALUE. */
export const COLUMN_HAS_STATES = 12;
/** The key as the format writes it. */
export const COLUMN_KEY = 16;
export const COLUMN_KEY_LENGTH = 20;
/** What lay before the column's value last, from the value before on: at most PATTERN_BYTES. Length 0: nothing yet. */
export const COLUMN_PATTERN = 24;
export const COLUMN_PATTERN_LENGTH = 28;
/** TEXT: the text of the run. DICTIONARY: that of all entries. */
export const COLUMN_TEXT = 32;
export const COLUMN_TEXT_LENGTH = 36;
export const COLUMN_TEXT_CAPACITY = 40;
/** TEXT: how much text the column has before the run. */
export const COLUMN_TEXT_BASE = 44;
/** Whether a byte above 0x7f came: in the text of the run, or in an entry that it has added. */
export const COLUMN_NOT_ASCII = 48;
/** DICTIONARY: where each entry ends, how many there are, and how many there is room for. */
export const COLUMN_ENDS = 52;
export const COLUMN_COUNT = 56;
export const COLUMN_CAPACITY = 60;
/** DICTIONARY: a hash table. Two words a slot: an entry's index + 1, 0 where it is free, and the entry's hash. */
export const COLUMN_SLOTS = 64;
export const COLUMN_MASK = 68;
/** DICTIONARY: by the index in the dictionary column before, the index + 1 that followed it last; FOLLOWERS of them. */
export const COLUMN_FOLLOWERS = 72;
/** The dictionary column before; 0 where nothing is predicted by it. How often it was, and rightly. */
export const COLUMN_BEFORE = 76;
export const COLUMN_TRIED = 80;
export const COLUMN_HIT = 84;
/** How the format's schema writes the value: the grammar says what this means. */
export const COLUMN_WIRE = 88;
export const COLUMN_BYTES = 96;

export const PATTERN_BYTES = 112;
export const FOLLOWERS = 4096;
/** Longer strings are in no dictionary. */
export const ENTRY_BYTES = 128;
/** How many slots are looked at before a string is taken for new: bounds the cost of strings chosen to collide. */
export const PROBES = 16;

/** Powers of ten for numbers of many digits: 16 bytes each, from the least exponent to the greatest. */
export const LEAST_POWER = -330;
export const GREATEST_POWER = 308;
