import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { FrameLevel } from './frames.ts';
import type { Theme } from '../site/theme.ts';

/** Colors of the graphs, from the style sheet. */
export interface Palette extends Record<FrameLevel, string> {
  line: string;
  text: string;
  accent: string;
}

function readPalette(): Palette {
  // A variable contains both the light and the dark color; a property that uses it computes to one.
  const probe = document.documentElement.appendChild(document.createElement('i'));
  const color = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const palette = {
    smooth: color('--smooth'),
    late: color('--late'),
    blocked: color('--blocked'),
    line: color('--line'),
    text: color('--text-muted'),
    accent: color('--accent'),
  };
  probe.remove();
  return palette;
}

/** Follows the selected theme and that of the system. */
export function createPalette(theme: ReadonlySignal<Theme>): ReadonlySignal<Palette> {
  const palette = signal(readPalette());
  const update = (): void => {
    palette.value = readPalette();
  };
  effect(() => {
    // Subscribes to the theme, which is applied to the document first.
    void theme.value;
    update();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update);
  // The style sheet may load after the script.
  addEventListener('load', update, { once: true });
  return palette;
}
