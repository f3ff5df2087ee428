import { signal, type ReadonlySignal } from '@preact/signals';

export type PageId = 'race' | 'streaming' | 'service-worker' | 'panel';

/** A page of the demo: all of them are one document. */
export interface PageEntry {
  id: PageId;
  /** Its address, from any page's. */
  path: string;
  /** In the navigation. */
  label: string;
  /** Its heading, which is the document's title too. */
  title: string;
}

export const PAGES: readonly PageEntry[] = [
  { id: 'race', path: './', label: 'Race', title: 'The race' },
  { id: 'streaming', path: './streaming', label: 'Streaming', title: 'Rows while the bytes arrive' },
  { id: 'service-worker', path: './service-worker', label: 'Service worker', title: 'Decoded before the page asks' },
  { id: 'panel', path: './panel', label: 'Panel', title: 'Every byte explained' },
];

/** Which page is shown. */
export interface Pages {
  readonly current: ReadonlySignal<PageEntry>;
  /** Shows another page, as a link to it would. */
  go(id: PageId): void;
  /** Whether another page was shown before. */
  hasMoved(): boolean;
}

/** Follows the document's address, and changes it. */
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

/** The page of an address: the race, where it is none of the others'. */
export function pageAt(pathname: string): PageEntry {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  return PAGES.find(({ id }) => id === last) ?? PAGES[0]!;
}
