/** Bytes of ten messages of the benchmark, and milliseconds between two batches. */
const BATCH_BYTES = 10_000;
const TICK_MS = 16;

setInterval(() => {
  const bytes = new Uint8Array(BATCH_BYTES).fill(1);
  globalThis.postMessage(bytes, { transfer: [bytes.buffer] });
}, TICK_MS);

export {};
