import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { sourceUrls } from './scripts/build/library.mjs';
import { licences } from './scripts/build/licences.mjs';

const at = (path: string): string => resolve(import.meta.dirname, path);
const target = 'es2022';

const common: UserConfig = {
  base: './',
  clearScreen: false,
};

const extensionLicences = licences();
const demoLicences = licences();

/** The library by its own name, from its sources: the demo imports it as its users do. */
export const libraryAlias = [
  { find: /^unspool$/, replacement: at('main/index.ts') },
  { find: /^unspool\/core$/, replacement: at('main/core.ts') },
  { find: /^unspool\/worker-core$/, replacement: at('worker/core-entry.ts') },
  { find: /^unspool\/validate$/, replacement: at('main/validate.ts') },
  { find: /^unspool\/changes$/, replacement: at('main/changes.ts') },
  { find: /^unspool\/json-schema$/, replacement: at('main/json-schema.ts') },
  { find: /^unspool\/registry$/, replacement: at('main/registry.ts') },
  { find: /^unspool\/encode$/, replacement: at('main/encode.ts') },
  { find: /^unspool\/server$/, replacement: at('main/server.ts') },
  { find: /^unspool\/sync$/, replacement: at('main/sync.ts') },
  { find: /^unspool\/partial$/, replacement: at('main/partial.ts') },
  { find: /^unspool\/socket$/, replacement: at('main/socket.ts') },
  { find: /^unspool\/register$/, replacement: at('main/service-worker/page.ts') },
  { find: /^unspool\/service-worker$/, replacement: at('main/service-worker/index.ts') },
  { find: /^unspool\/formats\/(\w+)$/, replacement: at('core/formats/$1/index.ts') },
  { find: /^unspool\/encoders\/(\w+)$/, replacement: at('core/formats/$1/writer.ts') },
];

/** The same as it was built: what the demo is built of, so that its worker and formats are files as in any application. */
const builtAlias = [
  { find: /^unspool$/, replacement: at('dist/index.js') },
  { find: /^unspool\/(.+)$/, replacement: at('dist/$1.js') },
];

/** Tells the demo's service worker, as `DEMO_FILES`, what the demo was built of, so that it is there without a network. */
function demoFiles(): Plugin {
  const list = (): { version: string; urls: string[] } => {
    const hash = createHash('sha256');
    const urls = readdirSync(at('dist-demo'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'service-worker.js' && !entry.name.endsWith('.txt'))
      .map(({ parentPath, name }) => relative(at('dist-demo'), resolve(parentPath, name)).replaceAll('\\', '/'))
      .toSorted();
    for (const url of urls) hash.update(url).update(readFileSync(at(`dist-demo/${url}`)));
    return { version: hash.digest('hex').slice(0, 16), urls };
  };
  return { name: 'demo-files', config: () => ({ define: { DEMO_FILES: JSON.stringify(list()) } }) };
}

/** Tells the demo's pages where the guides are: in the repository. `scripts/site.mjs` replaces it. */
function guidesAddress(): Plugin {
  const { repository } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { repository: { url: string } };
  const address = `${repository.url.replaceAll(/^git\+|\.git$/g, '')}/blob/main/docs/guides/*.md`;
  return { name: 'guides-address', transformIndexHtml: (html) => html.replace('<html ', `<html data-guides="${address}" `) };
}

const demoOf = (command: 'build' | 'serve'): UserConfig => ({
  ...common,
  root: at('demo'),
  plugins: [guidesAddress(), command === 'serve' ? sourceUrls() : demoLicences.write('dist')],
  resolve: { alias: command === 'serve' ? libraryAlias : builtAlias },
  worker: { format: 'es', plugins: () => [demoLicences.collect()] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target,
    outDir: at('dist-demo'),
    emptyOutDir: true,
    rolldownOptions: { input: [at('demo/index.html'), at('demo/lane.html')] },
  },
});

/** The demo's service worker: one file next to its page, because a service worker cannot load code later. */
const demoServiceWorker: UserConfig = {
  ...common,
  root: at('demo'),
  publicDir: false,
  // The library is in `dist-demo` by then.
  plugins: [demoFiles(), licences().write('dist-demo')],
  resolve: { alias: builtAlias },
  // Replaces expressions that would load chunks.
  define: { 'process.env.NODE_ENV': '"production"', 'import.meta.url': 'self.location.href', 'import.meta.resolve': 'undefined' },
  build: {
    target,
    outDir: at('dist-demo'),
    emptyOutDir: false,
    modulePreload: false,
    rolldownOptions: {
      input: at('demo/service-worker/service-worker.ts'),
      output: { format: 'iife', entryFileNames: 'service-worker.js', codeSplitting: false },
    },
  },
};

/** The DevTools panel, as an unpacked extension. The names of its pages are those in its manifest. */
const extension: UserConfig = {
  ...common,
  root: at('devtools-extension'),
  plugins: [extensionLicences.write()],
  worker: { format: 'es', plugins: () => [extensionLicences.collect()] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    outDir: at('dist-extension'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [at('devtools-extension/devtools.html'), at('devtools-extension/panel.html')] },
  },
};

const targets: Record<string, UserConfig> = { 'demo-service-worker': demoServiceWorker, extension };

export default defineConfig(({ mode, command }) => targets[mode] ?? demoOf(command));
