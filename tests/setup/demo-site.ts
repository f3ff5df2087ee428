import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { tripAt } from '../../demo/server/data/trips.mjs';
import { createServer } from '../../demo/server/index.mjs';
import { findChromium } from '../../scripts/browsers.mjs';

/** The built demo, served with payloads of its own to a Chromium. */
export interface DemoSite {
  readonly browser: Browser;
  /** Where the server keeps the payloads. */
  readonly payloads: string;
  readonly url: string;
  close(): Promise<void>;
}

export async function openDemoSite(): Promise<DemoSite> {
  const payloads = await mkdtemp(join(tmpdir(), 'unspool-payloads-'));
  const server = createServer({ payloads });
  const url = await server.listen({ port: 0 });
  const browser = await chromium.launch(findChromium()!.launch);
  return {
    browser,
    payloads,
    url,
    async close() {
      await browser.close();
      await server.close();
      await rm(payloads, { recursive: true, force: true });
    },
  };
}

export interface DemoVisit {
  readonly page: Page;
  /** What the page complains about: warnings, errors, and breaches of its policy. */
  readonly complaints: string[];
  end(): Promise<void>;
}

/** A visitor with an empty profile. The demo's service worker, which keeps all of it, is installed where that is asked for. */
export async function visitDemo({ browser }: DemoSite, { serviceWorkers = 'block', ...options }: BrowserContextOptions = {}): Promise<DemoVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.error(violatedDirective));
  });
  return { page, complaints, end: () => context.close() };
}

/** The cells of a trip as the demo's tables show it. */
export function shownTrip(index: number): string[] {
  return Object.values(tripAt(index)).map((value) => (value === null ? '–' : String(value)));
}
