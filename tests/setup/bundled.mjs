import { mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles a script that is written in TypeScript, imports it, and waits for what is done with it.
 *
 * @template Module
 * @param {URL} source
 * @param {(module: Module) => unknown} [use] while its files are there
 */
export async function runBundled(source, use) {
  const path = fileURLToPath(source);
  // Inside node_modules, so that the packages that stay outside the bundle are found.
  const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
  const folder = await mkdtemp(join(modules, `.${basename(dirname(path))}-`));
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
    });
    const module = await import(pathToFileURL(join(folder, basename(path).replace(/\.ts$/, '.mjs'))).href);
    await use?.(module);
  } finally {
    await rm(folder, { recursive: true });
  }
}
