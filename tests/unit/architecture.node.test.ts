import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makesCode, readSource, type Reference, type ReferenceKind, references, REPOSITORY, sourceFiles } from '../setup/imports.ts';

/** What a file may refer to: a path or package, where `**` stands for anything and `*` for a name, and how. */
type Permission = readonly [target: string, ...kinds: ReferenceKind[]];

interface Rule {
  /** The files: the first rule that fits a file holds for it. */
  files: string;
  may: readonly Permission[];
}

/** What of the worker the page's side uses too. */
const SHARED: readonly Permission[] = [
  // What crosses the thread boundary.
  ['worker/thread/protocol.ts', 'static'],
  ['worker/block/block.ts', 'static'],
  ['worker/block/block-file.ts', 'static'],
  ['worker/errors.ts', 'static'],
  ['worker/error-record.ts', 'static'],
  ['worker/limits.ts', 'static'],
  ['worker/formats/thrown.ts', 'static'],
  ['worker/events/revive.ts', 'static'],
  ['worker/events/binary.ts', 'static'],
  ['worker/events/record-list.ts', 'static'],
  ['worker/events/sources.ts', 'static'],
  // To tell a payload's format, and for small payloads, which are decoded in place.
  ['worker/formats/detect.ts', 'static'],
  ['worker/formats/registry.ts', 'static'],
  ['worker/formats/loaders.ts', 'static'],
  ['worker/formats/writers.ts', 'static'],
  ['worker/formats/revivers.ts', 'static'],
  ['worker/decode.ts', 'static', 'dynamic'],
  ['worker/specimens.ts', 'static'],
  ['worker/sinks/objects/objects.ts', 'static', 'dynamic'],
  ['worker/sinks/objects/root-lists.ts', 'static'],
  ['worker/sinks/shared-expansion.ts', 'static'],
  ['worker/sinks/columns/columns.ts', 'dynamic'],
  ['worker/bytes/wtf8.ts', 'static'],
  ['worker/bytes/zstd.ts', 'static'],
  // To read a payload, wherever that is done.
  ['worker/bytes/byte-input.ts', 'static'],
  // Types leave no code behind.
  ['worker/**', 'type'],
];

/** Packages that format modules load with `import()`, when a payload needs them. */
const LOADED_BY_FORMATS: readonly Permission[] = [
  ['fflate', 'dynamic'],
  ['fzstd', 'dynamic'],
];

/**
 * Who may import whom. A type import leaves no code behind and so is freer than a static one; where no kind is named,
 * every kind is meant.
 */
