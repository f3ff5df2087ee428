import { basename, dirname, join, relative } from 'node:path';
import { build, parseSync, Visitor } from 'vite';
import { breakLines } from './break-lines.mjs';
import { licences } from './licences.mjs';
import { BUILT_IN, FORMATS, NAMED_FORMS } from '../formats.mjs';
import { ROOT } from '../run.mjs';

/** @typedef {import('vite').Plugin} Plugin */
/** @typedef {import('vite').InlineConfig} InlineConfig */

const at = (/** @type {string} */ path) => join(ROOT, path).replaceAll('\\', '/');

/**
 * Sources by name of the files that a worker loads from a URL sent by the page (`worker/code.ts`).
 *
 * @type {Readonly<Record<string, string>>}
 */
const CODE = {
  ...Object.fromEntries([...FORMATS, ...NAMED_FORMS].map((id) => [`formats/${id}`, `core/formats/${id}/index.ts`])),
  zstd: 'core/bytes/zstd/zstd.ts',
  'json-text': 'core/sinks/json/text.ts',
  shaping: 'core/shaping.ts',
  'rows-writer': 'worker/rows-writing/write-rows.ts',
  'socket-worker': 'worker/socket/serve-socket.ts',
  ...Object.fromEntries([...FORMATS, ...NAMED_FORMS].map((id) => [`encoders/${id}`, `core/formats/${id}/writer.ts`])),
};

/**
 * Self-contained files: a worker, a service worker or a page without a bundler loads each with one request, and
 * bundlers may move those that a worker loads.
 *
 * @type {Readonly<Record<string, string>>}
 */
const SINGLE = {
  worker: 'worker/entry.ts',
  'worker-core': 'worker/core-entry.ts',
  'service-worker': 'main/service-worker/index.ts',
  sync: 'main/sync.ts',
  partial: 'main/partial.ts',
  // For `decoder.partial`, on pages that have the rest of `partial`.
  'partial-value': 'core/sinks/partial/partial-value.ts',
  encode: 'main/encode.ts',
  // Few pages that encode also transcode.
  transcode: 'main/encoder/transcode/transcode.ts',
  // Few encodes have options of a format, or lists inside a value that arrive item by item.
  'write-options': 'main/encoder/check-options.ts',
  'collect-sources': 'main/encoder/collect-sources.ts',
  // Few pages send messages.
  'encoder-messages': 'main/encoder/messages.ts',
  // Few pages compress, or encode long `Rows`.
  'encoder-workers': 'main/encoder/workers.ts',
  validate: 'main/validate.ts',
  server: 'main/server.ts',
  // Few servers receive other formats than JSON.
  'body-reader': 'main/server/body-reader.ts',
  node: 'main/node.ts',
  'thread-worker': 'worker/thread-entry.ts',
  changes: 'main/changes.ts',
  registry: 'main/registry.ts',
  'json-schema': 'main/json-schema.ts',
  cli: 'main/cli/index.ts',
  ...CODE,
  // Few applications parse texts of schemas in the browser, and a parser is as large as a format.
  'proto-text': 'core/formats/protobuf/schema/proto-text.ts',
  'proto-reflection': 'core/formats/protobuf/schema/proto-reflection.ts',
  'fbs-text': 'core/formats/flatbuffers/schema/fbs-text.ts',
  'capnp-text': 'core/formats/capnproto/schema/capnp-text.ts',
};

/** Files that a page imports. The others, and the modules that `index` loads later, share code through its file. */
const PAGE = {
  index: 'main/index.ts',
  core: 'main/core.ts',
  inline: 'main/inline.ts',
  register: 'main/service-worker/page.ts',
  socket: 'main/socket.ts',
  // An entry needs no object for its exports, which would be one more file shared with `from-worker`.
  pool: 'main/pool/pool.ts',
  // Few pages decode JSON that is longer than a megabyte.
  'json-slices': 'core/slicing/json/json-slices.ts',
};

/**
 * The code of every page's first decode, with the modules that both the code of workers and that of readers import. `index` adds the
 * lists of formats to it.
 */
