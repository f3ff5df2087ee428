import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { licences } from './scripts/licences.mjs';

const at = (path: string): string => resolve(import.meta.dirname, path);
const target = 'es2022';
// How `main/pool/create-worker.ts` starts the worker: the URL in it, and the whole expression.
const url = String.raw`new URL\(\s*['"]\./worker\.js['"],\s*import\.meta\.url,?\s*\)`;
const workerUrl = new RegExp(url, 'g');
const startWorker = new RegExp(String.raw`new Worker\(\s*${url},\s*\{\s*type:\s*['"]module['"],?\s*\},?\s*\)`, 'g');

/**
 * Keeps `new Worker(new URL("./worker.js", import.meta.url), …)` in the library byte for byte. Vite would resolve the
 * URL at build time, and a minifier would write it in its own way; left alone, it works in a page without a bundler,
 * and Vite, webpack and the others find it there when they bundle the application that uses the library.
 */
function keepWorkerUrl(): Plugin {
  const kept = 'new Worker(new URL("./worker.js", import.meta.url), { type: "module" })';
  // As long as what it stands for, so that the source map's columns stay right.
  const placeholder = '__START_WORKER_'.padEnd(kept.length, '_');
  return {
    name: 'keep-worker-url',
    enforce: 'pre',
    transform: (code) =>
      code.includes('./worker.js') ? { code: code.replace(startWorker, placeholder), map: null } : undefined,
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(placeholder, kept);
      }
    },
  };
}

/** Leaves what `main/inline.ts` takes from the library's entry in that entry's file: it would make a third one. */
function shareEntry(): Plugin {
  return {
    name: 'share-entry',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === './index.ts' && importer === at('main/inline.ts') ? { id: './index.js', external: true } : undefined,
  };
}

/** What the service worker's entry and the page share and what leads to every format's code. */
const LEADS_TO_FORMATS = ['worker/detect.ts', 'worker/formats/registry.ts', 'main/decoder/schemas.ts'].map(at);

/**
 * Gives the service worker's entry copies of the modules that know how to load formats, without that: a service worker
 * cannot load code, and a bundler that puts an application's into one file would put every format in.
 */
