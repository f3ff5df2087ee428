import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Bundles a script that is written in TypeScript, imports it, and waits for what is done with it.
 *
 * @template Module
 * @param {URL} source
 * @param {(module: Module) => unknown} [use] while its files are there
 */
export async function runBundled(source, use) {
  await bundled(source, async (path) => {
    const module = await import(pathToFileURL(path).href);
    await use?.(module);
  });
}

/**
 * Bundles a script that is written in TypeScript, and waits for what is done with the file.
 *
 * @param {URL} source
 * @param {(path: string) => unknown} use while it is there
 */
export async function bundled(source, use) {
  const path = fileURLToPath(source);
  // Inside node_modules, so that the packages that stay outside the bundle are found.
  const folder = await mkdtemp(join(ROOT, `node_modules/.${basename(dirname(path))}-`));
  try {
    await build({
      entryPoints: [path],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      splitting: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'es2023',
      logLevel: 'error',
      plugins: [payloadServer],
    });
    await use(join(folder, basename(path).replace(/\.ts$/, '.mjs')));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * The payload server's encoders read the files beside them, and use the library as it was built: they stay where they are.
 *
 * @type {import('esbuild').Plugin}
 */
const payloadServer = {
  name: 'payload-server',
  setup(build) {
    build.onResolve({ filter: /\/demo\/server\/encode\.mjs$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path), external: true }));
  },
};
