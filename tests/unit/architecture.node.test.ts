import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makesCode, readSource, type Reference, type ReferenceKind, references, REPOSITORY, sourceFiles } from '../setup/sources/imports.ts';

/**
 * A path or package that a file may refer to (`**` matches anything, `*` matches one name), and the kinds of reference
 * allowed.
 */
type Permission = readonly [target: string, ...kinds: ReferenceKind[]];

interface Rule {
  /** Glob of files. The first rule that matches a file applies. */
  files: string;
  may: readonly Permission[];
}

/** The files that `main/` imports of `core/` and `worker/` as code, so that a page gets no code of formats, sinks and kernels before it needs it. */
const SHARED: readonly Permission[] = [
  // Messages across the thread boundary.
  ['worker/protocol.ts', 'static'],
  ['core/*.ts', 'static'],
  ['core/block/*.ts', 'static'],
  ['core/bytes/**', 'static'],
  ['core/engine/*.ts', 'static'],
  ['core/format/*.ts', 'static', 'dynamic'],
  ['core/messages/*.ts', 'static'],
  ['core/platform/*.ts', 'static'],
  ['core/reading/*.ts', 'static'],
  ['core/rows/*.ts', 'static'],
  ['core/slicing/**', 'static', 'dynamic'],
  ['core/values/*.ts', 'static'],
  ['core/writing/*.ts', 'static'],
  // The lists of formats: what is known of each without its code, and how that is loaded.
  ['core/formats/*.ts', 'static'],
  ['core/formats/json/options.ts', 'static'],
  // Decoding of small payloads on the page, and what options change about it.
  ['core/sinks/objects/*.ts', 'static', 'dynamic'],
  ['core/sinks/shared-expansion.ts', 'static'],
  ['core/sinks/invalid-text.ts', 'static'],
  ['core/sinks/columns/columns.ts', 'dynamic'],
  ['core/shaping.ts', 'dynamic'],
  // Values in part.
  ['core/sinks/partial/partial-value.ts', 'static', 'dynamic'],
  // Types leave no code behind.
  ['core/**', 'type'],
  ['worker/**', 'type'],
];

/** Packages that format modules load with `import()` when a payload needs them. */
const LOADED_BY_FORMATS: readonly Permission[] = [
  ['fflate', 'dynamic'],
  ['fzstd', 'dynamic'],
];

/**
 * Allowed imports. A type import leaves no code behind, so it is freer than a static one. A permission that names no kind
 * allows all kinds.
 */
