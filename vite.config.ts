import { dirname, relative, resolve } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';

const at = (path: string): string => resolve(import.meta.dirname, path);
const target = 'es2022';
const workerUrl = /new URL\(\s*(['"])\.\/worker\.js\1,\s*import\.meta\.url,?\s*\)/g;

/**
 * Keeps `new Worker(new URL("./worker.js", import.meta.url), …)` in the library as it is written. Vite would resolve the
 * URL at build time; left alone, it works in a page without a bundler, and Vite, webpack and the others find it there
 * when they bundle the application that uses the library.
 */
function keepWorkerUrl(): Plugin {
  const kept = 'new URL("./worker.js", import.meta.url)';
  // As long as what it stands for, so that the source map's columns stay right.
  const placeholder = '__KEEP_WORKER_URL_'.padEnd(kept.length, '_');
  return {
    name: 'keep-worker-url',
    enforce: 'pre',
    transform: (code) =>
      code.includes('./worker.js') ? { code: code.replace(workerUrl, placeholder), map: null } : undefined,
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(placeholder, kept);
      }
    },
  };
}

/**
 * The same URL where the sources are served as they are: there the worker is its own source. For the test server and
 * the demo's development server.
 */
export function sourceWorkerUrl(): Plugin {
  return {
    name: 'source-worker-url',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('./worker.js')) return undefined;
      const path = relative(dirname(id.split('?')[0]!), at('worker/entry.ts')).replaceAll('\\', '/');
      return { code: code.replace(workerUrl, `new URL('${path}', import.meta.url)`), map: null };
    },
  };
}

/** `formats/<id>.js` for the module that a format's `import()` names; `shared/…` for what several chunks use. */
function chunkName(chunk: { facadeModuleId: string | null; isDynamicEntry: boolean }): string {
  const format = /\/worker\/formats\/([a-z]+)(?:\/index)?\.ts$/.exec(chunk.facadeModuleId ?? '');
  return chunk.isDynamicEntry && format ? `formats/${format[1]}.js` : 'shared/[name].js';
}

const common: UserConfig = {
  base: './',
  clearScreen: false,
};

/**
 * The library: the page's entry, the same with the worker inlined, and the worker, built together, so that a format's
 * chunk is one file which the page and the worker both load. Not minified, comments dropped, with source maps: an
 * application's bundler minifies it, and a page without a bundler can still be debugged.
 */
const library: UserConfig = {
  ...common,
  publicDir: false,
  plugins: [keepWorkerUrl()],
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false, minify: true } } },
  build: {
    target,
    outDir: at('dist'),
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    lib: {
      entry: { index: at('main/index.ts'), inline: at('main/inline.ts'), worker: at('worker/entry.ts') },
      formats: ['es'],
    },
    rolldownOptions: { output: { chunkFileNames: chunkName, comments: { legal: true, annotation: true, jsdoc: false } } },
  },
};

/** The library by its own name, from its sources: the demo imports it as its users do. */
export const libraryAlias = [{ find: /^unspool$/, replacement: at('main/index.ts') }];

const demo: UserConfig = {
  ...common,
  root: at('demo'),
  plugins: [sourceWorkerUrl()],
  resolve: { alias: libraryAlias },
  worker: { format: 'es' },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target, outDir: at('dist-demo'), emptyOutDir: true },
};

const targets: Record<string, UserConfig> = { lib: library, demo };

export default defineConfig(({ mode }) => targets[mode] ?? demo);
