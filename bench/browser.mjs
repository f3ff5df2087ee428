import { chromium, firefox } from 'playwright-core';
import { findChromium, findFirefox } from '../scripts/browsers.mjs';
import { ProcessMemory } from './memory.mjs';

// The last one lets a page measure its memory without delay.
const ARGS = ['--js-flags=--expose-gc', '--enable-precise-memory-info', '--enable-blink-features=ForceEagerMeasureMemory'];
/** Allocated by a page to identify its process. */
const PROBE_BYTES = 64 << 20;

/** A browser that opens each page in its own process. */
export class BenchBrowser {
  #browser;
  #session;

  /**
   * @param {import('playwright-core').Browser} browser
   * @param {import('playwright-core').CDPSession | undefined} session only of Chromium
   */
  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
  }

  /**
   * @param {string} [engine] `chromium` or `firefox`
   * @throws {Error} if the browser is not installed
   */
  static async launch(engine = 'chromium') {
    if (engine === 'firefox') {
      const found = findFirefox();
      if (!found) throw new Error('Firefox is not installed: run node scripts/browsers.mjs --install firefox.');
      return new BenchBrowser(await firefox.launch(found.launch), undefined);
    }
    if (engine !== 'chromium') throw new Error(`Unknown engine ${engine}: use chromium or firefox.`);
    const found = findChromium();
    if (!found) throw new Error('Chromium is not installed: run node scripts/browsers.mjs --install chromium.');
    const browser = await chromium.launch({ ...found.launch, args: ARGS });
    return new BenchBrowser(browser, await browser.newBrowserCDPSession());
  }

  get name() {
    return `${this.#session ? 'Chromium' : 'Firefox'} ${this.#browser.version()}`;
  }

  /**
   * Opens a page, hands it to `use` and closes it.
   *
   * @template T
   * @param {string} url
   * @param {(page: import('playwright-core').Page) => Promise<T>} use
   */
  async withPage(url, use) {
    const page = await this.newPage(url);
    try {
      return await use(page);
    } finally {
      await page.context().close();
    }
  }

  /** Opens a page in its own context. @param {string} url */
  async newPage(url) {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  /**
   * The memory of a page's process, which is identified as the one that grows when the page allocates.
   *
   * @param {import('playwright-core').Page} page
   */
  async memoryOf(page) {
    if (!this.#session) return new ProcessMemory(undefined);
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => new ProcessMemory(id));
    // A process may end before its memory is read, such as that of the empty page.
    await Promise.allSettled(renderers.map((memory) => memory.mark()));
    await page.evaluate((bytes) => void new Uint8Array(bytes).fill(1), PROBE_BYTES);
    const grown = await Promise.all(renderers.map(async (memory) => ({ memory, bytes: (await memory.peak().catch(() => 0)) ?? 0 })));
    return grown.toSorted((a, b) => b.bytes - a.bytes)[0]?.memory ?? new ProcessMemory(undefined);
  }

  /** Processor time of all threads of all pages so far. Chromium only. */
  async processorMs() {
    if (!this.#session) return 0;
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { type, cpuTime }) => (type === 'renderer' ? sum + cpuTime * 1000 : sum), 0);
  }

  async close() {
    await this.#browser.close();
  }
}
