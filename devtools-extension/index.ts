/** Entry point for pages that embed the panel. */
export type { Exchange, LibraryState } from './adapter/adapter.ts';
export { createPageAdapter, type PageAdapter, type PageSource } from './adapter/page.ts';
export { embedPanel, type EmbeddedPanel } from './panel/embed.ts';
