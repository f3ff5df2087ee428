import { signal, type ReadonlySignal } from '@preact/signals';

export type PageId = 'playground' | 'race' | 'streaming' | 'table' | 'refetching' | 'live' | 'service-worker' | 'panel';

/** A page of the demo. All pages share one document. */
export interface PageEntry {
  id: PageId;
  /** Address, relative to any page. */
  path: string;
  /** Label in the navigation. */
  label: string;
  /** Heading, and title of the document. */
  title: string;
  /** The guide to what the page shows: its file in docs/guides, and its title. */
  guide: readonly [file: string, title: string];
}

export const PAGES: readonly PageEntry[] = [
  { id: 'race', path: './', label: 'Race', title: 'The race', guide: ['getting-started', 'Getting started'] },
  { id: 'playground', path: './playground', label: 'Playground', title: 'Try it with your own payload', guide: ['migrating-from-json', 'Migrating from JSON'] },
  { id: 'streaming', path: './streaming', label: 'Streaming', title: 'Rows while the bytes arrive', guide: ['streaming', 'Streaming'] },
  { id: 'table', path: './table', label: 'Table', title: 'Sort and filter a million rows', guide: ['tables', 'Tables'] },
  { id: 'refetching', path: './refetching', label: 'Refetching', title: 'A refetch costs what has changed', guide: ['refetching', 'Refetch and keep what has not changed'] },
  { id: 'live', path: './live', label: 'Live', title: 'Values that never end', guide: ['messages', 'Messages from a socket'] },
  { id: 'service-worker', path: './service-worker', label: 'Service worker', title: 'Decoded before the page asks', guide: ['service-worker', 'Service worker'] },
  { id: 'panel', path: './panel', label: 'Panel', title: 'Every byte explained', guide: ['devtools-panel', 'The DevTools panel'] },
];

/** Navigation between pages. */
export interface Pages {
  readonly current: ReadonlySignal<PageEntry>;
  /** Navigates to a page. */
  go(id: PageId): void;
  /** True after a navigation. */
  hasMoved(): boolean;
}

/** Follows the address of the document, and changes it. */
export function createPages(): Pages {
  const current = signal(pageAt(location.pathname));
  const show = (page: PageEntry): void => {
    current.value = page;
    document.title = `${page.title} · Unspool`;
  };
  let hasMoved = false;
  show(current.value);
  addEventListener('popstate', () => {
    hasMoved = true;
    show(pageAt(location.pathname));
  });
  return {
    current,
    hasMoved: () => hasMoved,
    go(id) {
      const page = PAGES.find((entry) => entry.id === id)!;
      if (page === current.peek()) return;
      hasMoved = true;
      history.pushState(undefined, '', page.path);
      show(page);
      scrollTo(0, 0);
    },
  };
}

/** True for the address of a page. */
export function isPage(pathname: string): boolean {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1).replace(/\.html$/, '');
  return last === 'index' || PAGES.some(({ path }) => path === `./${last}`);
}

/** The page of an address; default: the race. */
export function pageAt(pathname: string): PageEntry {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  return PAGES.find(({ id }) => id === last.replace(/\.html$/, '')) ?? PAGES[0]!;
}
