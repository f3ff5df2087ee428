import { effect, signal, type Signal } from '@preact/signals';

const PREFIX = 'unspool-panel-';

/** Signal stored in `localStorage` and shared by all windows of the panel. */
export function storedSignal<T>(name: string, initial: T): Signal<T> {
  const stored = signal(read(name, initial));
  effect(() => write(name, stored.value));
  // Follows changes made in other windows, so that neither overwrites the other.
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key === PREFIX + name || key === null) stored.value = read(name, initial);
  });
  return stored;
}

function read<T>(name: string, initial: T): T {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? initial : (JSON.parse(text) as T);
  } catch {
    return initial;
  }
}

/** Storage may be full or disabled; the value then lasts as long as the panel. */
function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    return;
  }
}
