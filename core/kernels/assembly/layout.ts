/**
 * Memory layout of a kernel, shared by the AssemblyScript sources and the driver. This file imports nothing.
 *
 *     0          data placed by the compiler: constants, the powers of ten
 *     context    the words below: parameters and results of a run
 *     window     WINDOW_BYTES of input, then WINDOW_SLACK zero bytes
 *     slots      for each column of a row, in any table: cells, states, text; copied out after each run
 *     tables     for each table its columns (COLUMN_BYTES each), keys, patterns and dictionaries
 */

/** Maximum input of one run. */
export const WINDOW_BYTES = 262144;
/** Zero bytes after the window: they end every JSON token, and contain all reads past one. */
export const WINDOW_SLACK = 128;
/** Maximum rows of one run. */
export const RUN_ROWS = 2048;
/** Maximum text that one run reads into a column of kind TEXT. */
export const RUN_TEXT = 65536;

/** Words of the context, as byte offsets. */
export const CONTEXT_COLUMNS = 0;
export const CONTEXT_WIDTH = 4;
/** Results of a run: position before the row that was not read, reason for stopping there, and column. */
export const CONTEXT_POSITION = 8;
export const CONTEXT_STATUS = 12;
export const CONTEXT_COLUMN = 16;
/** Result of a run: number of values in the rows, without the rows themselves. */
export const CONTEXT_VALUES = 20;
/** Bytes of the longest string. */
export const CONTEXT_MAX_STRING = 24;
/** Flags of `reading/rows/flags.ts`. */
export const CONTEXT_FLAGS = 28;
/** Initial value of string hashes. */
export const CONTEXT_SEED = 32;
/** Start of each record, if no keys are written. */
export const CONTEXT_HEAD = 40;
/** If the format has a schema: number of steps per record, their address, and that of the symbols they name. */
export const CONTEXT_STEP_COUNT = 44;
/** The bytes from 0x40 to 0x7f that begin a record of MessagePack, as 64 bits. */
export const CONTEXT_IDS = 48;
export const CONTEXT_STEPS = 56;
export const CONTEXT_SYMBOLS = 60;
/** Result of a run: number of values that are defaults and not in the input. */
export const CONTEXT_DEFAULTS = 64;
/** For validated items: maximum nesting, maximum number of values, and bytes of the longest binary. */
export const CONTEXT_DEPTH = 68;
export const CONTEXT_MAX_VALUES = 72;
export const CONTEXT_BINARY = 76;
/** For validated items of which only some parts are kept: the node of the parts, 0 to keep all, and the address of the output. */
export const CONTEXT_PICK = 80;
export const CONTEXT_OUTPUT = 84;
export const CONTEXT_BYTES = 88;

/**
 * A node of the parts that are kept: the number of keys, or −1 if values are kept as a whole; then for each key the address and
 * length of its text, and the address of its node.
 */
export const NODE_HEAD_BYTES = 4;
export const NODE_KEY_BYTES = 12;

/** Bytes of a step: its operation, its column (an address, 0 if the value is skipped), and two operands. */
export const STEP_BYTES = 16;
/** Bytes of a symbol: address and length of its text, and its index in its column's dictionary + 1, or 0 if unknown. */
export const SYMBOL_BYTES = 12;

/** Reason for stopping: there is no room for more rows. */
export const STATUS_ROOM = 0;
/** The reader must read the row. */
export const STATUS_OTHER = 1;
/** A column's text is full. */
export const STATUS_TEXT = 2;
/** A column's dictionary is full. */
export const STATUS_DICTIONARY = 3;
/** The powers of ten are needed. */
export const STATUS_POWERS = 4;

/** Fields of a column, as byte offsets. The kind is one of block.ts. */
export const COLUMN_KIND = 0;
/**
 * Address of the cells: 4 bytes each, 8 in FLOAT64. A cell holds an index in DICTIONARY, the end of the row's text in
 * TEXT.
 */
export const COLUMN_CELLS = 4;
/** One byte per row: STATE of block.ts. */
export const COLUMN_STATES = 8;
/** 1 if any row's state is not STATE_VALUE. */
export const COLUMN_HAS_STATES = 12;
/** The key as encoded by the format. */
export const COLUMN_KEY = 16;
export const COLUMN_KEY_LENGTH = 20;
/**
 * The bytes before the column's last value, after the value before it: at most PATTERN_BYTES. Length 0 if there are
 * none yet.
 */
export const COLUMN_PATTERN = 24;
export const COLUMN_PATTERN_LENGTH = 28;
/** TEXT: text of the run. DICTIONARY: text of all entries. */
export const COLUMN_TEXT = 32;
export const COLUMN_TEXT_LENGTH = 36;
export const COLUMN_TEXT_CAPACITY = 40;
/** TEXT: length of the column's text before the run. */
export const COLUMN_TEXT_BASE = 44;
/** 1 if a byte is above 0x7f in the text of the run, or in an entry added by it. */
export const COLUMN_NOT_ASCII = 48;
/** DICTIONARY: ends of the entries, their number, and the capacity. */
export const COLUMN_ENDS = 52;
export const COLUMN_COUNT = 56;
export const COLUMN_CAPACITY = 60;
/**
 * DICTIONARY: a hash table with two words per slot: an entry's index + 1, 0 if the slot is free, and the entry's hash.
 */
export const COLUMN_SLOTS = 64;
export const COLUMN_MASK = 68;
/** DICTIONARY: by index in the preceding dictionary column, the index + 1 that followed it last; FOLLOWERS entries. */
export const COLUMN_FOLLOWERS = 72;
/** The preceding dictionary column, 0 if it predicts nothing. Number of predictions, and of correct ones. */
export const COLUMN_BEFORE = 76;
export const COLUMN_TRIED = 80;
export const COLUMN_HIT = 84;
/** Encoding of the value according to the schema; its meaning depends on the format. */
export const COLUMN_WIRE = 88;
export const COLUMN_BYTES = 96;

export const PATTERN_BYTES = 112;
export const FOLLOWERS = 4096;
/** Longer strings are not added to dictionaries. */
export const ENTRY_BYTES = 128;
/** Slots probed before a string counts as new: bounds the cost of strings chosen to collide. */
export const PROBES = 16;

/** Powers of ten for numbers with many digits: 16 bytes each, in order of the exponent. */
export const MIN_POWER = -330;
export const MAX_POWER = 308;
