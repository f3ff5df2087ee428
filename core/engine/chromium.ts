// Tells V8 in Chromium from other engines, which neither collect as `minor-gc.ts` expects nor return the blob of a cached
// response before they have read it.

/** Only Chromium has `performance.memory`. */
export const isChromium = 'memory' in performance;
