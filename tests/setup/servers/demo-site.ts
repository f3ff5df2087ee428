import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { tripAt } from '../../../demo/server/data/trips.mjs';
import { createServer } from '../../../demo/server/index.mjs';
import { chromiumLaunch } from '../browsers/chromium.ts';
import { PATIENCE_MS } from '../browsers/patience.ts';

/** The built demo, served to Chromium from its own folder of payloads. */
export interface DemoSite {
  readonly browser: Browser;
  /** Folder of the payloads. */
  readonly payloads: string;
  readonly url: string;
  /** Pauses each response below `path` after about `bytes` bytes until the returned function is called. */
  hold(path: string, bytes: number): () => void;
  close(): Promise<void>;
}

export async function openDemoSite(): Promise<DemoSite> {
  const payloads = await mkdtemp(join(tmpdir(), 'unspool-payloads-'));
  const server = createServer({ payloads });
  const url = await server.listen({ port: 0 });
  const browser = await chromium.launch(chromiumLaunch());
  return {
    browser,
    payloads,
    url,
    hold: (path, bytes) => hold(server.http, path, bytes),
    async close() {
      await browser.close();
      await server.close();
      await rm(payloads, { recursive: true, force: true });
    },
  };
}

function hold(server: Server, path: string, bytes: number): () => void {
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  let isReleased = false;
  const listener = ({ url }: IncomingMessage, response: ServerResponse): void => {
    if (!url?.startsWith(path)) return;
    const write = response.write.bind(response) as (chunk: Uint8Array | string) => boolean;
    const end = response.end.bind(response) as (chunk?: Uint8Array | string) => ServerResponse;
    let isHeld = false;
    let written = 0;
    response.write = ((chunk: Uint8Array | string): boolean => {
      if (isReleased || written < bytes) {
        written += chunk.length;
        return write(chunk);
      }
      isHeld = true;
      void released.then(() => {
        write(chunk);
        response.emit('drain');
      });
      return false;
    }) as typeof response.write;
    response.end = ((chunk?: Uint8Array | string): ServerResponse => {
      if (!isHeld) return end(chunk);
      void released.then(() => end(chunk));
      return response;
    }) as typeof response.end;
  };
  server.prependListener('request', listener);
  return () => {
    server.off('request', listener);
    isReleased = true;
    release();
  };
}

export interface DemoVisit {
  readonly page: Page;
  /** Warnings, errors and policy violations of the page. */
  readonly complaints: string[];
  /** Makes the page as it was when it was opened: another one takes two seconds. Not for visits with a service worker. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

const VIEWPORT = { width: 1280, height: 900 };

/**
 * Opens a page with an empty profile. By default, the demo's service worker, which caches everything, is blocked, and motion is
 * reduced: frames that are drawn all the time take a core where there is no graphics card.
 */
export async function visitDemo(
  { browser, url }: DemoSite,
  { serviceWorkers = 'block', reducedMotion = 'reduce', ...options }: BrowserContextOptions = {},
): Promise<DemoVisit> {
  const context = await browser.newContext({ viewport: VIEWPORT, serviceWorkers, reducedMotion, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
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
  const restart = async (): Promise<void> => {
    await page.unrouteAll();
    if (page.url().startsWith(url)) await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()));
    await page.goto('about:blank');
    await page.emulateMedia({ colorScheme: 'light', reducedMotion });
    await page.setViewportSize(VIEWPORT);
    complaints.length = 0;
  };
  return { page, complaints, restart, end: () => context.close() };
}

/** The cells of a trip in the demo's tables. */
export function shownTrip(index: number): string[] {
  return Object.values(tripAt(index)).map((value) => (value === null ? '–' : String(value)));
}
