/** Tests the files that npm would publish. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/run.mjs';
import { FORMATS, NAMED_FORMS } from '../../core/formats/registry.ts';
import { packedFiles } from './bundlers/package.ts';

interface Manifest {
  exports: Record<string, string | { types: string; default: string }>;
  dependencies?: object;
  publishConfig: object;
  sideEffects: string[];
}

const compiler = join(createRequire(import.meta.url).resolve('typescript/package.json'), '../bin/tsc');

let files: string[];
let manifest: Manifest;

beforeAll(async () => {
  files = await packedFiles();
  manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Manifest;
});

describe('the package', () => {
  it('contains only the library, its types and the top documents', () => {
    expect(files.filter((file) => !file.startsWith('dist/')).toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(files.filter((file) => !/\.(?:js|wasm|wasm\.map|js\.map|d\.ts|md|json)$|LICENSES?(?:\.txt)?$/.test(file))).toEqual([]);
  });

  it('contains the file and the types of every entry', () => {
    const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [target] : [target.types, target.default]));
    const named = targets.flatMap((path) => (path.includes('*') ? [...FORMATS, ...NAMED_FORMS].map(({ id }) => path.replace('*', id)) : [path]));
    expect(named.filter((path) => !files.includes(path.replace('./', '')))).toEqual([]);
  });

  it('depends on no other package, not even in its types', async () => {
    expect(manifest.dependencies).toBeUndefined();
    const types = files.filter((file) => file.endsWith('.d.ts'));
    const foreign = await Promise.all(
      types.map(async (file) => {
        const text = (await readFile(join(ROOT, file), 'utf8')).replaceAll(/\/\*[^]*?\*\//g, '');
        const named = [...text.matchAll(/(?:\bfrom|\bimport) ?\(?['"]([^'"]+)['"]/g)].map(([, name]) => name!);
        return named.filter((name) => !name.startsWith('.')).map((name) => `${file}: ${name}`);
      }),
    );
    expect(foreign.flat()).toEqual([]);
  });

  it.each(['dom,dom.iterable', 'webworker'])('has types that compile with ES2022 and the globals of %s', (globals) => {
    const types = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [] : [target.types]));
    const named = types
      .filter((path) => !path.includes('*') && (globals !== 'webworker' || !path.endsWith('page.d.ts')))
      .map((path) => join(ROOT, path));
    const settings = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', ''];
    const { stdout } = spawnSync(process.execPath, [compiler, ...settings, '--lib', `es2022,${globals}`, '--ignoreConfig', ...named], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  });

  it.each([
    'worker',
    'worker-core',
    'service-worker',
    'sync',
    'partial',
    'validate',
    'server',
    ...[...FORMATS, ...NAMED_FORMS].map(({ id }) => `formats/${id}`),
  ])('has a single file for %s', async (entry) => {
    const loaded = new Set([join(ROOT, 'dist', `${entry}.js`)]);
    for (const file of loaded) {
      const text = await readFile(file, 'utf8');
      for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)"(\.[^"]+)"/g)) loaded.add(join(dirname(file), name!));
    }
    expect([...loaded].map((file) => relative(ROOT, file))).toEqual([`dist/${entry}.js`]);
  });

  it.each([
    ['core.js', ['Decoder', 'Batches', 'DecodeError', 'LimitError', 'SchemaError', 'WorkerCrashError', 'TimeoutError', 'NetworkError']],
    ['core.js', ['Rows', 'ArrowColumn']],
    ['open-answer.js', ['ServiceError']],
    ['growing-rows.js', ['GrowingRows']],
    ['socket.js', ['WorkerSocket']],
    ['validate.js', ['ValidationError']],
    ['server.js', ['RequestError']],
    ['service-worker.js', ['ServiceWorkerDecoder', 'DecodingPlugin']],
    ['formats/cbor.js', ['CborTag', 'CborSimple']],
    ['formats/messagepack.js', ['MessagePackExtension']],
  ])('keeps the class names of %s for consoles', async (file, names) => {
    const code = await readFile(join(ROOT, 'dist', file), 'utf8');
    expect(names.filter((name) => !new RegExp(`\\b${name} ?= ?class\\b|\\bclass ${name}\\b`).test(code))).toEqual([]);
  });

  it('ships the licenses of the bundled packages listed in docs/reference/dependencies.md', async () => {
    const text = await readFile(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const licensed = [...text.matchAll(/^-+\n\n(\S+) \S+ \(\S+\)$/gm)].map(([, name]) => name);
    const listed = await readFile(join(ROOT, 'docs/reference/dependencies.md'), 'utf8');
    expect(licensed).toEqual([...listed.matchAll(/^\| `(\S+)` \(built in\) \|/gm)].map(([, name]) => name!).toSorted());
    expect(text.match(/^Copyright |\bCopyright \(c\)|Apache License/gm)?.length).toBeGreaterThanOrEqual(licensed.length);
  });

  it('contains every file that it lists under side effects', () => {
    const patternOf = (path: string): RegExp =>
      new RegExp(
        `^${path
          .replace('./', '')
          .replaceAll('.', String.raw`\.`)
          .replace('*', '[^/]+')}$`,
      );
    expect(manifest.sideEffects.filter((path) => !files.some((file) => patternOf(path).test(file)))).toEqual([]);
  });

  it('publishes with provenance', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('names nothing of the machine that built it', async () => {
    const named = await Promise.all(files.map(async (file) => ((await readFile(join(ROOT, file), 'utf8')).includes(ROOT) ? [file] : [])));
    expect(named.flat()).toEqual([]);
  });
});
