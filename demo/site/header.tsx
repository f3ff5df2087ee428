import type { ReadonlySignal, Signal } from '@preact/signals';
import { PAGES, type Pages } from './pages.ts';
import { THEMES, type Theme } from './theme.ts';
import { Segments } from '../ui/segments.tsx';

interface HeaderProps {
  pages: Pages;
  theme: Signal<Theme>;
  isOnline: ReadonlySignal<boolean>;
}

/** The top of every page. */
export function Header({ pages, theme, isOnline }: HeaderProps) {
  return (
    <header class="header">
      <div class="header-bar">
        <Wordmark />
        <Navigation pages={pages} />
        <div class="header-end">
          <span class="offline" role="status">
            {!isOnline.value && 'Offline'}
          </span>
          <Segments label="Theme" value={theme} choices={THEMES} compact />
        </div>
      </div>
    </header>
  );
}

/** The name, which leads to the front page of the site that has the demo. */
function Wordmark() {
  const { front } = document.documentElement.dataset;
  const name = (
    <>
      <img src="./icon.svg" alt="" width="24" height="24" />
      Unspool
    </>
  );
  if (front === undefined) return <span class="wordmark">{name}</span>;
  return (
    <a class="wordmark" href={front} title="Front page of Unspool">
      {name}
    </a>
  );
}

function Navigation({ pages }: { pages: Pages }) {
  return (
    <nav class="navigation" aria-label="Pages">
      {PAGES.map(({ id, path, label }) => (
        <a
          key={id}
          href={path}
          {...(pages.current.value.id === id && { 'aria-current': 'page' as const })}
          onClick={(event) => {
            // The browser handles clicks that open a tab or window.
            if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            pages.go(id);
          }}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}
