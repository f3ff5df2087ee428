import { effect, signal, type Signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

export const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const KEY = 'unspool-theme';

/** The theme chosen, kept from visit to visit, and applied to the document as `data-theme`. */
export function createTheme(): Signal<Theme> {
  const kept = read();
  const theme = signal<Theme>(THEMES.find(({ value }) => value === kept)?.value ?? 'system');
  effect(() => {
    document.documentElement.dataset.theme = theme.value;
    write(theme.value);
  });
  return theme;
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** Storage may be forbidden or full; the choice then lasts as long as the page. */
function write(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}
