import { effect, signal, type Signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

export const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'system', label: 'Auto' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

const KEY = 'unspool-theme';

/** The selected theme, stored across visits and applied to the document as `data-theme`. */
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

/** Stores the theme. If storage is blocked or full, the choice lasts as long as the page. */
function write(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    return;
  }
}
