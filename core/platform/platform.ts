// Functions that Node implements in another way. The build for Node replaces this file with `node.ts`: see
// scripts/build/library.mjs.

/**
 * Yields to the browser's other work: input, rendering, timers. Uses a message instead of `scheduler.yield`, whose
 * continuations Chromium runs before timers and nearly always before the next frame.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    // jsdom has no messages.
    if (!globalThis.MessageChannel) return void setTimeout(resolve);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    return port2.postMessage(null);
  });
}

/** A name for the lock that a worker holds while it lives; undefined where there are no locks. */
export function lockName(): string | undefined {
  return globalThis.navigator?.locks && globalThis.crypto?.randomUUID && `unspool:${crypto.randomUUID()}`;
}

/** Lets a process end although a timer runs. */
export function unref(_timer: unknown): void {}
