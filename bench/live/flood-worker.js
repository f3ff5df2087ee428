/** Milliseconds between two turns. */
const TICK_MS = 2;

// Posts `total` texts to a port at a rate, as far as it can keep up, and then an object.
globalThis.addEventListener('message', ({ data: { perSecond, total }, ports: [port] }) => {
  const start = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    const due = Math.min(total, ((performance.now() - start) / 1000) * perSecond);
    for (; sent < due; sent += 1) port?.postMessage(`{"key":${sent % 10},"id":${sent}}`);
    if (sent < total) return;
    clearInterval(timer);
    port?.postMessage({ isEnd: true });
  }, TICK_MS);
});

export {};
