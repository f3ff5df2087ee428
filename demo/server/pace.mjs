import { setTimeout as wait } from 'node:timers/promises';

/**
 * Passes bytes through at a steady rate, in pieces of about a fiftieth of a second.
 *
 * @param {AsyncIterable<Uint8Array>} source
 * @param {number} bytesPerSecond may be `Infinity`
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<Uint8Array, void, void>}
 */
export async function* pace(source, bytesPerSecond, signal) {
  const size = Number.isFinite(bytesPerSecond) ? Math.max(512, Math.floor(bytesPerSecond / 50)) : 1 << 20;
  const started = performance.now();
  let sent = 0;
  for await (const chunk of source) {
    for (let offset = 0; offset < chunk.length; offset += size) {
      const piece = chunk.subarray(offset, offset + size);
      sent += piece.length;
      const ahead = started + (sent / bytesPerSecond) * 1000 - performance.now();
      if (ahead > 1) await wait(ahead, undefined, { signal });
      yield piece;
    }
  }
}