const CORE = { name: 'core', test: /\/(?:main\/(?:core|pool\/revive-error)|core\/(?:reading\/binary|engine\/(?:internalized|keep-alive)))\.ts$/ };

/** The lists of formats, and the worker's address: what `index` has and `core` has not. */
const INDEX = { name: 'index', test: /\/main\/(?:index|decoder\/all-code|pool\/(?:code-files|create-worker))\.ts$/ };

/** Code that pages load with their first worker or block, in one request: it sends payloads to workers, builds the values of what was decoded elsewhere, and measures for developer tools. */
const FROM_WORKER = {
  name: 'from-worker',
  test: /\/(?:main\/(?:run\/(?:in-worker|for-tools)|call\/lazy-reading|rows\/(?:lists|materialise))|core\/(?:engine\/(?:fill|fillers)|rows\/(?:read-block|table|tape|text)))\.ts$/,
};

/** Code that pages load in parallel with their first worker, or socket in a worker. */
const POOL = { name: 'pool', test: /\/(?:main\/pool\/(?:call|handle|plain-copy|pool)\.ts|node_modules\/comlink\/.*)$/ };

/** Classes whose names users see in a console; the minifier keeps these names. */
const NAMED_CLASSES = [
  'Decoder',
  'Encoder',
  'Rows',
  'ArrowColumn',
  'GrowingRows',
  'RowsView',
  'Batches',
  'AppServiceWorker',
  'WorkerSocket',
  'ServiceWorkerDecoder',
  'DecodingPlugin',
  'ValidationError',
  'DecodeError',
  'EncodeError',
  'LimitError',
  'SchemaError',
  'WorkerCrashError',
  'TimeoutError',
  'NetworkError',
  'RequestError',
  'ServiceError',
  'BsonValue',
  'CborTag',
  'CborSimple',
  'MessagePackExtension',
  'SiaConstructed',
];
/** The file in which applications in Node meet errors: it keeps the names of functions and public methods, which stacks have. */
const READABLE = 'node';
const MINIFY = { compress: true, mangle: { reserved: NAMED_CLASSES }, codegen: { removeWhitespace: true } };

/** Matches the URL of a file in the same folder, as written in the sources. */
const BESIDE = String.raw`new URL\(\s*['"](\./[\w/-]+\.js)['"],\s*import\.meta\.url,?\s*\)`;
const START_WORKER = new RegExp(String.raw`new Worker\(\s*${BESIDE},\s*\{\s*type:\s*['"]module['"],?\s*\},?\s*\)`, 'g');
const FILE_BESIDE = new RegExp(BESIDE, 'g');
/** An import whose comments keep bundlers from resolving it. The build drops all other comments. */
const IGNORED_IMPORT = /import\((\/\* @vite-ignore \*\/ \/\* webpackIgnore: true \*\/) (\w+)\)/;

/**
 * Keeps the comments of imports that bundlers must ignore, `new Worker(new URL("./worker.js", import.meta.url), …)` and every other `new URL("./….js", import.meta.url)`
 * in the library byte for byte. Vite would resolve the URLs at build time, and a minifier would rewrite them.
 * Unchanged, they work in a page without a bundler, and Vite, webpack and other bundlers find them when they bundle an
 * application.
 *
 * @returns {Plugin}
 */
function keepUrls() {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const keep = (/** @type {string} */ expression) => {
    // As long as the expression, which keeps the columns of the source map correct.
    const placeholder = `__KEPT_${kept.size}_`.padEnd(expression.length, '_');
    kept.set(placeholder, expression);
    return placeholder;
  };
  return {
    name: 'keep-urls',
    enforce: 'pre',
    transform(code) {
      if (!code.includes('import.meta.url') && !IGNORED_IMPORT.test(code)) return undefined;
      const url = (/** @type {string} */ path) => `new URL("${path}", import.meta.url)`;
      const imports = code.replace(IGNORED_IMPORT, (_, comments, argument) => `import(${keep(comments)}(${argument}))`);
      const workers = imports.replace(START_WORKER, (_, path) => keep(`new Worker(${url(path)}, { type: "module" })`));
      return { code: workers.replace(FILE_BESIDE, (_, path) => keep(url(path))), map: null };
    },
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk') file.code = file.code.replaceAll(/__KEPT_\d+_+/g, (placeholder) => kept.get(placeholder) ?? placeholder);
      }
    },
  };
}

