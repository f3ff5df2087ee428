/**
 * Files for tests: the fixtures, and the corpora, which lie outside the repository and may be absent. In Node they are read
 * from the disk, in browsers from the test server.
 */
import { describe, test } from 'vitest';

/** An existing folder. Paths are relative to it, with forward slashes. */
export interface Folder {
  /** All files, at any depth, sorted. */
  readonly files: readonly string[];
  /** A file's bytes. */
  bytes(path: string): Promise<Uint8Array<ArrayBuffer>>;
  /** A file's text, from UTF-8. */
  text(path: string): Promise<string>;
}

/** Roots of {@link openFolder}. */
export type Root = 'corpora' | 'fixtures';

/** Address of the roots on the test server. */
export const SERVED = '/__folders/';

/** Opens a folder of a root, such as `('corpora', 'json-test-suite')`; undefined if it is absent. */
export async function openFolder(root: Root, name: string): Promise<Folder | undefined> {
  const source = 'document' in globalThis ? servedFolder(root, name) : await localFolder(root, name);
  const files = await source.list();
  if (files === undefined) return undefined;
  return {
    files,
    bytes: (path) => source.read(path),
    text: async (path) => new TextDecoder().decode(await source.read(path)),
  };
}

/**
 * A `describe` for the tests of a corpus, or a skipped test if the corpus is absent.
 *
 * @example
 * await describeCorpus('json-test-suite', (corpus) => {
 *   test.each(corpus.files)('%s', async (file) => { … await corpus.bytes(file) … });
 * });
 */
export async function describeCorpus(name: string, define: (corpus: Folder) => void): Promise<void> {
  const corpus = await openFolder('corpora', name);
  if (corpus) describe(name, () => define(corpus));
  else test.skip(`${name}: skipped, corpus missing`, () => {});
}

interface Source {
  list(): Promise<string[] | undefined>;
  read(path: string): Promise<Uint8Array<ArrayBuffer>>;
}

function servedFolder(root: Root, name: string): Source {
  const base = `${SERVED}${root}/${name}/`;
  return {
    async list() {
      const response = await fetch(`${base}?list`);
      return response.ok ? ((await response.json()) as string[]) : undefined;
    },
    async read(path) {
      const response = await fetch(base + path.split('/').map(encodeURIComponent).join('/'));
      if (!response.ok) throw new Error(`${base}${path}: ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    },
  };
}

async function localFolder(root: Root, name: string): Promise<Source> {
  // An expression, so that Vite does not resolve it when it serves this file to a browser.
  const files = ['.', 'local-files.ts'].join('/');
  const { list, read } = (await import(/* @vite-ignore */ files)) as typeof import('./local-files.ts');
  return {
    list: () => list(root, name),
    read: (path) => read(root, `${name}/${path}`),
  };
}
