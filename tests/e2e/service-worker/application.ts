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

/** The application in Chromium: built once per file of tests, opened with a new service worker for each test. */
export class Application {
  browser!: Browser;
  context!: BrowserContext;
  /** A page with a service worker. */
  page!: Page;
  site!: Site;
  /** Errors of pages and service workers. */
  complaints: string[] = [];

  /** Registers hooks that build, open and close the application. */
  static forTests(): Application {
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

    beforeEach(() => application.#open(folder));

    afterEach(async () => {
      await application.context.close();
      await application.site.stop();
    });

    return application;
  }

  async openPage(query = ''): Promise<Page> {
    const opened = await this.context.newPage();
    await opened.goto(this.site.url + query);
    await opened.evaluate(() => controlled);
    return opened;
  }

  /** Opens a page that shares its pool. */
  async openSharing(): Promise<Page> {
    const sharing = await this.openPage('?share');
    await sharing.evaluate(() => app.registration);
    return sharing;
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
    this.complaints = [];
    this.context.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    this.context.on('weberror', (error) => this.complaints.push(error.error().message));
    this.page = await this.openPage();
  }
}