/**
 * Excludes separate files from the file that loads them with `import()`, so that a page loads a format from the same
 * file as its users.
 *
 * @param {string} file the name of the loading file
 * @returns {Plugin}
 */
function otherFiles(file) {
  return {
    name: 'other-files',
    enforce: 'pre',
    resolveId: (source, importer, { kind }) => {
      const other = kind === 'dynamic-import' && importer ? fileOf(source, importer) : undefined;
      if (other === undefined) return undefined;
      const id = relative(dirname(file), `${other}.js`).replaceAll('\\', '/');
      return { id: id.startsWith('.') ? id : `./${id}`, external: true };
    },
  };
}

/**
 * Builds the file for Node with Node's own way of what differs there, and those of a browser's workers without it.
 *
 * @param {string} file the file's name
 * @returns {Plugin}
 */
function inNode(file) {
  const isInBrowser = ['worker', 'worker-core', 'service-worker'].includes(file);
  return {
    name: 'in-node',
    enforce: 'pre',
    resolveId: (source) => (file === 'node' && source.endsWith('/platform/platform.ts') ? at('core/platform/node.ts') : undefined),
    transform: (_, id) =>
      isInBrowser && id.endsWith('/core/engine/node-text.ts') ? { code: 'export const nodeText = undefined;', map: null } : undefined,
  };
}

/** Name of the separate file built from an imported module; undefined if it has no such file. */
function fileOf(/** @type {string} */ source, /** @type {string} */ importer) {
  if (!source.startsWith('.')) return undefined;
  const path = relative(ROOT, join(dirname(importer), source)).replaceAll('\\', '/');
  return Object.keys(SINGLE).find((name) => SINGLE[name] === path);
}

/**
 * Bundles modules loaded with `import()` into the same file, except separate files. Rolldown does so too, but in a form
 * that Parcel misreads and breaks, and with every export of a library.
 *
 * @returns {Plugin}
 */
function inOneFile() {
  return {
    name: 'in-one-file',
    transform(code, id) {
      if (!code.includes('import(')) return undefined;
      /** @type {{ start: number, end: number, source: string }[]} */
      const found = [];
      new Visitor({
        ImportExpression({ start, end, source }) {
          if (source.type === 'Literal' && typeof source.value === 'string') found.push({ start, end, source: source.value });
        },
      }).visit(parseSync(id, code).program);
      let replaced = code;
      for (const [index, { start, end, source }] of [...found.entries()].toReversed()) {
        if (fileOf(source, id) !== undefined) continue;
        const name = `__loaded_${index}`;
        replaced = `${replaced.slice(0, start)}Promise.resolve(${name})${replaced.slice(end)}\nimport * as ${name} from ${JSON.stringify(source)};`;
      }
      return replaced === code ? undefined : { code: replaced, map: null };
    },
  };
}

/**
 * Makes a file that a worker loads hand its module to the worker. An imported module has exports, but Parcel drops
 * those of a file that it knows only by URL.
 *
 * @param {string} file the file's name
 * @returns {Plugin}
 */
function handOver(file) {
  const name = file.startsWith('formats/') ? basename(file) : file;
  const call = `globalThis[Symbol.for('unspool.code')]?.(${JSON.stringify(name)}, code);`;
  return {
    name: 'hand-over',
    enforce: 'pre',
    resolveId: (source, _importer, { isEntry }) => (isEntry && file in CODE ? `${source}?hand-over` : undefined),
    load: (id) => {
      if (!id.endsWith('?hand-over')) return undefined;
      const from = `'./${basename(CODE[file] ?? '')}'`;
      const exported = /^(?:formats|encoders)\//.test(file) ? `export { default } from ${from};` : '';
      // Workers bundle these formats, so only pages load their files, and they need the readers too.
      const readers =
        file.startsWith('formats/') && BUILT_IN.includes(name)
          ? `export * as readers from ${JSON.stringify(relative(dirname(CODE[file] ?? ''), 'main/slices/readers.ts').replaceAll('\\', '/'))};`
          : '';
      return { code: `import * as code from ${from};\n${call}\nexport * from ${from};\n${exported}\n${readers}`, map: null };
    },
  };
}

