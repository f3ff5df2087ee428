import { signal, type ReadonlySignal } from '@preact/signals';

/** Tracks whether the browser has a network; the server may still be unreachable. */
export function createNetwork(): ReadonlySignal<boolean> {
  const isOnline = signal(navigator.onLine);
  const update = (): void => {
    isOnline.value = navigator.onLine;
  };
  addEventListener('online', update);
  addEventListener('offline', update);
  return isOnline;
}
