/** The panel, for pages that show it in themselves. */
export type { Exchange, LibraryState } from './adapter/adapter.ts';
export { createPageAdapter, type PageAdapter, type PageSource } from './adapter/page.ts';
export { embedPanel, type EmbeddedPanel } from './panel/embed.ts';
