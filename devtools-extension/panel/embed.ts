import type { Adapter } from '../adapter/adapter.ts';
import { mountPanel } from './mount.tsx';
import styles from './styles/index.css?inline';

/** Panel embedded in a page. */
export interface EmbeddedPanel {
  setTheme(theme: 'light' | 'dark' | 'system'): void;
  close(): void;
}

/** Embeds the panel in an element and fills it. A shadow tree keeps the style sheets of page and panel apart. */
export function embedPanel(element: Element, adapter: Adapter): EmbeddedPanel {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const place = document.createElement('div');
  place.id = 'panel';
  root.append(place);
  element.append(host);
  const mounted = mountPanel(place, adapter);
  return {
    setTheme(theme) {
      if (theme === 'system') delete host.dataset['theme'];
      else host.dataset['theme'] = theme;
    },
    close() {
      mounted.close();
      host.remove();
    },
  };
}
