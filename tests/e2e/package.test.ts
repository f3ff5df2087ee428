/** What would be published. */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/run.mjs';
import { FORMATS } from '../../core/formats/registry.ts';
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
  it('has the library, its types, and what is to be read first; nothing else', () => {
    expect(files.filter((file) => !file.startsWith('dist/')).toSorted()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(files.filter((file) => !/\.(?:js|wasm|wasm\.map|js\.map|d\.ts|md|json)$|LICENSES?(?:\.txt)?$/.test(file))).toEqual([]);
  });

  it('has the file of every entry, and its types', () => {
    const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === 'string' ? [target] : [target.types, target.default]));
    const named = targets.flatMap((path) => (path.includes('*') ? FORMATS.map(({ id }) => path.replace('*', id)) : [path]));
    expect(named.filter((path) => !files.includes(path.replace('./', '')))).toEqual([]);
  });

  it('needs no other package: its types name none either', async () => {
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

  it.each(['dom,dom.iterable', 'webworker'])('has types that need no more of an application than ES2022 and its own globals (%s)', (globals) => {
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

  it.each(['worker', 'service-worker', 'sync', 'validate', ...FORMATS.map(({ id }) => `formats/${id}`)])(
    'is one file for %s, which loads no other',
    async (entry) => {
      const loaded = new Set([join(ROOT, 'dist', `${entry}.js`)]);
      for (const file of loaded) {
        const text = await readFile(file, 'utf8');
        for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)"(\.[^"]+)"/g)) loaded.add(join(dirname(file), name!));
      }
      expect([...loaded].map((file) => relative(ROOT, file))).toEqual([`dist/${entry}.js`]);
    },
  );

  it.each([
    ['index.js', ['Decoder', 'Rows', 'Batches', 'DecodeError', 'LimitError', 'SchemaError', 'WorkerCrashError', 'TimeoutError', 'NetworkError']],
    ['growing-rows.js', ['GrowingRows']],
    ['validate.js', ['ValidationError']],
    ['service-worker.js', ['ServiceWorkerDecoder', 'DecodingPlugin']],
    ['formats/cbor.js', ['CborTag', 'CborSimple']],
    ['formats/messagepack.js', ['MessagePackExtension']],
  ])('keeps the names that a console shows for the classes of %s', async (file, names) => {
    const code = await readFile(join(ROOT, 'dist', file), 'utf8');
    expect(names.filter((name) => !new RegExp(`\\b${name}=class\\b|\\bclass ${name}\\b`).test(code))).toEqual([]);
  });

  it('ships the licences of the packages that are built in, which are those that docs/reference/dependencies.md names', async () => {
    const text = await readFile(join(ROOT, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const licensed = [...text.matchAll(/^-+\n\n(\S+) \S+ \(\S+\)$/gm)].map(([, name]) => name);
    const listed = await readFile(join(ROOT, 'docs/reference/dependencies.md'), 'utf8');
    expect(licensed).toEqual([...listed.matchAll(/^\| `(\S+)` \(built in\) \|/gm)].map(([, name]) => name!).toSorted());
    expect(text.match(/^Copyright |\bCopyright \(c\)|Apache License/gm)?.length).toBeGreaterThanOrEqual(licensed.length);
  });

  it('has every file that it names as having side effects', () => {
    const patternOf = (path: string): RegExp =>
      new RegExp(
        `^${path
          .replace('./', '')
          .replaceAll('.', String.raw`\.`)
          .replace('*', '[^/]+')}$`,
      );
    expect(manifest.sideEffects.filter((path) => !files.some((file) => patternOf(path).test(file)))).toEqual([]);
  });

  it('is published with its provenance', () => {
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('names nothing of the machine that built it', async () => {
    const named = await Promise.all(files.map(async (file) => ((await readFile(join(ROOT, file), 'utf8')).includes(ROOT) ? [file] : [])));
    expect(named.flat()).toEqual([]);
  });
});
