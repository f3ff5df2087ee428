import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { FrameLevel } from './frames.ts';
import type { Theme } from '../site/theme.ts';

/** The colours that the graphs draw with: those of the style sheet. */
export interface Palette extends Record<FrameLevel, string> {
  line: string;
  text: string;
  accent: string;
}

function readPalette(): Palette {
  // A variable is what the style sheet says, for light and dark; only a property that uses it has one colour.
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

/** Follows the theme chosen and the system's. */
export function createPalette(theme: ReadonlySignal<Theme>): ReadonlySignal<Palette> {
  const palette = signal(readPalette());
  const update = (): void => {
    palette.value = readPalette();
  };
  effect(() => {
    // Read so that a change runs this again; the document has the theme by then.
    void theme.value;
    update();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', update);
  // The style sheet may come after the script.
  addEventListener('load', update, { once: true });
  return palette;
}
