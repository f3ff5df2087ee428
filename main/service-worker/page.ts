import { type AppServiceWorkerOptions, AppServiceWorker } from './registration.ts';

/**
 * Registers a service worker once the page has loaded, and reports its lifecycle.
 *
 * @example
 * const app = registerServiceWorker('/service-worker.js', { decoder });
 * app.addEventListener('waiting', () => showPrompt({ onAccept: () => app.skipWaiting() }));
 * app.addEventListener('controlling', ({ detail }) => detail.isUpdate && location.reload());
 */
export function registerServiceWorker(url: string | URL, options: AppServiceWorkerOptions = {}): AppServiceWorker {
  return new AppServiceWorker(url, options);
}

export type { AppServiceWorker, AppServiceWorkerEvents, AppServiceWorkerOptions, LifecycleDetail } from './registration.ts';
