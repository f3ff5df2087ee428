#!/usr/bin/env node
/**
 * Compiles the row kernels, AssemblyScript in `core/kernels/assembly/`: those of JSON and MessagePack, which
 * `index.ts` names, into `core/kernels/module.ts`, and each `formats/<format>.ts` besides into
 * `core/formats/<format>/kernel.ts`. These have the module's bytes as text, so that they are there wherever the sources
 * are, in a bundle, a test or a page that is served from them. The files are kept with the sources; `npm run build` writes
 * them anew, and `npm run check` tells when one is stale.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../run.mjs';

const FOLDER = join(ROOT, 'core/kernels');
const ROOMS = join(ROOT, 'core/formats');
/** Part of the module of `index.ts`. */
const BUILT_IN = ['json', 'messagepack'];
const FLAGS = ['-O3s', '--converge', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--initialMemory', '8'];

/**
 * The compiler, as far as it is used. Its own types declare AssemblyScript's globals, which would hold for all files.
 *
 * @typedef {object} Host
 * @property {(name: string, folder: string) => string | null} readFile
 * @property {(name: string, contents: string | Uint8Array) => void} writeFile
 * @property {() => null} listFiles
 */
const COMPILER = 'assemblyscript/asc';

/**
 * A module: its entry in `assembly/`, without the ending, what its file is, and the name of its text there.
 *
 * @typedef {{ name: string, source: string, file: string, constant: string, of: string }} Module
 * @type {readonly Module[]}
 */
const MODULES = [
  { name: 'index', source: 'index', file: join(FOLDER, 'module.ts'), constant: 'KERNELS', of: 'The row kernels of JSON and MessagePack' },
  ...readdirSync(ROOMS)
    .filter((id) => !BUILT_IN.includes(id) && existsSync(join(FOLDER, `assembly/formats/${id}.ts`)))
    .map((id) => ({ name: id, source: `formats/${id}`, file: join(ROOMS, id, 'kernel.ts'), constant: 'KERNEL', of: 'The row kernel' })),
];

/**
 * Compiles a module: its binary and what else is written, by name.
 *
 * @param {Module} module
 * @param {readonly string[]} [flags]
 */
async function compile({ name, source }, flags = []) {
  /** @type {{ default: { main(options: string[], host: Host): Promise<{ error: Error | null, stderr: { toString(): string } }> } }} */
  const { default: asc } = await import(COMPILER);
  /** @type {Map<string, string | Uint8Array>} */
  const written = new Map();
  const { error, stderr } = await asc.main([`${source}.ts`, '--outFile', `${outputOf(name)}.wasm`, ...FLAGS, ...flags], {
    readFile(file, folder) {
      try {
        return readFileSync(join(folder === '.' ? join(FOLDER, 'assembly') : folder, file), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile(file, contents) {
      written.set(file, contents);
    },
    listFiles: () => null,
  });
  if (error) throw new Error(`the kernels do not compile:\n${stderr.toString()}`);
  return written;
}

/** The name of a module's binary. */
function outputOf(/** @type {string} */ entry) {
  return entry === 'index' ? 'kernels' : entry;
}

/** The text that a module's file is to have. */
async function textOf(/** @type {Module} */ module) {
  const { name, source, constant, of } = module;
  const binary = /** @type {Uint8Array} */ ((await compile(module)).get(`${outputOf(name)}.wasm`));
  return `/** ${of}, compiled from \`assembly/${source}.ts\` by \`scripts/generate/kernels.mjs\`, as text: ${binary.length} bytes. */\nexport const ${constant} =\n  '${encode(binary)}';\n`;
}

/**
 * Bytes as text, of which a compressed file takes a quarter less than of base 64, where no byte is as another of the same
 * value: a character from `(` on for each below 87, as most are; `#` before one stands for 87 more, `$` for 174.
 *
 * @param {Uint8Array} bytes
 */
function encode(bytes) {
  return Array.from(bytes, (byte) => ['', '#', '$'][Math.floor(byte / 87)] + String.fromCharCode(40 + (byte % 87)))
    .join('')
    .replaceAll('\\', '\\\\');
}

/** Compiles the kernels. */
export async function buildKernels() {
  for (const module of MODULES) {
    const text = await textOf(module);
    if (readText(module) !== text) writeFileSync(module.file, text);
  }
}

/** Whether every file is what the sources compile to. */
export async function kernelsAreCurrent() {
  for (const module of MODULES) if (readText(module) !== (await textOf(module))) return false;
  return true;
}

/**
 * Writes the modules and their source maps, which have the sources in them, to a folder: what a debugger takes for the
 * module that a worker has.
 *
 * @param {string} folder
 */
export async function writeKernelMap(folder) {
  mkdirSync(folder, { recursive: true });
  for (const module of MODULES) {
    for (const [name, contents] of await compile(module, ['--sourceMap'])) writeFileSync(join(folder, name), contents);
  }
}

function readText(/** @type {Module} */ { file }) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels();
