import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { chromiumLaunch } from '../../setup/browsers/chromium.ts';
import { buildApplication } from './build.ts';
import { Site } from './site.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';

/** Response for an application without the library. */
export interface PlainAnswer {
  status: number;
  type: string | null;
  value: unknown;
}

/** Response for an application with a decoder. */
export interface DecodedAnswer {
  type: string;
  value: unknown;
  rows: string;
}

/** The application in Chromium, built once per file of tests. */
export class Application {
  browser!: Browser;
  context!: BrowserContext;
  /** A page with a service worker. */
  page!: Page;
  site!: Site;
  /** Errors of pages and service workers since a page was loaded. */
  complaints: string[] = [];

  /**
   * Registers hooks that build, open and close the application: with a new profile and service worker for each test, or with one for
   * all tests of the file.
   */
  static forTests({ isKept = false } = {}): Application {
    const application = new Application();
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'unspool-service-worker-'));
      await buildApplication(folder);
      application.browser = await chromium.launch(chromiumLaunch());
    });

    afterAll(async () => {
      await application.browser.close();
      await rm(folder, { recursive: true, force: true });
    });

    const [before, after] = isKept ? [beforeAll, afterAll] : [beforeEach, afterEach];
    before(() => application.#open(folder));
    after(async () => {
      await application.context.close();
      await application.site.stop();
    });

    return application;
  }

  /** Loads a page again, so that it shares its pool or does not. */
  async load({ isSharing, page = this.page }: { isSharing: boolean; page?: Page }): Promise<void> {
    this.complaints = [];
    await page.goto(this.site.url + (isSharing ? '?share' : ''));
    await page.evaluate(() => controlled);
    if (isSharing) await page.evaluate(() => app.registration);
  }

  fetchJson(path: string, target = this.page): Promise<PlainAnswer> {
    return target.evaluate(async (url) => {
      const response = await fetch(url);
      return { status: response.status, type: response.headers.get('content-type'), value: (await response.json()) as unknown };
    }, path);
  }

  fetchDecoded(path: string, target = this.page): Promise<DecodedAnswer> {
    return target.evaluate(async (url) => {
      const response = await decoder.fetch(url);
      const copy = response.clone();
      const { trips } = await copy.rows<{ trips: object[] }>();
      return {
        type: response.headers.get('content-type')!.split(';', 1)[0]!,
        value: (await response.json()) as unknown,
        rows: `${'column' in trips ? 'rows' : 'list'} ${trips.length}`,
      };
    }, path);
  }

  /** Waits until a cache has a number of entries. */
  async cached(name: string, entries: number): Promise<void> {
    await expect.poll(async () => (await this.keys(name)).length).toBe(entries);
  }

  /** Paths of the entries of a cache. */
  keys(name: string): Promise<string[]> {
    return this.page.evaluate(async (cache) => {
      const requests = await (await caches.open(cache)).keys();
      return requests.map(({ url }) => new URL(url).pathname);
    }, name);
  }

  async #open(folder: string): Promise<void> {
    this.site = new Site(folder);
    await this.site.start();
    this.context = await this.browser.newContext();
    this.context.setDefaultTimeout(PATIENCE_MS);
    this.context.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    this.context.on('weberror', (error) => this.complaints.push(error.error().message));
    this.page = await this.context.newPage();
    await this.load({ isSharing: false });
  }
}
