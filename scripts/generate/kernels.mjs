#!/usr/bin/env node
/**
 * Compiles the row kernels, AssemblyScript in `core/kernels/assembly/`: those of JSON and MessagePack, named in
 * `index.ts`, into `core/kernels/module.ts`, and each other `formats/<format>.ts` into
 * `core/formats/<format>/kernel.ts`. These files contain the module as text, so they work anywhere: in a bundle, in a
 * test, or in a page served from the sources. They are committed; `npm run build` regenerates them, and `npm run check`
 * fails if one is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILT_IN, FORMATS as IDS } from '../formats.mjs';
import { ROOT } from '../run.mjs';

const FOLDER = join(ROOT, 'core/kernels');
const FORMATS = join(ROOT, 'core/formats');
const FLAGS = ['-O3s', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '8'];

/**
 * The part of the compiler's interface used here. Its own types declare AssemblyScript's globals, which would apply to
 * all files.
 *
 * @typedef {object} Host
 * @property {(name: string, folder: string) => string | null} readFile
 * @property {(name: string, contents: string | Uint8Array) => void} writeFile
 * @property {() => null} listFiles
 */
const COMPILER = 'assemblyscript/asc';

/**
 * A module: its entry in `assembly/` without the extension, the file to write, and the constant for its text.
 *
 * @typedef {{ source: string, file: string, constant: string, of: string }} Module
 * @type {readonly Module[]}
 */
const MODULES = [
  { source: 'index', file: join(FOLDER, 'module.ts'), constant: 'KERNELS', of: 'The row kernels of JSON and MessagePack' },
  ...IDS.filter((id) => !BUILT_IN.includes(id) && existsSync(join(FOLDER, `assembly/formats/${id}.ts`))).map((id) => ({
    source: `formats/${id}`,
    file: join(FORMATS, id, 'kernel.ts'),
    constant: 'KERNEL',
    of: 'The row kernel',
  })),
];

/**
 * Compiles a module. Returns its binary.
 *
 * @param {Module} module
 */
async function compile({ source }) {
  /** @type {{ default: { main(options: string[], host: Host): Promise<{ error: Error | null, stderr: { toString(): string } }> } }} */
  const { default: asc } = await import(COMPILER);
  /** @type {string | Uint8Array | undefined} */
  let written;
  const { error, stderr } = await asc.main([`${source}.ts`, '--outFile', 'kernel.wasm', ...FLAGS], {
    readFile(file, folder) {
      try {
        return readFileSync(join(folder === '.' ? join(FOLDER, 'assembly') : folder, file), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile(_file, contents) {
      written = contents;
    },
    listFiles: () => null,
  });
  if (error || !(written instanceof Uint8Array)) throw new Error(`the kernels do not compile:\n${stderr.toString()}`);
  return written;
}

/** Expected content of a module's file. */
async function textOf(/** @type {Module} */ module) {
  const { source, constant, of } = module;
  const binary = await compile(module);
  return `/** ${of}, compiled from \`assembly/${source}.ts\` by \`scripts/generate/kernels.mjs\`, as text: ${binary.length} bytes. */\nexport const ${constant} =\n  '${encode(binary)}';\n`;
}

/**
 * Encodes bytes as text that, unlike base64, keeps equal bytes equal, which makes it a quarter smaller after
 * compression: one character from `(` on per byte below 87, the most common ones; `#` before a character adds 87, `$`
 * adds 174.
 *
 * @param {Uint8Array} bytes
 */
function encode(bytes) {
  return Array.from(bytes, (byte) => ['', '#', '$'][Math.floor(byte / 87)] + String.fromCharCode(40 + (byte % 87)))
    .join('')
    .replaceAll('\\', '\\\\');
}

export async function buildKernels() {
  for (const module of MODULES) {
    const text = await textOf(module);
    if (readText(module) !== text) writeFileSync(module.file, text);
  }
}

/** True if every file matches its sources. */
export async function kernelsAreCurrent() {
  for (const module of MODULES) if (readText(module) !== (await textOf(module))) return false;
  return true;
}

function readText(/** @type {Module} */ { file }) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels();
