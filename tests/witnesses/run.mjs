// `npm run test:witnesses [-- --only ID] [--count N] [--seed N] [--python PATH] [--keep]`: has libraries in other languages
// write values, decodes those, and compares. Names what is lacking. `--keep` writes the fixtures that the tests read.
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
// Inside node_modules, so that the packages that stay outside the bundle are found.
const folder = await mkdtemp(join(here, '../../node_modules/.witnesses-'));
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
  const { run } = await import(pathToFileURL(join(folder, 'run.mjs')).href);
  process.exitCode = await run(join(here, '../..'));
} finally {
  await rm(folder, { recursive: true });
}
