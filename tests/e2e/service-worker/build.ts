import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vite from 'vite';
import { ROOT } from '../../../scripts/run.mjs';

const app = join(import.meta.dirname, 'app');
const { resolve } = createRequire(join(ROOT, 'package.json'));

/** Resolves the package to its built files. */
const published: vite.Plugin = {
  name: 'published',
  enforce: 'pre',
  // The page's entry, where Node resolves its own.
  resolveId: (source) => (/^unspool(?:\/|$)/.test(source) ? resolve(source).replace(/node\.js$/, 'index.js') : undefined),
};

/** Builds the page of the application, and its service worker as one file. */
export async function buildApplication(out: string): Promise<void> {
  const common: vite.InlineConfig = {
    configFile: false,
    root: app,
    logLevel: 'warn',
    publicDir: false,
    plugins: [published],
    worker: { format: 'es' },
  };
  await vite.build({ ...common, base: './', build: { outDir: out, emptyOutDir: true, target: 'es2022' } });
  await vite.build({
    ...common,
    // The first silences Workbox; the others replace code of Vite's chunk loader, which a service worker does not need.
    define: {
      'process.env.NODE_ENV': '"production"',
      'import.meta.url': 'self.location.href',
      'import.meta.resolve': 'undefined',
    },
    build: {
      outDir: out,
      emptyOutDir: false,
      target: 'es2022',
      // A service worker has no document.
      modulePreload: false,
      rolldownOptions: {
        input: join(app, 'service-worker.js'),
        output: { format: 'iife', entryFileNames: 'service-worker.js', codeSplitting: false },
      },
    },
  });
}