function withoutFormats(): Plugin {
  const mark = '?without-formats';
  return {
    name: 'without-formats',
    enforce: 'pre',
    resolveId(source, importer) {
      const from = importer?.replaceAll('\\', '/') ?? '';
      if (!source.startsWith('.') || !(from.includes('/main/service-worker/') || from.endsWith(mark))) return undefined;
      const path = resolve(dirname(importer!.split('?')[0]!), source);
      return LEADS_TO_FORMATS.includes(path) && !from.endsWith('/page.ts') ? path + mark : undefined;
    },
    transform: {
      filter: { id: /registry\.ts\?without-formats$/ },
      handler: (code) => ({ code: code.replaceAll(/load: \(\) => import\('[^']*'\),/g, 'load: undefined!,'), map: null }),
    },
  };
}

/** Who gets copies of small modules that others have too, so that no chunk is shared between them. */
const OWN_COPIES = [
  // js-binary has JSON in it. A chunk that both formats share would be a bundle of its own to Parcel, which then leaves it
  // out of the worker.
  { of: /\/worker\/formats\/jsbinary\//, modules: /\/worker\/formats\/json\// },
  // What opens a block is two chunks that need no others: a page that is visited again waits for them alone.
  {
    of: /\/main\/(?:block\/(?:open|stream|kept)|decoder\/decode-later|(?:materialise|slicing)\/[a-z]+)\.ts$/,
    modules: /\/(?:main\/block\/type|worker\/(?!errors|limits|markup|detect)[a-z0-9-]+)\.ts$/,
  },
  // What the page has two of would otherwise be the worker's, or the reader's who wants nothing but this.
  { of: /\/main\/input\/fetched-body\.ts$/, modules: /\/worker\/protocol\.ts$/ },
  { of: /\/main\/validate\.ts$/, modules: /\/main\/slicing\/(?:slicer|young)\.ts$/ },
];

/** Gives out those copies. */
function ownCopies(): Plugin {
  return {
    name: 'own-copies',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!source.startsWith('.') || !importer) return undefined;
      const [from, mark] = importer.replaceAll('\\', '/').split('?own-');
      const path = resolve(dirname(from!), source);
      const own = mark === undefined ? OWN_COPIES.findIndex(({ of }) => of.test(from!)) : Number(mark);
      return OWN_COPIES[own]?.modules.test(path.replaceAll('\\', '/')) ? `${path}?own-${own}` : undefined;
    },
  };
}

/** Drops the source map of the worker that is inlined: nothing refers to it. */
function dropInlinedMap(): Plugin {
  return {
    name: 'drop-inlined-map',
    generateBundle(_options, bundle) {
      for (const name of Object.keys(bundle)) if (name.startsWith('assets/')) delete bundle[name];
    },
  };
}

/** What protobufjs's parser of schemas loads and never calls: encoders and decoders, and what makes code for them. */
const UNUSED_PROTOBUFJS = [
  'encoder', 'decoder', 'verifier', 'converter', 'wrappers', 'message', 'reader', 'reader_buffer', 'writer',
  'writer_buffer', 'rpc', 'util/codegen', 'util/fetch', 'util/fs', 'util/aspromise', 'util/eventemitter', 'util/float',
  'util/longbits', 'util/pool',
];
const unusedProtobufjs = new RegExp(String.raw`/node_modules/(?:protobufjs/src/(?:${UNUSED_PROTOBUFJS.join('|')})\.js$|long/)`);

/**
 * Leaves of protobufjs the parser alone: the rest would make code from text. Its 64-bit numbers, which would compile
 * WebAssembly as they load, are not asked for either; the parser does without.
 */
function onlyParser(): Plugin {
  const absent = 'module.exports = () => { throw new Error("not in this build"); }; module.exports._configure = () => {};';
  return {
    name: 'only-parser',
    enforce: 'pre',
    load: (id) => (unusedProtobufjs.test(id.replaceAll('\\', '/')) ? { code: absent, map: null } : undefined),
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

/**
 * Small modules that most entries share, in one chunk each: every chunk costs a request, and compresses worse by itself.
 * What the worker has too lies apart from what the page alone has.
 */
const GROUPS = [
  // The engine is here for validation, which builds in slices and has nothing else of the page.
  { name: 'shared', test: /\/(?:worker\/(?:errors|limits|markup)|main\/block\/engine)\.ts$/ },
  // Apart, since they lead to the code of every format, which a service worker is not to have.
  { name: 'registry', test: /\/worker\/(?:detect|formats\/registry)\.ts$/ },
  { name: 'decoder', test: /\/main\/(?:decoder\/(?:core|tools|detect|decoder)|input\/sources|pool\/trusted-worker)\.ts$/ },
  { name: 'decode-later', test: /\/main\/(?:decoder\/decode-later|input\/open-source|input\/fetched-body)\.ts$/ },
  { name: 'open-block', test: /\/main\/(?:block\/(?:open|kept|stream)|(?:materialise|slicing)\/[a-z]+)\.ts$/ },
];

/**
 * `formats/<id>.js` for the module that a format's `import()` names. Everything else lies beside the worker, which the
 * library finds there.
 */
function chunkName(chunk: { facadeModuleId: string | null; isDynamicEntry: boolean }): string {
  const format = /\/worker\/formats\/([a-z]+)(?:\/index)?\.ts$/.exec(chunk.facadeModuleId ?? '');
  return chunk.isDynamicEntry && format ? `formats/${format[1]}.js` : '[name].js';
}

const common: UserConfig = {
  base: './',
  clearScreen: false,
};

const libraryLicences = licences({ without: unusedProtobufjs });
const extensionLicences = licences({ without: unusedProtobufjs });

/**
 * The library: the page's entry, the same with the worker inlined, and the worker, built together, so that a format's
 * chunk is one file which the page and the worker both load. Minified, since a page without a bundler gets these very
 * files, and with source maps, which hold the sources.
 */
const library: UserConfig = {
  ...common,
  root: at('.'),
  publicDir: false,
  plugins: [onlyParser(), withoutFormats(), ownCopies(), keepWorkerUrl(), shareEntry(), dropInlinedMap(), libraryLicences.write()],
  // What is inlined is one file, with every format in it.
  worker: { format: 'es', plugins: () => [onlyParser()], rolldownOptions: { output: { codeSplitting: false, minify: true } } },
  build: {
    target,
    outDir: at('dist'),
    emptyOutDir: true,
    sourcemap: true,
    lib: {
      entry: { index: at('main/index.ts'), inline: at('main/inline.ts'), 'service-worker': at('main/service-worker/index.ts'), register: at('main/service-worker/page.ts'), validate: at('main/validate.ts'), sync: at('main/sync.ts'), worker: at('worker/entry.ts') },
      formats: ['es'],
    },
    rolldownOptions: { output: { chunkFileNames: chunkName, minify: true, codeSplitting: { groups: GROUPS } } },
  },
};

/** The library by its own name, from its sources: the demo imports it as its users do. */
export const libraryAlias = [
  { find: /^unspool$/, replacement: at('main/index.ts') },
  { find: /^unspool\/validate$/, replacement: at('main/validate.ts') },
  { find: /^unspool\/sync$/, replacement: at('main/sync.ts') },
  { find: /^unspool\/register$/, replacement: at('main/service-worker/page.ts') },
  { find: /^unspool\/service-worker$/, replacement: at('main/service-worker/index.ts') },
  { find: /^unspool\/formats\/(\w+)$/, replacement: at('worker/formats/$1.ts') },
];

/** Tells the demo's service worker, as `DEMO_FILES`, what the demo was built of, so that it is there without a network. */
function demoFiles(): Plugin {
  const list = (): { version: string; urls: string[] } => {
    const hash = createHash('sha256');
    const urls = readdirSync(at('dist-demo'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'service-worker.js')
      .map(({ parentPath, name }) => relative(at('dist-demo'), resolve(parentPath, name)).replaceAll('\\', '/'))
      .toSorted();
    for (const url of urls) hash.update(url).update(readFileSync(at(`dist-demo/${url}`)));
    return { version: hash.digest('hex').slice(0, 16), urls };
  };
  return { name: 'demo-files', config: () => ({ define: { DEMO_FILES: JSON.stringify(list()) } }) };
}

const demo: UserConfig = {
  ...common,
  root: at('demo'),
  plugins: [onlyParser(), sourceWorkerUrl()],
  resolve: { alias: libraryAlias },
  worker: { format: 'es', plugins: () => [onlyParser()] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target,
    outDir: at('dist-demo'),
    emptyOutDir: true,
    rolldownOptions: { input: [at('demo/index.html'), at('demo/lane.html')] },
  },
};

/** The demo's service worker: one file beside its page, since a service worker cannot load code later. */
const demoServiceWorker: UserConfig = {
  ...common,
  root: at('demo'),
  publicDir: false,
  plugins: [onlyParser(), withoutFormats(), demoFiles()],
  resolve: { alias: libraryAlias },
  // What would load chunks, of which there are none.
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
  plugins: [onlyParser(), extensionLicences.write()],
  worker: { format: 'es', plugins: () => [onlyParser(), extensionLicences.collect()] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    target: 'es2023',
    outDir: at('dist-extension'),
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: [at('devtools-extension/devtools.html'), at('devtools-extension/panel.html')] },
  },
};

const targets: Record<string, UserConfig> = { lib: library, demo, 'demo-service-worker': demoServiceWorker, extension };

export default defineConfig(({ mode }) => targets[mode] ?? demo);
