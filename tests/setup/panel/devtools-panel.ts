import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright-core';
import { chromiumLaunch } from '../browsers/chromium.ts';
import { PATIENCE_MS } from '../browsers/patience.ts';

/** Chromium with the extension. */
export interface ExtensionBrowser {
  context: BrowserContext;
  page: Page;
  close: () => Promise<void>;
}

/** The panel in the DevTools of a page. */
export interface OpenedPanel {
  devtools: Page;
  panel: Frame;
}

/** Starts Chromium with an unpacked extension and a theme of DevTools. */
export async function launchWithExtension(folder: string, { dark = false } = {}): Promise<ExtensionBrowser> {
  // Makes Playwright attach to DevTools as a page.
  process.env['PW_CHROMIUM_ATTACH_TO_OTHER'] = '1';
  const profile = mkdtempSync(join(tmpdir(), 'unspool-panel-'));
  mkdirSync(join(profile, 'Default'));
  const preferences = { currentDockState: '"undocked"', ...(dark && { 'ui-theme': '"dark"' }) };
  const stored = { devtools: { preferences, synced_preferences_sync_disabled: preferences } };
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify(stored));
  const launch = chromiumLaunch();
  const context = await chromium.launchPersistentContext(profile, {
    ...launch,
    headless: true,
    chromiumSandbox: false,
    viewport: null,
    colorScheme: null,
    args: [...launch.args, '--window-size=1400,900', `--disable-extensions-except=${folder}`, `--load-extension=${folder}`],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return {
    context,
    page: context.pages()[0]!,
    async close() {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** A string, since the test runner would rewrite the `import()` of a function. */
const SHOW_PANEL = `(async () => {
  const { InspectorView } = await import('./ui/legacy/legacy.js');
  const view = InspectorView.InspectorView.instance();
  for (let i = 0; i < 2000 && !view.hasPanel(ID); i += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  await view.showPanel(ID);
})()`;

/** Opens DevTools for a page, and the panel with this title. */
export async function openPanel(context: BrowserContext, page: Page, title: string): Promise<OpenedPanel> {
  const session = await context.newCDPSession(page);
  const { targetInfo } = await session.send('Target.getTargetInfo');
  await session.detach();
  const browser = await context.browser()!.newBrowserCDPSession();
  const target = browser as unknown as { send(method: string, parameters: object): Promise<unknown> };
  const [devtools] = await Promise.all([
    context.waitForEvent('page', { predicate: (opened) => opened.url().startsWith('devtools://') }),
    target.send('Target.openDevTools', { targetId: targetInfo.targetId }),
  ]);
  await browser.detach();
  const origin = `chrome-extension://${new URL((await frameOf(devtools, '/devtools.html')).url()).host}`;
  await devtools.evaluate(SHOW_PANEL.replaceAll('ID', JSON.stringify(origin + title)));
  const panel = await frameOf(devtools, '/panel.html');
  await panel.waitForFunction(() => document.querySelector('.app') !== null);
  // Answers come in order: after this one, the panel's listener is registered.
  await panel.evaluate(
    () =>
      new Promise<void>((resolve) =>
        (globalThis as unknown as { chrome: { devtools: { network: { getHAR(done: () => void): void } } } }).chrome.devtools.network.getHAR(() =>
          resolve(),
        ),
      ),
  );
  return { devtools, panel };
}

async function frameOf(devtools: Page, path: string): Promise<Frame> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until;) {
    const found = devtools.frames().find((frame) => frame.url().startsWith('chrome-extension://') && new URL(frame.url()).pathname === path);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Frame ${path} did not load`);
}
