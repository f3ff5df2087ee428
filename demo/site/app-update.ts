import { signal, type ReadonlySignal } from '@preact/signals';
import type { Decoder } from 'unspool';
import { registerServiceWorker } from 'unspool/register';

/** State of the application's service worker. */
export interface AppUpdate {
  /** `active`: handles this page's requests. */
  readonly state: ReadonlySignal<'none' | 'installing' | 'active' | 'failed'>;
  /** True while a new version waits to take over. */
  readonly isWaiting: ReadonlySignal<boolean>;
  /** Activates the new version and reloads the page. */
  accept(): void;
  /** Postpones the new version until the page is closed. */
  dismiss(): void;
  /** Checks for a new version. Resolves to true if there is one. */
  check(): Promise<boolean>;
}

/**
 * Registers the service worker, which makes the demo work offline, and watches for new versions. The pool of `decoder`
 * decodes large payloads for it.
 */
export function createAppUpdate(decoder: Decoder): AppUpdate {
  const isWaiting = signal(false);
  // The demo also works without service workers, such as over plain HTTP.
  const isThere = 'serviceWorker' in navigator;
  const isControlled = isThere && navigator.serviceWorker.controller !== null;
  const state = signal<'none' | 'installing' | 'active' | 'failed'>(isControlled ? 'active' : isThere ? 'installing' : 'none');
  const app = isThere ? registerServiceWorker('./service-worker.js', { decoder }) : undefined;
  let isAccepted = false;
  app?.addEventListener('waiting', () => {
    isWaiting.value = true;
  });
  app?.addEventListener('controlling', () => {
    state.value = 'active';
    if (isAccepted) location.reload();
  });
  app?.addEventListener('failed', () => {
    // Offline, the check for a new version fails, and the old version stays active.
    if (state.peek() !== 'active') state.value = 'failed';
  });
  return {
    state,
    isWaiting,
    accept: () => {
      isAccepted = true;
      app?.skipWaiting();
    },
    dismiss: () => {
      isWaiting.value = false;
    },
    async check() {
      await app?.update();
      const registration = await app?.registration;
      const found = (registration?.installing ?? registration?.waiting) != null;
      if (registration?.waiting) isWaiting.value = true;
      return found;
    },
  };
}