const RULES: readonly Rule[] = [
  // The core imports nothing outside itself.
  { files: 'core/block/block.ts', may: [] },
  { files: 'core/kernels/assembly/layout.ts', may: [] },
  // A page bundles the metadata of every format but no format's code.
  {
    files: 'core/formats/registry.ts',
    may: [
      ['core/formats/*/about.ts', 'static'],
      ['core/**', 'type'],
    ],
  },
  {
    files: 'core/formats/*/about.ts',
    may: [
      ['core/**', 'type'],
      ['core/bytes/markup.ts', 'static'],
    ],
  },
  // Named imports of the library, bundled into Avro's file.
  { files: 'core/formats/avro/container/deflate.ts', may: [['fflate', 'static']] },
  { files: 'core/formats/avro/container/deflating.ts', may: [['fflate', 'static']] },
  { files: 'core/formats/**', may: [['core/**', 'static', 'type', 'dynamic'], ...LOADED_BY_FORMATS] },
  {
    files: 'core/bytes/zstd/zstd.ts',
    may: [
      ['core/**', 'static', 'type'],
      ['fzstd', 'dynamic'],
    ],
  },
  { files: 'core/slicing/json/numbers/load-number-lists.ts', may: [['core/slicing/json/numbers/number-lists.ts', 'dynamic', 'type']] },
  { files: 'core/**', may: [['core/**', 'static', 'type']] },

  // The worker imports the core.
  {
    files: 'worker/protocol.ts',
    may: [
      ['core/**', 'type'],
      ['worker/**', 'type'],
    ],
  },
  // The inlined worker loads every format.
  { files: 'worker/inline-entry.ts', may: [['core/**', 'dynamic', 'static'], ['worker/**'], ['comlink']] },
  // Files of `unspool/worker-core` load nothing but the formats that are named.
  { files: 'worker/core-entry.ts', may: [['core/**', 'static', 'type'], ['worker/**'], ['comlink']] },
  { files: 'worker/code.ts', may: [['core/**', 'static', 'type'], ['worker/**'], ['url', 'dynamic']] },
  {
    files: 'worker/**',
    may: [['core/**', 'static', 'type'], ['worker/**', 'static', 'type'], ['comlink']],
  },

  // The page shares the boundary's files with the worker, and loads formats only on demand.
  { files: 'main/inline.ts', may: [['main/**'], ['worker/inline-entry.ts?worker&inline', 'static']] },
  // Code at the edge is limited in size: no decoder, rows, tables or live values.
  {
    files: 'main/server/**',
    may: [
      ['main/server/**'],
      ['main/call/**'],
      ['main/encoder/**'],
      ['main/**', 'type'],
      ['negotiator', 'static'],
      ['core/bytes/zstd/zstd.ts', 'dynamic'],
      ...SHARED,
    ],
  },
  // A service worker cannot load code later, so it bundles everything that it decodes with.
  {
    files: 'main/service-worker/**',
    may: [['main/**'], ...SHARED, ['core/sinks/**', 'static'], ['worker/job-scheduler.ts', 'static'], ['workbox-window', 'type', 'dynamic']],
  },
  { files: 'main/pool/code-requests.ts', may: [['main/**'], ['core/**', 'type'], ['worker/**', 'type'], ['url', 'dynamic']] },
  // The command reads the schemas of every format; it is a file of its own, and loads those of Node and of the encoder.
  {
    files: 'main/cli/**',
    may: [
      ['main/cli/**'],
      ['main/node.ts', 'dynamic'],
      ['main/encode.ts', 'dynamic'],
      ['core/sinks/spans/*.ts', 'static'],
      ['core/formats/**', 'static', 'type'],
      ...SHARED,
    ],
  },
  {
    files: 'main/changes.ts',
    may: [
      ['core/previous/changes.ts', 'static', 'type'],
      ['core/previous/rows-form.ts', 'type'],
    ],
  },
  // Written in the forms that formats take.
  { files: 'main/json-schema/**', may: [['main/json-schema/**'], ['core/formats/protobuf/schema/*.ts', 'static'], ...SHARED] },
  // Messages of Protocol Buffers are named by their place in the text.
  { files: 'main/registry.ts', may: [['main/**'], ['core/formats/protobuf/schema/proto-text.ts', 'dynamic'], ...SHARED] },
  // A response of a service worker may be one that an earlier value was decoded from.
  { files: 'main/block/open-again.ts', may: [['main/**'], ['core/previous/**', 'static'], ...SHARED] },
  { files: 'main/previous/**', may: [['main/**'], ['core/previous/**', 'static'], ...SHARED] },
  { files: 'main/**', may: [['main/**'], ['comlink'], ...SHARED] },

  // The parser of scripts is large, and loads with the search for schemas.
  {
    files: 'devtools-extension/reading/found/script.ts',
    may: [
      ['acorn', 'static', 'type'],
      ['devtools-extension/**', 'type'],
    ],
  },
  {
    files: 'devtools-extension/reading/worker/panel-worker.ts',
    may: [
      ['devtools-extension/reading/found/find-schemas.ts', 'dynamic'],
      ['devtools-extension/!(reading/found)/**'],
      ['devtools-extension/reading/**'],
      ['core/**'],
    ],
  },

  // The panel reads bytes itself, and learns about the page only through `observe`.
  {
    files: 'devtools-extension/**',
    may: [
      ['devtools-extension/**'],
      ['core/format/**'],
      ['core/formats/**'],
      ['core/sinks/**'],
      ['core/reading/**'],
      ['core/writing/**'],
      ['core/formats/detect.ts'],
      ['core/errors.ts'],
      ['core/error-record.ts'],
      ['core/limits.ts'],
      ['core/budget.ts'],
      ['core/bytes/text/text.ts'],
      ['core/bytes/byte-input.ts'],
      ['core/bytes/varint.ts'],
      ['core/bytes/zstd/frames.ts'],
      ['core/messages/event-parser.ts'],
      ['main/call/observe.ts', 'type'],
      // The answers of language models, as `Decoder.partial` reads them.
      ['main/live/answer/open-answer.ts'],
      ['main/live/answer/parts.ts', 'type'],
      // Compression.
      ['fflate'],
      ['fzstd'],
      ['preact/**'],
      ['preact'],
      ['@preact/signals'],
    ],
  },

  // The demo uses the library as its users do.
  {
    files: 'demo/server/**',
    may: [['demo/server/**'], ['node:**'], ['unspool'], ['unspool/**'], ['ws'], ['vega-datasets'], ['world-atlas/**']],
  },
  {
    files: 'demo/**',
    may: [
      ['demo/**'],
      ['unspool'],
      ['unspool/**'],
      ['preact'],
      ['preact/**'],
      ['@preact/signals'],
      ['comlink'],
      ['msgpackr'],
      ['msgpackr/**'],
      ['cbor-x/**'],
      ['bson', 'dynamic'],
      ['@uwdata/flechette', 'dynamic'],
      // The page of refetches compares with it.
      ['@tanstack/query-core'],
      ['workbox-core'],
      ['workbox-core/**', 'type'],
      ['workbox-expiration'],
      ['workbox-routing'],
      ['workbox-strategies'],
      // The panel, as pages mount it.
      ['devtools-extension/index.ts', 'dynamic', 'type'],
    ],
  },
];

