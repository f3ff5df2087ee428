// Sends the time about every millisecond until the given flag becomes 1. Waits with Atomics.wait, since timers are clamped
// to 4 ms.

/** Interval of the messages in milliseconds. */
const PERIOD = 1;

addEventListener('message', ({ data }) => {
  const stopped = /** @type {Int32Array<SharedArrayBuffer>} */ (data);
  while (Atomics.wait(stopped, 0, 0, PERIOD) === 'timed-out') {
    postMessage(performance.timeOrigin + performance.now());
  }
});