/**
 * Drops the source map of the inlined worker, which nothing refers to.
 *
 * @returns {Plugin}
 */
function dropInlinedMap() {
  return {
    name: 'drop-inlined-map',
    generateBundle(_options, bundle) {
      for (const name of Object.keys(bundle)) if (name.startsWith('assets/')) delete bundle[name];
    },
  };
}

/**
 * Builds the library into dist/. The files are minified, since pages without a bundler load them directly. Those that a page imports
 * have source maps that include the sources, each module once. The self-contained files repeat these modules and have no maps, which
 * would be two thirds of the package.
 */
export async function buildLibrary() {
  const { collect, write } = licences();
  /** @type {InlineConfig} */
  const common = {
    configFile: false,
    root: ROOT,
    base: './',
    publicDir: false,
    logLevel: 'warn',
    clearScreen: false,
    // The inlined worker is a single file with every format, and a classic script: pages without an origin, such as sandboxed frames,
    // start no module from a blob.
    worker: { format: 'iife', plugins: () => [collect()], rolldownOptions: { output: { codeSplitting: false, minify: MINIFY } } },
  };
  /** @type {InlineConfig['build']} */
  const output = { target: 'es2022', outDir: at('dist') };
  await build({
    ...common,
    plugins: [otherFiles('index'), keepUrls(), dropInlinedMap(), collect()],
    build: {
      ...output,
      sourcemap: true,
      emptyOutDir: true,
      lib: { entry: Object.fromEntries(Object.entries(PAGE).map(([name, path]) => [name, at(path)])), formats: ['es'] },
      rolldownOptions: {
        // The other files import shared code from the entry's file.
        preserveEntrySignatures: 'allow-extension',
        output: {
          chunkFileNames: '[name].js',
          comments: { annotation: false },
          minify: MINIFY,
          codeSplitting: { groups: [CORE, POOL, FROM_WORKER, INDEX] },
        },
      },
    },
  });
  const singles = Object.entries(SINGLE);
  for (const [name, path] of singles) {
    const last = name === singles.at(-1)?.[0];
    await build({
      ...common,
      plugins: [
        inNode(name),
        otherFiles(name),
        keepUrls(),
        inOneFile(),
        handOver(name),
        ...(throwsInNode(name) ? [breakLines()] : []),
        last ? write() : collect(),
      ],
      build: {
        ...output,
        emptyOutDir: false,
        lib: { entry: { [name]: at(path) }, formats: ['es'] },
        rolldownOptions: { output: { codeSplitting: false, comments: { annotation: false }, minify: minifyFor(name) } },
      },
    });
  }
}

/**
 * True for minified files, of pages or servers at the edge, that Node runs, too.
 *
 * @param {string} file the file's name
 */
function throwsInNode(file) {
  return /^(?:formats|encoders)\/|^(?:sync|server|body-reader|partial|partial-value|thread-worker|cli|node)$/.test(file);
}

/** @param {string} file the file's name */
function minifyFor(file) {
  return file === READABLE ? { ...MINIFY, mangle: { ...MINIFY.mangle, keepNames: true } } : MINIFY;
}

/**
 * Rewrites the same URLs for sources that are served unbuilt, where they refer to source files. Used by the test server
 * and the demo's development server.
 *
 * @returns {Plugin}
 */
export function sourceUrls() {
  return {
    name: 'source-urls',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return undefined;
      const folder = dirname(/** @type {string} */ (id.split('?')[0]));
      const replaced = code.replace(FILE_BESIDE, (expression, path) => {
        const source = SINGLE[path.slice('./'.length, -'.js'.length)];
        return source === undefined ? expression : `new URL('${relative(folder, at(source)).replaceAll('\\', '/')}', import.meta.url)`;
      });
      return replaced === code ? undefined : { code: replaced, map: null };
    },
  };
}
