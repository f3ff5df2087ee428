import { join } from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { launchWithExtension, openPanel } from './devtools-panel.ts';
import { REPOSITORY } from '../sources/imports.ts';
import { type SiteResponse, startPanelSite } from './panel-site.ts';

const EXTENSION = process.env['UNSPOOL_EXTENSION'] ?? join(REPOSITORY, 'dist-extension');

/** A page of the test site with the panel open in its DevTools. */
export interface PanelSession {
  page: Page;
  devtools: Page;
  panel: Frame;
  /** Address of the site, with a trailing slash. */
  url: string;
  /** Errors of the panel's page and policy. */
  complaints: string[];
  /** Rows of the list that contain a text. */
  rows: (name: string) => Locator;
  /** Fetches paths in the page and reads their bodies. */
  fetchAll: (...paths: string[]) => Promise<void>;
  /** Opens a request with a readable body. */
  open: (name: string) => Promise<void>;
  tab: (name: string) => Promise<void>;
  /** The format in the list. */
  formatOf: (name: string) => Promise<string>;
  /** The text of the clipboard; focuses the page to read it. */
  clipboard: () => Promise<string>;
  /** Reloads the panel, as DevTools does when it is reopened. */
  reload: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startPanelSession({ dark = false, responses }: Pick<SessionOptions, 'dark' | 'responses'> = {}): Promise<PanelSession> {
  const site = await startPanelSite(responses);
  const browser = await launchWithExtension(EXTENSION, { dark });
  const { page } = browser;
  await page.goto(site.url);
  const { devtools, panel } = await openPanel(browser.context, page, 'Unspool');
  const complaints: string[] = [];
  devtools.on('pageerror', (error) => complaints.push(error.message));
  devtools.on('console', (message) => {
    if (message.type() === 'error' && /chrome-extension|Content Security/.test(message.text() + message.location().url))
      complaints.push(message.text());
  });
  const rows = (name: string): Locator => panel.locator('.request-row:not(.request-header)', { hasText: name });
  return {
    page,
    devtools,
    panel,
    url: site.url,
    complaints,
    rows,
    async fetchAll(...paths) {
      for (const path of paths)
        await page.evaluate(
          (url) =>
            fetch(url)
              .then((response) => response.arrayBuffer())
              .then(() => undefined),
          path,
        );
    },
    async open(name) {
      await rows(name).first().click();
      await panel.locator('.detail-facts').waitFor();
    },
    async tab(name) {
      const tab = panel.getByRole('tab', { name, exact: true });
      const menu = panel.getByRole('button', { name: 'More views' });
      await tab.or(menu).first().waitFor();
      if (await tab.isVisible()) return tab.click();
      await menu.click();
      await panel.getByRole('menuitem', { name, exact: true }).click();
    },
    async formatOf(name) {
      const cell = rows(name).first().locator('[role=gridcell]').nth(2);
      await cell.filter({ hasText: /\S/ }).waitFor();
      return cell.innerText();
    },
    async clipboard() {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.bringToFront();
      await page.waitForFunction(() => document.hasFocus());
      return page.evaluate(() => navigator.clipboard.readText());
    },
    async reload() {
      await panel.evaluate(() => {
        document.querySelector('.app')!.className = 'leaving';
        location.reload();
      });
      await panel.waitForFunction(() => document.querySelector('.app') !== null);
    },
    async close() {
      await browser.close();
      await site.close();
    },
  };
}

interface SessionOptions {
  dark?: boolean;
  /** Further payloads of the site, by path. */
  responses?: Readonly<Record<string, () => SiteResponse>>;
  /** The tests expect complaints of the panel. */
  complains?: boolean;
  /** Runs after the start of the session. */
  prepare?: (session: PanelSession) => Promise<unknown>;
}

/** A session for the tests of the calling suite, which fails if the panel complains. The properties are set before its tests. */
export function panelSession({ complains = false, prepare, ...options }: SessionOptions = {}): PanelSession {
  const session = {} as PanelSession;
  beforeAll(async () => {
    Object.assign(session, await startPanelSession(options));
    await prepare?.(session);
  });
  afterAll(async () => {
    await session.close();
    if (!complains) expect(session.complaints).toEqual([]);
  });
  return session;
}