const RULES: readonly Rule[] = [
  // The worker imports nothing outside itself.
  { files: 'worker/thread/protocol.ts', may: [['worker/**', 'type']] },
  { files: 'worker/block/block.ts', may: [] },
  { files: 'worker/sinks/kernels/assembly/layout.ts', may: [] },
  { files: 'worker/entry.ts', may: [['worker/**', 'static', 'type'], ['comlink']] },
  { files: 'worker/thread/service.ts', may: [['worker/**', 'static', 'type'], ['comlink']] },
  // What loads every format, and what says where code is that the page has named.
  { files: 'worker/inline-entry.ts', may: [['worker/**', 'static', 'type', 'dynamic'], ['comlink']] },
  {
    files: 'worker/thread/code.ts',
    may: [
      ['worker/**', 'static', 'type'],
      ['url', 'dynamic'],
    ],
  },
  // A page has the facts of every format, and so nothing that they would bring along.
  {
    files: 'worker/formats/registry.ts',
    may: [
      ['worker/formats/*/about.ts', 'static'],
      ['worker/**', 'type'],
    ],
  },
  { files: 'worker/formats/*/about.ts', may: [['worker/**', 'type']] },
  // A name of the library alone, which comes to be part of Avro's file.
  { files: 'worker/formats/avro/deflate.ts', may: [['fflate', 'static']] },
  { files: 'worker/formats/avro/deflating.ts', may: [['fflate', 'static']] },
  { files: 'worker/formats/**', may: [['worker/**', 'static', 'type', 'dynamic'], ...LOADED_BY_FORMATS] },
  {
    files: 'worker/bytes/zstd.ts',
    may: [
      ['worker/**', 'static', 'type'],
      ['fzstd', 'dynamic'],
    ],
  },
  { files: 'worker/**', may: [['worker/**', 'static', 'type']] },

  // The page's side shares the boundary's files with the worker, and loads formats only when it needs them.
  { files: 'main/inline.ts', may: [['main/**'], ['worker/inline-entry.ts?worker&inline', 'static']] },
  // A service worker cannot load code later: what it decodes with is there from the start.
  {
    files: 'main/service-worker/**',
    may: [['main/**'], ...SHARED, ['worker/sinks/**', 'static'], ['worker/thread/turns.ts', 'static'], ['workbox-window', 'type', 'dynamic']],
  },
  { files: 'main/pool/code-files.ts', may: [['main/**'], ['worker/**', 'type'], ['url', 'dynamic']] },
  { files: 'main/**', may: [['main/**'], ['comlink'], ...SHARED] },

  // What formats code is large: it is loaded when it is first needed.
  { files: 'devtools-extension/reading/formatting/format-code.ts', may: [['js-beautify/**', 'static']] },

  // The panel reads bytes by itself, and knows of the page only what `observe` says.
  {
    files: 'devtools-extension/**',
    may: [
      ['devtools-extension/**'],
      ['worker/formats/**'],
      ['worker/sinks/**'],
      ['worker/decode.ts'],
      ['worker/formats/detect.ts'],
      ['worker/errors.ts'],
      ['worker/error-record.ts'],
      ['worker/limits.ts'],
      ['worker/budget.ts'],
      ['worker/events/**'],
      ['worker/bytes/text.ts'],
      ['worker/bytes/byte-input.ts'],
      ['worker/bytes/zstd-frames.ts'],
      ['main/decoder/observe.ts', 'type'],
      // Compression and the treemap.
      ['brotli/**', 'dynamic'],
      ['fflate'],
      ['fzstd'],
      ['d3-hierarchy'],
      ['preact/**'],
      ['preact'],
      ['@preact/signals'],
    ],
  },

  // The demo uses the library as its users do.
  {
    files: 'demo/server/**',
    may: [['demo/server/**'], ['node:**'], ['unspool'], ['unspool/**'], ['vega-datasets'], ['world-atlas/**']],
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

/** Folders that the rules cover; tests and scripts may import anything. */
const FOLDERS = ['worker', 'main', 'devtools-extension', 'demo'].filter((name) => existsSync(join(REPOSITORY, name)));

/** The panel has the inspected page evaluate. */
const PANEL_ADAPTER = 'devtools-extension/adapter/devtools.ts';

/** AssemblyScript, which imports nothing but itself; only the layout is TypeScript as well. */
const ASSEMBLY = 'worker/sinks/kernels/assembly/';
const LAYOUT = `${ASSEMBLY}layout.ts`;

const files = FOLDERS.flatMap(sourceFiles).filter((file) => !file.startsWith(ASSEMBLY) || file === LAYOUT);

describe('the imports', () => {
  test.each(files)('of %s keep the rules', (file) => {
    const broken = forbidden(file, references(file));
    expect(broken.map(({ kind, target, line }) => `${file}:${line}: ${kind} reference to ${target}`)).toEqual([]);
  });

  test('of every kind are found', () => {
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

  test('that break a rule are told from those that keep it', () => {
    const breaks = (file: string, source: string): boolean => forbidden(file, references(file, source)).length > 0;
    expect(breaks('worker/bytes/text.ts', "import '../../main/pool/pool.ts'")).toBe(true);
    expect(breaks('worker/bytes/text.ts', "import 'comlink'")).toBe(true);
    expect(breaks('main/pool/pool.ts', "import '../../worker/formats/json/index.ts'")).toBe(true);
    expect(breaks('main/pool/pool.ts', "import('../../worker/formats/json/index.ts')")).toBe(true);
    expect(breaks('main/pool/pool.ts', "import('./call.ts')")).toBe(false);
    expect(breaks('main/pool/pool.ts', 'import(format)')).toBe(true);
    expect(breaks('demo/app.ts', "import '../main/index.ts'")).toBe(true);
    expect(breaks('demo/app.ts', "import 'unspool'")).toBe(false);
  });
});

test('no code is made from text, but where the panel asks the inspected page', () => {
  expect(files.filter((file) => file !== PANEL_ADAPTER && makesCode(file))).toEqual([]);
});

test('every property takes its cases from the one seed', () => {
  const direct = sourceFiles('tests').filter((file) => references(file).some(({ target }) => target === 'fast-check'));
  expect(direct).toEqual(['tests/setup/fast-check.ts']);
});

test('no property makes its cases fewer by itself, since tests/setup/fast-check.ts does so for all', () => {
  const twice = sourceFiles('tests').filter((file) => file !== 'tests/setup/fast-check.ts' && /\bnumRuns: caseCount\(/.test(readSource(file)));
  expect(twice).toEqual([]);
});

test('files import each other in no circle, types included', () => {
  const imports = new Map(files.map((file) => [file, references(file).map(({ target }) => target)]));
  expect(circlesOf(imports)).toEqual([]);
});

test('a circle of imports is found', () => {
  const imports = new Map([
    ['a', ['b', 'x']],
    ['b', ['c']],
    ['c', ['b', 'a']],
    ['d', ['a']],
  ]);
  expect(circlesOf(imports)).toEqual(['b → c → b', 'a → b → c → a']);
});

test('the top of worker/ holds at most ten files', () => {
  expect(sourceFiles('worker').filter((file) => file.split('/').length === 2).length).toBeLessThanOrEqual(10);
});

test('the top of main/ holds entries only', () => {
  const top = sourceFiles('main').filter((file) => file.split('/').length === 2);
  expect(top).toEqual(['main/encode.ts', 'main/index.ts', 'main/inline.ts', 'main/sync.ts', 'main/validate.ts']);
});

/** The circles that a walk from each file meets. */
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
