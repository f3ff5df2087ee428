type Workaround = 'fillers' | 'internalizedKeys' | 'keepAlive' | 'makers' | 'minorGc' | 'nodeCompare' | 'nodeText' | 'shortAscii' | 'templates';

/**
 * Workarounds for one engine that are turned off: none, except where bench/engine/run.mjs measures what one is worth. It
 * names them on `globalThis` before it loads the library. Read when something is constructed, never for each value.
 */
export const OFF: Readonly<Partial<Record<Workaround, boolean>>> =
  (globalThis as { [key: symbol]: object | undefined })[Symbol.for('unspool.off')] ?? {};
