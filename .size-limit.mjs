import { existsSync, readdirSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { loadedWith } from './scripts/modules.mjs';

/**
 * A part of the library: its file, and what is loaded with it.
 *
 * @param {string} name
 * @param {string} file
 * @param {{ limit?: string, without?: Iterable<string> }} [options] `without` is what the page or worker already has
 */
function part(name, file, { limit, without = [] } = {}) {
  const had = new Set(without);
  const path = [...loadedWith(file)].filter((loaded) => !had.has(loaded)).map((loaded) => relative('.', loaded));
  return { name, path, gzip: true, ...(limit !== undefined && { limit }) };
}

const worker = loadedWith('dist/worker.js');
const formats = existsSync('dist/formats') ? readdirSync('dist/formats').filter((name) => name.endsWith('.js')) : [];

export default [
  part('entry, without formats', 'dist/index.js', { limit: '8 kB' }),
  part('worker, without formats', 'dist/worker.js'),
  part('entry with the worker and every format inlined', 'dist/inline.js'),
  part('service worker, without formats', 'dist/service-worker.js', { limit: '28.5 kB' }),
  part('registration of a service worker', 'dist/register.js', { limit: '4 kB', without: loadedWith('dist/index.js') }),
  part('validation', 'dist/validate.js', { without: loadedWith('dist/index.js') }),
  part('decoding on the calling thread, without formats', 'dist/sync.js'),
  ...formats.map((file) => part(`format ${basename(file, '.js')}`, `dist/formats/${file}`, { without: worker })),
];
