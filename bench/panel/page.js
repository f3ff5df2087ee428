// What runs in the panel: each function is handed over by its source, and uses only what `install` has put there.

/**
 * @typedef {{ time: number, block: number }} Timed
 * @typedef {{ timed: (work: () => Promise<void>) => Promise<Timed>, painted: () => Promise<void>, until: (check: () => boolean) => Promise<void> }} Tools
 */

/** Puts the tools of the measurement into the panel. */
export function install() {
  /** A block is the longest time in which no message came through. */
  const timed = async (/** @type {() => Promise<void>} */ work) => {
    const { port1, port2 } = new MessageChannel();
    let block = 0;
    let last = performance.now();
    port2.onmessage = () => {
      const now = performance.now();
      block = Math.max(block, now - last);
      last = now;
      port1.postMessage(0);
    };
    port1.postMessage(0);
    const start = performance.now();
    await work();
    const end = performance.now();
    block = Math.max(block, end - last);
    port1.close();
    port2.close();
    return { time: end - start, block };
  };
  // What is posted in a frame's callback comes when the frame is on the screen.
  const painted = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve(undefined);
      };
      requestAnimationFrame(() => port2.postMessage(0));
    });
  const until = (/** @type {() => boolean} */ check) =>
    new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
      if (check()) return resolve();
      const observer = new MutationObserver(() => {
        if (!check()) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
  Object.assign(globalThis, { bars: { timed, painted, until } });
}

/** Waits for a request in the list, with its format. @param {string} name */
export function arrive(name) {
  const { timed, until } = /** @type {{ bars: Tools }} */ (/** @type {unknown} */ (globalThis)).bars;
  const row = () => Array.from(document.querySelectorAll('.request-row')).find((candidate) => candidate.textContent.includes(name));
  return timed(() => until(() => row()?.querySelector('.chip') !== null && row() !== undefined));
}

/** Opens a request, until its tree is on the screen. @param {[name: string, items: string]} request */
export function open([name, items]) {
  const { timed, until, painted } = /** @type {{ bars: Tools }} */ (/** @type {unknown} */ (globalThis)).bars;
  const row = Array.from(document.querySelectorAll('.request-row')).find((candidate) => candidate.textContent.includes(name));
  return timed(async () => {
    /** @type {HTMLElement} */ (row).click();
    await until(
      () =>
        (document.querySelector('.detail-title')?.textContent.includes(name) && document.querySelector('.tree-row')?.textContent.includes(items)) ===
        true,
    );
    await painted();
  });
}

/** Scrolls a list from its beginning to its end. @param {string} selector */
export function scroll(selector) {
  const { timed, painted } = /** @type {{ bars: Tools }} */ (/** @type {unknown} */ (globalThis)).bars;
  const list = /** @type {HTMLElement} */ (document.querySelector(selector));
  return timed(async () => {
    for (let step = 1; step <= 30; step += 1) {
      list.scrollTop = (list.scrollHeight * step) / 30;
      await painted();
    }
  });
}

/** Looks for a text that is not there. @param {string} text */
export function search(text) {
  const { timed, until } = /** @type {{ bars: Tools }} */ (/** @type {unknown} */ (globalThis)).bars;
  const field = /** @type {HTMLInputElement} */ (document.querySelector('.search-field'));
  const result = timed(async () => {
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await until(() => document.querySelector('.search-count')?.textContent === 'nothing found');
  });
  return result.finally(() => {
    field.value = '';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
