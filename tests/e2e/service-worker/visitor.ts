import playwright from 'playwright-core';
import { findChromium, findFirefox, findWebKit } from '../../../scripts/browsers.mjs';
import { WebKitSession } from '../../setup/browsers/webkit-session.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';

/** A browser with one page, as every engine gives it. */
export interface Visitor {
  /** Opens an address, and resolves when it has loaded. */
  open(url: string): Promise<void>;
  /** Runs a function, of which only its text goes to the page, with an argument and a result that JSON has. */
  run<A, R>(script: (argument: A) => R | Promise<R>, argument: A): Promise<R>;
  close(): Promise<void>;
}

type Launch = Parameters<typeof playwright.firefox.launch>[0];

async function launch(engine: 'chromium' | 'firefox' | 'webkit', options: Launch): Promise<Visitor> {
  const browser = await playwright[engine].launch(options);
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return {
    open: async (url) => void (await page.goto(url)),
    run: (script, argument) => page.evaluate(script as never, argument as never),
    close: () => browser.close(),
  };
}

/** WebKitGTK, which Playwright does not know. */
function drive(programs: ConstructorParameters<typeof WebKitSession>[0]): Visitor {
  const session = new WebKitSession(programs);
  return {
    open: (url) => session.open(url),
    run: async <A, R>(script: (argument: A) => R | Promise<R>, argument: A) => {
      const code = `
        const [argument, done] = arguments;
        (async () => (${String(script)})(argument))().then((value) => done({ value }), (error) => done({ error: String(error) }));
      `;
      const { value, error } = await session.run<{ value: R; error?: string }>(code, [argument]);
      if (error !== undefined) throw new Error(error);
      return value;
    },
    close: () => session.close(),
  };
}

/** The engines, and how to open each that is there. */
export const VISITORS: readonly [engine: string, visit: (() => Promise<Visitor>) | undefined][] = [
  ['Chromium', visitor('chromium')],
  ['Firefox', visitor('firefox')],
  ['WebKit', visitor('webkit')],
];

function visitor(engine: 'chromium' | 'firefox' | 'webkit'): (() => Promise<Visitor>) | undefined {
  const found = { chromium: findChromium, firefox: findFirefox, webkit: findWebKit }[engine]();
  if (!found) return undefined;
  return 'driver' in found ? () => Promise.resolve(drive(found)) : () => launch(engine, found.launch);
}
