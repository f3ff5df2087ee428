// Thresholds of the choice between the page and workers. To send decodes to a worker earlier, lower MIN_WORKER_MS or raise WORTH.
// SMALL_BYTES is the size below which a payload always stays on the page. Each value names the benchmark that shows what changing it costs.

/** Bytes below which a payload is decoded at once by default: a worker's messages take longer at any size. bench/cases.mjs (`calls`). */
export const SMALL_BYTES = 16_384;

/** Milliseconds that `JSON.parse` may take at once: well under a frame. bench/documents/run.mjs (1 MB). */
export const AT_ONCE_MS = 6;

/** Bytes below which a body is read in one step: it has arrived before its parts could be used. bench/cold/run.mjs. */
export const SHORT_BODY_BYTES = 1024 * 1024;

/** Bytes of the rows of a response from which a worker starts before the route is known. bench/cold/run.mjs. */
export const WARM_FROM_BYTES = 512 * 1024;

/** Milliseconds that complete items wait for more bytes before they are emitted; the first do not wait. bench/stream/run.mjs. */
export const PATIENCE_MS = 20;

/**
 * Bytes per millisecond before anything is measured, with cold code: on the page (the engine or a reader) and in a worker.
 * Formats with a schema have fewer bytes for the same values. bench/cold/run.mjs.
 */
export const FIRST_SPEEDS = {
  named: { page: 250_000, 'worker objects': 350_000, 'worker rows': 500_000 },
  schema: { page: 120_000, 'worker objects': 250_000, 'worker rows': 400_000 },
} as const;

/** How many times slower a reader's first bytes are, and how many bytes count as first. The engine's parser is warm from the start. bench/cold/run.mjs. */
export const COLD_FACTOR = 4;
export const COLD_BYTES = 2_000_000;

/** Milliseconds that a worker takes to start before one has, with the request for its script. bench/cold/run.mjs. */
export const START_MS = 90;

/**
 * Fixed milliseconds of a worker's decode: messages to threads that must wake up, and for objects the work on the page after
 * the last part. bench/documents/run.mjs.
 */
export const OVERHEAD_MS = { objects: 30, rows: 4, columns: 4 } as const;

/** Milliseconds: decodes estimated to take less stay on the page, since nobody notices them and a worker's first payloads take longer. bench/cold/run.mjs. */
export const MIN_WORKER_MS = 10;

/** Factor by which a worker may be slower than the page, which is free while a worker decodes. bench/documents/run.mjs. */
export const WORTH = { objects: 1.1, rows: 1.5, columns: 1.5 } as const;

/** Bytes below which a payload is too small to indicate speeds or records. bench/documents/run.mjs. */
export const MIN_MEASURED_BYTES = 64 * 1024;

/** Decodes, and bytes, that are not measured: they run unoptimised code. bench/documents/run.mjs. */
export const WARM_UP_DECODES = 2;
export const WARM_UP_BYTES = 8_000_000;

/** Least weight of the last payload in a speed. A slow one may have met other work, or cold code. bench/documents/run.mjs. */
export const FASTER_WEIGHT = 0.6;
export const SLOWER_WEIGHT = 0.2;

/** Share by which an unused code path's speed returns to its first value with each payload, so that it is tried again. bench/documents/run.mjs. */
export const FORGOTTEN_SHARE = 0.04;

/** Records that a page decodes to warm up its code, and the time limit: larger values gain nothing. bench/cold/run.mjs. */
export const WARM_UP_RECORDS = 16;
export const WARM_UP_MS = 40;
