import { signal, type ReadonlySignal } from '@preact/signals';
import { registerServiceWorker } from 'unspool/register';

/** A new version of the application, as the page learns of it. */
export interface AppUpdate {
  /** One waits to take over. */
  readonly isWaiting: ReadonlySignal<boolean>;
  /** Lets it take over; the page then loads again. */
  accept(): void;
  /** Leaves it until the page is closed. */
  dismiss(): void;
}

/** Registers the service worker, which makes the demo work without a network, and watches for new versions. */
export function createAppUpdate(): AppUpdate {
  const isWaiting = signal(false);
  // Where there are none, as in a page that is not served safely, the demo works all the same.
  const app = 'serviceWorker' in navigator ? registerServiceWorker('./service-worker.js') : undefined;
  let isAccepted = false;
  app?.addEventListener('waiting', () => {
    isWaiting.value = true;
  });
  app?.addEventListener('controlling', () => {
    if (isAccepted) location.reload();
  });
  return {
    isWaiting,
    accept: () => {
      isAccepted = true;
      app?.skipWaiting();
    },
    dismiss: () => {
      isWaiting.value = false;
    },
  };
}
