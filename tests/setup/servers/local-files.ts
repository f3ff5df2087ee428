import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Plugin } from 'vite';
import { type Root, SERVED } from './folders.ts';

const repository = resolve(import.meta.dirname, '../../..');

/** Paths of the roots; `UNSPOOL_CORPORA` overrides that of the corpora. */
const ROOTS: Record<Root, string> = {
  corpora: process.env['UNSPOOL_CORPORA'] ?? join(repository, '../shared/corpora'),
  fixtures: join(repository, 'tests/fixtures'),
};

/** Lists the files of a folder at any depth; undefined if the folder is absent. */
export async function list(root: Root, name: string): Promise<string[] | undefined> {
  const folder = inside(root, name);
  if (!existsSync(folder)) return undefined;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

/** Reads a file. */
export async function read(root: Root, path: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(inside(root, path)));
}

/** Resolves a path, which must stay inside the root. */
function inside(root: Root, path: string): string {
  const base = ROOTS[root];
  const full = resolve(base, path);
  const way = relative(base, full);
  if (way.startsWith('..') || isAbsolute(way)) throw new Error(`${path} is not inside the ${root}`);
  return full;
}

/** Serves the roots to tests in browsers. */
export function serveFolders(): Plugin {
  return {
    name: 'serve-folders',
    configureServer(server) {
      server.middlewares.use(SERVED, (request, response) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        const [root, ...rest] = decodeURIComponent(url.pathname.slice(1)).split('/');
        const path = rest.join('/');
        void answer(root ?? '', path, url.searchParams.has('list')).then(
          (body) => {
            if (body === undefined) response.statusCode = 404;
            response.end(body);
          },
          (error: unknown) => {
            response.statusCode = 404;
            response.end(String(error));
          },
        );
      });
    },
  };
}

async function answer(root: string, path: string, wantsList: boolean): Promise<string | Uint8Array | undefined> {
  if (!Object.hasOwn(ROOTS, root)) return undefined;
  const known = root as Root;
  if (!wantsList) return await read(known, path);
  const files = await list(known, path);
  return files && JSON.stringify(files);
}
