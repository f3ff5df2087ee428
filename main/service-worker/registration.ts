import type { Workbox, WorkboxLifecycleEvent } from 'workbox-window';
import type { Decoder } from '../decoder/decoder.ts';
import { trustScript } from '../pool/trusted-worker.ts';

/** What an event says of a service worker. */
export interface LifecycleDetail {
  /** The page had a service worker before this one. */
  isUpdate: boolean;
  /** Somebody else registered it: another page of the application, or a newer version. */
  isExternal: boolean;
}

/** The events of a service worker, in the order in which they come. */
export interface AppServiceWorkerEvents {
  /** It has been installed. */
  installed: CustomEvent<LifecycleDetail>;
  /** It waits until no page uses the one before: ask the user, then call `skipWaiting`. */
  waiting: CustomEvent<LifecycleDetail>;
  /** It answers the requests of this page from now on. */
  controlling: CustomEvent<LifecycleDetail>;
  /** It could not be registered or installed. */
  failed: CustomEvent<{ error: unknown }>;
}

/** How a service worker is registered. */
export interface AppServiceWorkerOptions {
  /** Lets the service worker decode large bodies in this decoder's pool. */
  decoder?: Decoder | undefined;
  /** The pages that it is for. Default: those in its script's folder and below. */
  scope?: string | undefined;
  /** Default `classic`. */
  type?: WorkerType | undefined;
  /** Default: the browser's, `imports`. */
  updateViaCache?: ServiceWorkerUpdateViaCache | undefined;
  /** Registers at once and not when the page has loaded. Default false. */
  immediate?: boolean | undefined;
}

/** The application's service worker, as a page sees it. */
export class AppServiceWorker extends EventTarget {
  /** Its registration, once there is one, and once the pool is shared. Rejects with what `failed` says. */
  readonly registration: Promise<ServiceWorkerRegistration>;
  #workbox: Workbox | undefined;
  #waiting = false;
  #failed = false;
  /** The page's first service worker; undefined where it had one before it asked for this one. */
  #first: ServiceWorker | undefined;
  readonly #had = Boolean(globalThis.navigator?.serviceWorker?.controller);

  /** @internal Use `registerServiceWorker`. */
  constructor(url: string | URL, { decoder, immediate = false, ...options }: AppServiceWorkerOptions) {
    super();
    this.registration = this.#register(url, options, immediate, decoder);
    this.registration.catch((error: unknown) => this.#fail(error));
  }

  /** A new version waits. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Lets the version that waits take over, as the user has agreed to. `controlling` tells when it has. */
  skipWaiting(): void {
    this.#workbox?.messageSkipWaiting();
  }

  /** Looks for a new version now. */
  async update(): Promise<void> {
    await (await this.registration).update();
  }

  override addEventListener<Type extends keyof AppServiceWorkerEvents>(
    type: Type,
    listener: (event: AppServiceWorkerEvents[Type]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(type: string, listener: EventListenerOrEventListenerObject | null, options?: boolean | AddEventListenerOptions): void;
  override addEventListener(type: string, listener: unknown, options?: boolean | AddEventListenerOptions): void {
    super.addEventListener(type, listener as EventListener, options);
  }

  async #register(url: string | URL, options: object, immediate: boolean, decoder: Decoder | undefined): Promise<ServiceWorkerRegistration> {
    const sharing = decoder && share(decoder);
    const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const { Workbox } = await import('workbox-window');
    const workbox = new Workbox(trustScript(String(url)) as string, given);
    this.#workbox = workbox;
    workbox.addEventListener('installed', (event) => this.#say('installed', event));
    workbox.addEventListener('waiting', (event) => {
      this.#waiting = true;
      this.#say('waiting', event);
    });
    workbox.addEventListener('controlling', (event) => {
      this.#waiting = false;
      this.#say('controlling', event);
    });
    workbox.addEventListener('redundant', (event) => {
      // It was replaced, unless it never got to be installed.
      if (event.sw && !wasInstalled.has(event.sw)) {
        this.#fail(new Error('the service worker could not be installed'));
      }
    });
    workbox.addEventListener('installed', ({ sw }) => sw && wasInstalled.add(sw));
    const registration = (await workbox.register({ immediate }))!;
    for (const sw of [registration.active, registration.waiting]) if (sw) wasInstalled.add(sw);
    await sharing;
    return registration;
  }

  #say(type: 'installed' | 'waiting' | 'controlling', { sw: own, isExternal = false }: WorkboxLifecycleEvent): void {
    const sw = type === 'controlling' ? (navigator.serviceWorker.controller ?? undefined) : own;
    this.#first ??= sw;
    const isUpdate = this.#had || sw !== this.#first;
    this.dispatchEvent(new CustomEvent(type, { detail: { isUpdate, isExternal } }));
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.dispatchEvent(new CustomEvent('failed', { detail: { error } }));
  }
}

/** Service workers that were installed: that they go is no failure. */
const wasInstalled = new WeakSet<ServiceWorker>();

async function share(decoder: Decoder): Promise<void> {
  try {
    (await import('./shared-pool/page.ts')).answerPoolRequests(decoder);
  } catch {
    // Without the pool, the service worker decodes by itself.
  }
}
