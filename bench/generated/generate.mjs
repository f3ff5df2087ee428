#!/usr/bin/env node
/**
 * Writes the code of the libraries whose compilers are no npm packages, or pull in conflicting ones: see README.md. Needs
 * `protoc`, `flatc` and `capnp` on the path.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SCHEMAS = fileURLToPath(new URL('../../demo/server/schemas', import.meta.url));
const DATASETS = /** @type {const} */ (['trips', 'numbers']);
const ROOTS = { trips: 'Trips', numbers: 'Numbers' };

const GENERATORS = /** @type {Record<string, () => void | Promise<void>>} */ ({
  bufbuild: () => DATASETS.forEach((dataset) => write(`bufbuild/${dataset}.js`, bufbuild(dataset))),
  flatbuffers,
  'capnp-es': capnproto,
  protons,
});

const work = mkdtempSync(join(tmpdir(), 'unspool-generate-'));
try {
  // The folders named as arguments, or all.
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GENERATORS)) await GENERATORS[name]();
} finally {
  rmSync(work, { recursive: true });
}

/**
 * @param {string} path
 * @param {string} code
 */
function write(path, code) {
  const file = join(HERE, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `// @ts-nocheck\n${code.trim()}\n`);
}

/**
 * Prints what protoc-gen-es does: the descriptor of the file, and a reference to its root message.
 *
 * @param {'trips' | 'numbers'} dataset
 */
function bufbuild(dataset) {
  const set = join(work, `${dataset}.desc`);
  execFileSync('protoc', ['-I', SCHEMAS, '--descriptor_set_out', set, `${dataset}.proto`]);
  const bytes = readFileSync(set);
  // A FileDescriptorSet of one file is a tag, a length and that file.
  const at = bytes[1] < 0x80 ? 2 : 3;
  return [
    "import { fileDesc, messageDesc } from '@bufbuild/protobuf/codegenv2';",
    '',
    `export const file = fileDesc('${bytes.subarray(at).toString('base64')}');`,
    `export const ${ROOTS[dataset]}Schema = messageDesc(file, 0);`,
  ].join('\n');
}

async function flatbuffers() {
  execFileSync('flatc', ['--ts', '-o', work, ...DATASETS.map((dataset) => join(SCHEMAS, `${dataset}.fbs`))]);
  for (const dataset of DATASETS) {
    await build({
      entryPoints: [join(work, `${dataset}_generated.ts`)],
      absWorkingDir: work,
      bundle: true,
      external: ['flatbuffers'],
      format: 'esm',
      target: 'es2022',
      outfile: join(HERE, `flatbuffers/${dataset}.js`),
      banner: { js: '// @ts-nocheck' },
    });
  }
}

/** The compiler of capnp-es needs TypeScript 5: both are installed into a temporary folder. */
function capnproto() {
  const { version } = JSON.parse(readFileSync(new URL('../../node_modules/capnp-es/package.json', import.meta.url), 'utf8'));
  execFileSync('npm', ['install', '--prefix', work, '--no-audit', '--no-fund', `capnp-es@${version}`, 'typescript@5'], { stdio: 'inherit' });
  const files = DATASETS.map((dataset) => `${dataset}.capnp`);
  const environment = { ...process.env, PWD: SCHEMAS };
  const plugin = join(work, 'node_modules/.bin/capnpc-js');
  execFileSync('capnp', ['compile', `-o${plugin}:${work}`, ...files], { cwd: SCHEMAS, env: environment, stdio: 'inherit' });
  for (const dataset of DATASETS) write(`capnp-es/${dataset}.js`, readFileSync(join(work, `${dataset}.js`), 'utf8'));
}

/** The generator of protons depends on another protobufjs: it is installed into a temporary folder. */
function protons() {
  execFileSync('npm', ['install', '--prefix', work, '--no-audit', '--no-fund', 'protons@9'], { stdio: 'inherit' });
  for (const dataset of DATASETS) {
    const proto = readFileSync(join(SCHEMAS, `${dataset}.proto`), 'utf8');
    const source = join(work, `${dataset}.proto`);
    // It does not support packages, and reads int64 as bigint by default.
    writeFileSync(source, proto.replace(/^package .*$/m, '').replaceAll(/(int64 \w+ = \d+);/g, '$1 [jstype = JS_NUMBER];'));
    execFileSync(process.execPath, [join(work, 'node_modules/protons/dist/bin/protons.js'), '--output', work, source], { stdio: 'inherit' });
    write(`protons/${dataset}.js`, transformSync(readFileSync(join(work, `${dataset}.ts`), 'utf8'), { loader: 'ts', target: 'es2022' }).code);
  }
}
