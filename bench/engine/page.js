// What runs in the page: each function is handed over by its source, and uses only what `prepare` has put there.

/** @typedef {{ sample: (repeat: number) => Promise<{ ms: number, blockMs: number }> }} Engine */

/** Loads the library and decodes the payload a few times. @param {{ url: string, format: string, form: string, warmUps: number, library: string }} given */
export async function prepare({ url, format, form, warmUps, library }) {
  const { createDecoder } = await import(new URL(library, location.href).href);
  const bytes = await (await fetch(url)).arrayBuffer();
  const decoder = createDecoder();
  const decode = async (/** @type {ArrayBuffer} */ copy) => {
    const value = await decoder.decode(copy, { format, as: form === 'calls' ? 'objects' : form, transfer: true });
    return form === 'rows'
      ? await /** @type {any} */ (Object.values(value)).find((/** @type {any} */ list) => list?.materialise).toArrayAsync()
      : value;
  };
  // A page has lists of several shapes, whose rows the same code builds.
  for (let shape = 0; form === 'rows' && shape < 6; shape += 1) {
    const items = Array.from({ length: 1000 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 5 }, (_, key) => [`s${shape}k${key}`, row + key])),
    );
    const { items: rows } = await decoder.decode(new TextEncoder().encode(JSON.stringify({ items })), { format: 'json', as: 'rows' });
    await rows.toArrayAsync();
  }
  for (let count = 0; count < warmUps; count += 1) await decode(bytes.slice(0));
  const collect = async () => {
    for (let round = 0; round < 2; round += 1) {
      /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const { scheduler } = /** @type {{ scheduler: any }} */ (/** @type {unknown} */ (globalThis));
  const sample = async (/** @type {number} */ repeat) => {
    await collect();
    const copies = Array.from({ length: repeat }, () => bytes.slice(0));
    let last = performance.now();
    let blockMs = 0;
    let runs = true;
    const tick = () => {
      const now = performance.now();
      blockMs = Math.max(blockMs, now - last);
      last = now;
      if (runs) void scheduler.postTask(tick, { priority: 'user-blocking', delay: 1 });
    };
    tick();
    const start = performance.now();
    for (const copy of copies) await decode(copy);
    const ms = (performance.now() - start) / repeat;
    runs = false;
    tick();
    return { ms, blockMs };
  };
  Object.assign(globalThis, { engine: { sample } });
}

/** Decodes the payload after a collection. @param {number} repeat */
export function sample(repeat) {
  return /** @type {{ engine: Engine }} */ (/** @type {unknown} */ (globalThis)).engine.sample(repeat);
}
