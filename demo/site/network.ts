import { signal, type ReadonlySignal } from '@preact/signals';

/** Whether the browser has a network; that the server answers, it does not say. */
export function createNetwork(): ReadonlySignal<boolean> {
  const isOnline = signal(navigator.onLine);
  const update = (): void => {
    isOnline.value = navigator.onLine;
  };
  addEventListener('online', update);
  addEventListener('offline', update);
  return isOnline;
}
