import { build } from 'esbuild';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { contenderEntries } from '../contender-files.mjs';
import { ENCODING_FIELD } from './contenders/field.js';

const BENCH = fileURLToPath(new URL('..', import.meta.url));
/** Below the packages, which Node finds from there. */
const FOR_NODE = fileURLToPath(new URL('../../node_modules/.cache/bench-encode', import.meta.url));

/** What the encoding part adds to the pages. */
export const ENCODE_ENTRIES = [{ in: 'encode/harness.js', out: 'encode/harness' }, ...contenderEntries('encode/contenders', ENCODING_FIELD)];

/** How files of other kinds are bundled. */
export const LOADERS = /** @type {const} */ ({ '.proto': 'text', '.bfbs': 'binary', '.avsc': 'json', '.bop': 'text', '.request': 'binary' });

/**
 * Bundles the harness and the contenders for Node, with the packages as Node finds them.
 *
 * @returns {Promise<string>} the URL of their folder
 */
export async function bundleForNode() {
  await build({
    entryPoints: ENCODE_ENTRIES,
    absWorkingDir: BENCH,
    outbase: BENCH,
    outdir: FOR_NODE,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    loader: LOADERS,
  });
  await writeFile(`${FOR_NODE}/package.json`, '{ "type": "module" }\n');
  return pathToFileURL(`${FOR_NODE}/encode`).href;
}
