/** Files of an application. */
export interface AppFiles {
  /** Version of all files together; changes with any file. */
  version: string;
  /** Relative to the service worker's script. */
  urls: readonly string[];
}

/** The part of an ExtendableEvent that is used. */
interface WaitingEvent extends Event {
  waitUntil(promise: Promise<unknown>): void;
}

const PREFIX = 'demo';

/**
 * Caches the files of an application for offline use. Each version has its own cache, deleted when another version takes
 * over, so that a page always loads files of one version.
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

  /** True if the address is that of a file. */
  has({ href }: URL): boolean {
    return this.#addresses.has(href);
  }

  /** Returns a file from the cache, or from the network if the browser has evicted it. */
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
