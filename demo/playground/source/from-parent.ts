import type { Playground } from '../playground.ts';

/** Input that the page around the playground's frame passes on. */
export type ParentInput = { files: readonly File[] } | { text: string };

/** Opens the files and texts that a page of the same origin, which has the playground in a frame, posts to it. */
export function takeFromParent(playground: Playground): void {
  if (window.parent === window) return;
  addEventListener('message', ({ source, origin, data }: MessageEvent<ParentInput>) => {
    if (source !== window.parent || origin !== location.origin) return;
    void ('files' in data ? playground.openFiles(data.files) : playground.openText(data.text));
  });
}
