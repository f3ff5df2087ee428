import { signal, type ReadonlySignal } from '@preact/signals';
import type { Decoder } from 'unspool';
import { registerServiceWorker } from 'unspool/register';

/** The application's service worker, as the page learns of it. */
export interface AppUpdate {
  /** Whether it answers this page's requests. */
  readonly state: ReadonlySignal<'none' | 'installing' | 'active' | 'failed'>;
  /** A new version waits to take over. */
  readonly isWaiting: ReadonlySignal<boolean>;
  /** Lets it take over; the page then loads again. */
  accept(): void;
  /** Leaves it until the page is closed. */
  dismiss(): void;
  /** Looks for a new version. Resolves to whether there is one. */
  check(): Promise<boolean>;
}

/**
 * Registers the service worker, which makes the demo work without a network, and watches for new versions. `decoder`'s
 * pool decodes for it what is large.
 */
export function createAppUpdate(decoder: Decoder): AppUpdate {
  const isWaiting = signal(false);
  // Where there are none, as in a page that is not served safely, the demo works all the same.
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
    // Without a network there is nothing to look for new versions with: the old one goes on.
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
