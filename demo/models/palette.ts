import { effect, signal, type ReadonlySignal } from '@preact/signals';
import type { FrameLevel } from './frames.ts';
import type { Theme } from './theme.ts';

/** The colours that the graphs draw with: those of the style sheet. */
export interface Palette extends Record<FrameLevel, string> {
  line: string;
  text: string;
  accent: string;
}

function readPalette(): Palette {
  const styles = getComputedStyle(document.documentElement);
  const color = (name: string): string => styles.getPropertyValue(name).trim();
  return {
    smooth: color('--smooth'),
    late: color('--late'),
    blocked: color('--blocked'),
    line: color('--line'),
    text: color('--text-muted'),
    accent: color('--accent'),
  };
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
