import type { Workbox, WorkboxLifecycleEvent } from 'workbox-window';
import type { Decoder } from '../decoder/decoder.ts';
import { trustScript } from '../pool/trusted-worker.ts';

/** Detail of a lifecycle event. */
export interface LifecycleDetail {
  /** True if a service worker controlled the page before this one. */
  isUpdate: boolean;
  /** True if the service worker was registered elsewhere: by another page of the application, or as a newer version. */
  isExternal: boolean;
}

/** Events of a service worker, in chronological order. */
export interface AppServiceWorkerEvents {
  /** The service worker was installed. */
  installed: CustomEvent<LifecycleDetail>;
  /** The new version waits until no page uses the previous one: ask the user, then call `skipWaiting`. */
  waiting: CustomEvent<LifecycleDetail>;
  /** The service worker now controls this page. */
  controlling: CustomEvent<LifecycleDetail>;
  /** The service worker could not be registered or installed. */
  failed: CustomEvent<{ error: unknown }>;
}

/** Options of `registerServiceWorker`. */
export interface AppServiceWorkerOptions {
  /** Lets the service worker decode large bodies in this decoder's pool. */
  decoder?: Decoder | undefined;
  /** Path prefix of the controlled pages. Default: the script's folder. */
  scope?: string | undefined;
  /** Default `classic`. */
  type?: WorkerType | undefined;
  /** Default: the browser's, `imports`. */
  updateViaCache?: ServiceWorkerUpdateViaCache | undefined;
  /** Registers immediately instead of after the page has loaded. Default false. */
  immediate?: boolean | undefined;
}

/** The application's service worker, as seen by a page. */
export class AppServiceWorker extends EventTarget {
  /** Resolves to the registration once it exists and the pool is shared. Rejects with the error of `failed`. */
  readonly registration: Promise<ServiceWorkerRegistration>;
  #workbox: Workbox | undefined;
  #waiting = false;
  #failed = false;
  /** The page's first service worker; undefined if the page was controlled before registering. */
  #first: ServiceWorker | undefined;
  readonly #wasControlled = Boolean(globalThis.navigator?.serviceWorker?.controller);

  /** @internal Use `registerServiceWorker`. */
  constructor(url: string | URL, { decoder, immediate = false, ...options }: AppServiceWorkerOptions) {
    super();
    this.registration = this.#register(url, options, immediate, decoder);
    this.registration.catch((error: unknown) => this.#fail(error));
  }

  /** True if a new version is waiting. */
  get waiting(): boolean {
    return this.#waiting;
  }

  /** Activates the waiting version after the user's consent. `controlling` reports when it has taken control. */
  skipWaiting(): void {
    this.#workbox?.messageSkipWaiting();
  }

  /** Checks for a new version now. */
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
    const defined = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    const { Workbox } = await import('workbox-window');
    const workbox = new Workbox(trustScript(String(url)) as string, defined);
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
      // A redundant service worker was replaced, unless it was never installed.
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
    const isUpdate = this.#wasControlled || sw !== this.#first;
    this.dispatchEvent(new CustomEvent(type, { detail: { isUpdate, isExternal } }));
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.dispatchEvent(new CustomEvent('failed', { detail: { error } }));
  }
}

/** Service workers that were installed, which may become redundant without having failed. */
const wasInstalled = new WeakSet<ServiceWorker>();

async function share(decoder: Decoder): Promise<void> {
  try {
    (await import('./shared-pool/page.ts')).answerPoolRequests(decoder);
  } catch {
    // Without the pool, the service worker decodes on its own thread.
  }
}
