/** What an application is built of. */
export interface AppFiles {
  /** Of all files together: another one where any of them is. */
  version: string;
  /** From the service worker's script. */
  urls: readonly string[];
}

/** What of a service worker's events is used. */
interface WaitingEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}

const PREFIX = 'demo';

/**
 * Keeps an application's files, so that it is there without a network. Each version has a cache of its own, which goes
 * when another version takes over: what a page loads later fits what it began with.
 */
export class Precache {
  readonly #files: AppFiles;
  readonly #name: string;
  readonly #addresses: ReadonlySet<string>;

  constructor(files: AppFiles) {
    this.#files = files;
    this.#name = `${PREFIX}-${files.version}`;
    this.#addresses = new Set(files.urls.map((url) => new URL(url, location.href).href));
    addEventListener('install', (event) => (event as WaitingEvent).waitUntil(this.#fill()));
    addEventListener('activate', (event) => (event as WaitingEvent).waitUntil(this.#clean()));
  }

  /** Whether a request is for one of the files. */
  has({ href }: URL): boolean {
    return this.#addresses.has(href);
  }

  /** A file: from the cache, or from the network where the browser has dropped it. */
  async get(url: string): Promise<Response> {
    const cache = await caches.open(this.#name);
    return (await cache.match(new URL(url, location.href).href)) ?? fetch(url);
  }

  async #fill(): Promise<void> {
    const cache = await caches.open(this.#name);
    await cache.addAll(this.#files.urls.map((url) => new Request(url, { cache: 'reload' })));
  }

  async #clean(): Promise<void> {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== this.#name).map((name) => caches.delete(name)));
  }
}
