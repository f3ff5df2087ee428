import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/browsers.mjs';
import { ProcessMemory } from './memory.mjs';

// The last lets a page measure its memory at once, and not when the browser finds it fit.
const ARGS = ['--js-flags=--expose-gc', '--enable-precise-memory-info', '--enable-blink-features=ForceEagerMeasureMemory'];
/** What a page allocates to show which process is its own. */
const PROBE_BYTES = 64 << 20;

/** A Chromium that opens each page in a process of its own. */
export class BenchBrowser {
  #browser;
  #session;

  /**
   * @param {import('playwright-core').Browser} browser
   * @param {import('playwright-core').CDPSession} session
   */
  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
  }

  /** @throws where there is no Chromium */
  static async launch() {
    const found = findChromium();
    if (!found) throw new Error('No Chromium is found: run node scripts/browsers.mjs --install chromium.');
    const browser = await chromium.launch({ ...found.launch, args: ARGS });
    return new BenchBrowser(browser, await browser.newBrowserCDPSession());
  }

  get name() {
    return `Chromium ${this.#browser.version()}`;
  }

  /**
   * Opens a page, hands it to `use` and closes it.
   *
   * @template T
   * @param {string} url
   * @param {(page: import('playwright-core').Page) => Promise<T>} use
   */
  async withPage(url, use) {
    const context = await this.#browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(url);
      return await use(page);
    } finally {
      await context.close();
    }
  }

  /**
   * The memory of a page's process. The browser does not say which one that is; it is the one that grows when the page
   * allocates.
   *
   * @param {import('playwright-core').Page} page
   */
  async memoryOf(page) {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => new ProcessMemory(id));
    await Promise.all(renderers.map((memory) => memory.mark()));
    await page.evaluate((bytes) => void new Uint8Array(bytes).fill(1), PROBE_BYTES);
    const grown = await Promise.all(renderers.map(async (memory) => ({ memory, bytes: (await memory.peak()) ?? 0 })));
    return grown.toSorted((a, b) => b.bytes - a.bytes)[0]?.memory ?? new ProcessMemory(undefined);
  }

  async close() {
    await this.#browser.close();
  }
}
