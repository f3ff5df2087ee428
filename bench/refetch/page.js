// The page of refetches: loads the versions of a document and measures a contender, as the runner asks.
import { measureRefetches } from './measure.js';

Object.assign(globalThis, {
  /** @param {{ urls: string[], kind: import('./contenders.js').Kind, contender: 'library' | 'shared' | 'decode' | 'previous' | 'rows', key: string }} given */
  async refetches({ urls, ...given }) {
    const { createDecoder } = await import(/* @vite-ignore */ new URL('/dist/index.js', location.href).href);
    const versions = await Promise.all(urls.map(async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())));
    return await measureRefetches({ createDecoder, versions, ...given });
  },
});
