// Time and memory of decoding on this thread: how work is cut into slices, and when the collector is made to run. Each value
// names the benchmark that shows what changing it costs.

/** Milliseconds after which a slice gives the thread back: a quarter of a frame. bench/documents/run.mjs (longest block). */
export const SLICE_MS = 4;

/** Milliseconds that a push to a reader should take: two fit in a slice. bench/documents/run.mjs (longest block). */
export const PUSH_MS = 1.9;

/** Bytes of a reader's first push: cold code takes several times as long. bench/cold/run.mjs. */
export const FIRST_PUSH_BYTES = 32 * 1024;

/** Bytes of the smallest and the largest push to a reader. bench/documents/run.mjs. */
export const MIN_PUSH_BYTES = 4 * 1024;
export const MAX_PUSH_BYTES = 1024 * 1024;

/** Values of FlatBuffers and Cap'n Proto, which are read once they are complete, between two looks at the clock: about 1 ms. */
export const STEP_VALUES = 8192;

/** Milliseconds that a coarse clock can tell apart: shorter pushes are taken to last as long. bench/documents/run.mjs (Firefox). */
export const TICK_MS = 0.1;

/** Milliseconds that a piece of JSON should take: a slice ends with the piece that exceeds its time. bench/documents/run.mjs. */
export const PIECE_MS = 1.5;

/** Bytes of the smallest piece of JSON: smaller ones spend their time on calls. bench/documents/run.mjs. */
export const MIN_PIECE_BYTES = 32 * 1024;

/** Bytes of the largest piece of JSON: the text of longer ones leaves the processor's cache before it is parsed. bench/documents/run.mjs. */
export const MAX_PIECE_BYTES = 128 * 1024;

/** Bytes of JSON to wait for while more arrive, so that a slow network does not cut the text into tiny pieces. bench/stream/run.mjs. */
export const MIN_WAITING_BYTES = 64 * 1024;

/** Least bytes of the window that joins chunks. bench/stream/run.mjs. */
export const WINDOW_BYTES = 128 * 1024;

/** Bytes of input per item that a long array reserves in advance. bench/documents/run.mjs (memory). */
export const ITEM_BYTES = 4;

/**
 * Bytes of a payload from which its short arrays are counted for the collector. V8 copies those of 32 MB in one pause; smaller
 * payloads seldom have as many, and collecting them costs more than reading them. bench/documents/run.mjs (longest block).
 */
export const COUNT_ARRAYS_FROM = 8_000_000;

/**
 * Bytes of a payload from which all its values are counted for the collector: V8's young generation holds the values of
 * smaller ones. bench/documents/run.mjs (longest block).
 */
export const COUNT_VALUES_FROM = 25_000_000;

/** Bytes of such a payload that count as one value. bench/documents/run.mjs. */
export const BYTES_PER_VALUE = 22;

/** Values that a short array counts for. bench/documents/run.mjs. */
export const ARRAY_VALUES = 3;

/** Bytes per list or object below which they are so many that V8's pauses show, and the values that each counts for. bench/documents/run.mjs. */
export const SMALL_ITEM_BYTES = 8;
export const SMALL_ITEM_VALUES = 2;

/**
 * Bytes of the buffer whose transfer makes V8 collect its young generation: V8 does so before it makes an ArrayBuffer, if the
 * buffers there have 64 MB together (32 MB in older versions). bench/run.mjs (longest block at 1,000,000 rows).
 */
export const COLLECTING_BYTES = 64 * 1024 * 1024;

/** Bytes that a value of a record takes: its slot, and in some columns a number or a string. bench/run.mjs. */
export const VALUE_BYTES = 14;

/** Bytes built between two collections: V8 takes 2 to 3 ms per MB of surviving objects. bench/run.mjs (longest block). */
export const BUILT_BYTES = 2.5 * 1024 * 1024;

/** Bytes built while V8 marks before building waits for it: V8 copies them at the end, 1 ms per MB. bench/run.mjs (longest block). */
export const MARKING_BYTES = 8 * 1024 * 1024;

/** How often building waits for V8 to finish marking, and milliseconds of each wait. bench/run.mjs (all objects). */
export const MARKING_WAITS = 40;
export const MARKING_WAIT_MS = 4;

/** Milliseconds below which an attempt has collected nothing. bench/run.mjs (longest block). */
export const COLLECTION_MS = 0.25;

/** Milliseconds without building after which the buffer is released. bench/memory.mjs. */
export const COLLECTING_IDLE_MS = 1000;

/** Bytes of a source that are looked at before its decode is planned. bench/stream/run.mjs (first batch). */
export const LOOK_BYTES = 64 * 1024;

/** Least average share of a list's keys in each of its records for the list to be regular. bench/documents/run.mjs. */
export const REGULAR_SHARE = 0.75;
