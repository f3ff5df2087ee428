import type { Signal } from '@preact/signals';
import { THEMES, type Theme } from '../models/theme.ts';
import { Segments } from './segments.tsx';

/** The top of every page. */
export function Header({ theme }: { theme: Signal<Theme> }) {
  return (
    <header class="header">
      <span class="wordmark">
        <img src="./icon.svg" alt="" width="24" height="24" />
        Unspool
      </span>
      <Segments label="Theme" value={theme} choices={THEMES} compact />
    </header>
  );
}
