import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Bundles and imports a TypeScript module.
 *
 * @template Module
 * @param {URL} source
 * @param {(module: Module) => unknown} [use] awaited before the bundle is deleted
 */
export async function runBundled(source, use) {
  await bundled(source, async (path) => {
    const module = await import(pathToFileURL(path).href);
    await use?.(module);
  });
}

/**
 * Bundles a TypeScript module.
 *
 * @param {URL} source
 * @param {(path: string) => unknown} use awaited before the bundle is deleted
 */
export async function bundled(source, use) {
  const path = fileURLToPath(source);
  // Inside node_modules, so that external packages resolve.
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
 * Keeps the payload server's encoders external, which read files next to them and use the built library.
 *
 * @type {import('esbuild').Plugin}
 */
const payloadServer = {
  name: 'payload-server',
  setup(build) {
    build.onResolve({ filter: /\/demo\/server\/encode\.mjs$/ }, ({ path, resolveDir }) => ({ path: join(resolveDir, path), external: true }));
  },
};
