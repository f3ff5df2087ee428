import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSource, REPOSITORY, sourceFiles } from '../sources/imports.ts';

/** Folders with files that run in browser tests. */
const FOLDERS = [
  'main',
  'core',
  'worker',
  'demo',
  'devtools-extension',
  'docs/examples',
  'tests/browser',
  'tests/conformance',
  'tests/fuzz',
  'tests/matrix',
  'tests/setup',
  'tests/unit',
];
/** Files in these folders that run only in Node. */
const NODE_ONLY =
  /\.node(?:\.test)?\.ts$|^demo\/server\/(?!data\/)|^tests\/unit\/(?:bench|demo\/server)\/|^tests\/setup\/panel\/(?:generated-apps|npm-clients)\.ts$/;
/** `from 'package'`, `import 'package'` and `import('package')`, except type imports. */
const IMPORT = /^(?!\s*(?:import|export) type\b).*?\b(?:from|import) ?\(?'((?:@[\w.-]+\/)?[a-z][\w./-]*)'/gm;

/**
 * Every package that browser tests import, directly or indirectly. Vite must optimize them before the tests start, since a
 * package found later reloads the page during a run.
 */
export function browserPackages(): string[] {
  const found = new Set(['preact/jsx-dev-runtime', 'preact/jsx-runtime']);
  for (const file of FOLDERS.filter((folder) => existsSync(join(REPOSITORY, folder))).flatMap(sourceFiles)) {
    if (NODE_ONLY.test(file) || isOtherExample(file)) continue;
    for (const [, name] of readSource(file).matchAll(IMPORT)) if (isInstalled(name!)) found.add(name!);
  }
  return [...found].toSorted();
}

/** The examples that `tests/browser/examples` imports; `tests/e2e/examples.test.ts` builds all of them. */
const IMPORTED = /^docs\/examples\/(?:0[1-46-9]|11|14|2[12347]|3[45])-[^/]+\/(?:index|react)\.ts$/;

function isOtherExample(file: string): boolean {
  return file.startsWith('docs/examples/') && !IMPORTED.test(file);
}

function isInstalled(name: string): boolean {
  const [first = '', second = ''] = name.split('/');
  // The library's own name stands for its sources: see `libraryAlias` in vite.config.ts.
  if (first === 'unspool' || first === 'vitest' || first === '@vitest' || first === 'vite') return false;
  return existsSync(join(REPOSITORY, 'node_modules', first.startsWith('@') ? `${first}/${second}` : first));
}