/**
 * The rooms of the library, from the lowest floor upwards: a file imports its own room and those of floors below, by values or
 * types. Rooms on one floor do not know each other. A room is a folder, or a file next to folders.
 */
const FLOORS: readonly (readonly string[])[] = [
  // Runs anywhere: bytes to values and back.
  ['core/engine', 'core/platform', 'core/values', 'core/limits.ts', 'core/instanceof-brand.ts'],
  ['core/errors', 'core/check-names.ts'],
  ['core/errors.ts', 'core/kept-records.ts', 'core/option-table.ts'],
  ['core/block', 'core/reading', 'core/budget.ts', 'core/error-record.ts', 'core/option-kinds.ts'],
  ['core/bytes', 'core/empty-cells.ts'],
  ['core/format'],
  ['core/writing'],
  ['core/sinks'],
  ['core/formats/json', 'core/formats/messagepack', 'core/formats/cbor', 'core/formats/avro', 'core/formats/flatbuffers', 'core/formats/bebop'],
  ['core/formats/protobuf', 'core/formats/capnproto', 'core/formats/bson', 'core/formats/sia', 'core/formats/arrow'],
  ['core/formats/jsbinary', 'core/formats/protojson', 'core/kernels', 'core/slicing'],
  ['core/formats', 'core/messages', 'core/rows', 'core/shaping.ts'],
  ['core/previous'],
  // Runs in a worker.
  ['worker'],
  // The calls of a page or Node.
  ['main/changes.ts', 'main/pool', 'main/tables'],
  ['main/rows'],
  ['main/slices'],
  ['main/call'],
  ['main/block', 'main/encoder', 'main/json-schema', 'main/registry.ts', 'main/run', 'main/validate.ts'],
  ['main/live', 'main/previous', 'main/streams', 'main/encode.ts', 'main/json-schema.ts'],
  ['main/decoder', 'main/partial.ts', 'main/socket', 'main/sync.ts'],
  ['main/server', 'main/service-worker', 'main/exports.ts', 'main/socket.ts'],
  ['main/index.ts', 'main/core.ts', 'main/inline.ts', 'main/node.ts', 'main/server.ts'],
  ['main/cli'],
];

/** Folders that the rules cover. Tests and scripts may import anything. */
const FOLDERS = ['core', 'worker', 'main', 'devtools-extension', 'demo'].filter((name) => existsSync(join(REPOSITORY, name)));

/** The panel's adapter, which evaluates code in the inspected page. */
const PANEL_ADAPTER = 'devtools-extension/adapter/devtools.ts';

/** AssemblyScript, which imports only itself. Only the memory layout is TypeScript too. */
const ASSEMBLY = 'core/kernels/assembly/';
const LAYOUT = `${ASSEMBLY}layout.ts`;

const files = FOLDERS.flatMap(sourceFiles).filter((file) => !file.startsWith(ASSEMBLY) || file === LAYOUT);

const known = new Set(files);

describe('imports', () => {
  test.each(files)('allows every import of %s', (file) => {
    const broken = forbidden(file, references(file));
    expect(broken.map(({ kind, target, line }) => `${file}:${line}: ${kind} reference to ${target}`)).toEqual([]);
  });

  test('finds references of every kind', () => {
    const source = `
      import a from './a.ts';
      import type { B } from './b.ts';
      export * from '../c.ts';
      export { d } from 'd';
      import './e.ts';
      type F = import('./f.ts').F;
      const g = import('./g.ts');
      const h = import(\`./\${name}.ts\`);
      const i = new Worker(new URL('i.js', import.meta.url));
      const folder = new URL('../data/', import.meta.url);
      const j = 'import k from "./k.ts"'; // import('./l.ts')
    `;
    expect(references('main/x/y.ts', source).map(({ kind, target }) => `${kind} ${target}`)).toEqual([
      'static main/x/a.ts',
      'type main/x/b.ts',
      'static main/c.ts',
      'static d',
      'static main/x/e.ts',
      'type main/x/f.ts',
      'dynamic main/x/g.ts',
      'dynamic `./${name}.ts`',
      'url main/x/i.js',
    ]);
  });

  test('detects references that break a rule', () => {
    const breaks = (file: string, source: string): boolean => forbidden(file, references(file, source)).length > 0;
    expect(breaks('core/bytes/text/text.ts', "import '../../../main/pool/pool.ts'")).toBe(true);
    expect(breaks('core/bytes/text/text.ts', "import 'comlink'")).toBe(true);
    expect(breaks('main/pool/pool.ts', "import '../../core/formats/json/index.ts'")).toBe(true);
    expect(breaks('main/pool/pool.ts', "import('../../core/formats/json/index.ts')")).toBe(true);
    expect(breaks('main/pool/pool.ts', "import('./call.ts')")).toBe(false);
    expect(breaks('main/pool/pool.ts', 'import(format)')).toBe(true);
    expect(breaks('demo/app.ts', "import '../main/index.ts'")).toBe(true);
    expect(breaks('demo/app.ts', "import 'unspool'")).toBe(false);
  });
});

