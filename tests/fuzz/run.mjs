// `npm run fuzz [-- --format ID] [--count N] [--seed N]`: decodes mutated inputs of each format, a million by default, compiles
// a twentieth as many mutated schemas, and
// reports what is neither a value nor a typed error, or takes long or much memory.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
// Inside node_modules, so that the packages that stay outside the bundle are found.
const folder = await mkdtemp(join(here, '../../node_modules/.fuzz-'));
try {
  await build({
    entryPoints: [join(here, 'run.ts')],
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
  await import(pathToFileURL(join(folder, 'run.mjs')).href);
} finally {
  await rm(folder, { recursive: true });
}
