import { chromium, firefox } from 'playwright-core';
import { findChromium, findFirefox } from '../scripts/browsers.mjs';
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
   * @param {import('playwright-core').CDPSession | undefined} session Chromium's
   */
  constructor(browser, session) {
    this.#browser = browser;
    this.#session = session;
  }

  /**
   * @param {string} [engine] `chromium` or `firefox`
   * @throws where it is not found
   */
  static async launch(engine = 'chromium') {
    if (engine === 'firefox') {
      const found = findFirefox();
      if (!found) throw new Error('No Firefox is found: run node scripts/browsers.mjs --install firefox.');
      return new BenchBrowser(await firefox.launch(found.launch), undefined);
    }
    if (engine !== 'chromium') throw new Error(`There is no engine ${engine} here: there are chromium and firefox.`);
    const found = findChromium();
    if (!found) throw new Error('No Chromium is found: run node scripts/browsers.mjs --install chromium.');
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

  /** A page in a context of its own, which is closed with it. @param {string} url */
  async newPage(url) {
    const context = await this.#browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  /**
   * The memory of a page's process. The browser does not say which one that is; it is the one that grows when the page
   * allocates.
   *
   * @param {import('playwright-core').Page} page
   */
  async memoryOf(page) {
    if (!this.#session) return new ProcessMemory(undefined);
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => new ProcessMemory(id));
    // One that has had its day, as that of the empty page, may end in between.
    await Promise.allSettled(renderers.map((memory) => memory.mark()));
    await page.evaluate((bytes) => void new Uint8Array(bytes).fill(1), PROBE_BYTES);
    const grown = await Promise.all(renderers.map(async (memory) => ({ memory, bytes: (await memory.peak().catch(() => 0)) ?? 0 })));
    return grown.toSorted((a, b) => b.bytes - a.bytes)[0]?.memory ?? new ProcessMemory(undefined);
  }

  async close() {
    await this.#browser.close();
  }
}