test('creates no code from text, except where the panel evaluates in the inspected page', () => {
  expect(files.filter((file) => file !== PANEL_ADAPTER && makesCode(file))).toEqual([]);
});

test('takes no random number that a stranger could predict', () => {
  const shipped = files.filter((file) => /^(?:core|main|worker|devtools-extension)\//.test(file));
  expect(shipped.length).toBeGreaterThan(300);
  expect(shipped.filter((file) => readSource(file).includes('Math.random'))).toEqual([]);
});

test('allows pages of the extension no markup or script that its policy has not made', () => {
  const { content_security_policy: policy } = JSON.parse(readSource('devtools-extension/public/manifest.json')) as {
    content_security_policy: { extension_pages: string };
  };
  const directives = policy.extension_pages.split('; ');
  for (const needed of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'", 'trusted-types unspool-panel']) {
    expect(directives).toContain(needed);
  }
});

test('generates the cases of every property from one seed', () => {
  const direct = sourceFiles('tests').filter((file) => references(file).some(({ target }) => target === 'fast-check'));
  expect(direct).toEqual(['tests/setup/properties/fast-check.ts']);
});

test('reduces the number of cases only in tests/setup/properties/fast-check.ts, never in a property', () => {
  const twice = sourceFiles('tests').filter(
    (file) => file !== 'tests/setup/properties/fast-check.ts' && /\bnumRuns: caseCount\(/.test(readSource(file)),
  );
  expect(twice).toEqual([]);
});

test('contains no circular imports, including type imports', () => {
  const imports = new Map(files.map((file) => [file, references(file).map(({ target }) => target)]));
  expect(circlesOf(imports)).toEqual([]);
});

test('finds a circular import', () => {
  const imports = new Map([
    ['a', ['b', 'x']],
    ['b', ['c']],
    ['c', ['b', 'a']],
    ['d', ['a']],
  ]);
  expect(circlesOf(imports)).toEqual(['b → c → b', 'a → b → c → a']);
});

test('keeps at most 15 files in each folder', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
});

test('has arrows that run down only, between the rooms of core, worker and main', () => {
  const floors = new Map(FLOORS.flatMap((rooms, floor) => rooms.map((room) => [room, floor])));
  const roomOf = (file: string): string => {
    for (let at = file; at !== '.'; at = dirname(at)) if (floors.has(at)) return at;
    throw new Error(`No floor has ${file}`);
  };
  const upwards = files
    .filter((file) => /^(?:core|worker|main)\//.test(file) && !file.startsWith('core/kernels/assembly/'))
    .flatMap((file) =>
      references(file)
        .filter(({ target }) => known.has(target) && roomOf(target) !== roomOf(file) && floors.get(roomOf(target))! >= floors.get(roomOf(file))!)
        .map(({ target, line }) => `${file}:${line} imports ${target}`),
    );
  expect(upwards).toEqual([]);
});

test('finds only entry points at the top of main/', () => {
  const top = sourceFiles('main').filter((file) => file.split('/').length === 2);
  expect(top).toEqual([
    'main/changes.ts',
    'main/core.ts',
    'main/encode.ts',
    'main/exports.ts',
    'main/index.ts',
    'main/inline.ts',
    'main/json-schema.ts',
    'main/node.ts',
    'main/partial.ts',
    'main/registry.ts',
    'main/server.ts',
    'main/socket.ts',
    'main/sync.ts',
    'main/validate.ts',
  ]);
});

/** Import cycles, found by a walk from each file. */
function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) circles.push([...path.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return circles;
}

function forbidden(file: string, found: readonly Reference[]): Reference[] {
  const rule = RULES.find((candidate) => matches(candidate.files, file));
  if (rule === undefined) throw new Error(`No rule is for ${file}`);
  return found.filter((reference) => !rule.may.some((permission) => permits(permission, reference)));
}

function permits([pattern, ...kinds]: Permission, { kind, target }: Reference): boolean {
  return matches(pattern, target) && (kinds.length === 0 || kinds.includes(kind));
}

function matches(pattern: string, path: string): boolean {
  const text = pattern.replaceAll(/[.+?]/g, String.raw`\$&`).replaceAll(/\*\*?/g, (stars) => (stars === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${text}$`).test(path);
}
