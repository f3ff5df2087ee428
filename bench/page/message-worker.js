// Sends the time about every millisecond until the flag that it is given becomes 1. It never returns to its event loop
// between: timers are clamped to 4 ms, Atomics.wait is not.

/** Milliseconds between two messages. */
const PERIOD = 1;

addEventListener('message', ({ data }) => {
  const stopped = /** @type {Int32Array<SharedArrayBuffer>} */ (data);
  while (Atomics.wait(stopped, 0, 0, PERIOD) === 'timed-out') {
    postMessage(performance.timeOrigin + performance.now());
  }
});
