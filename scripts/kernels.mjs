#!/usr/bin/env node
/**
 * Compiles the row kernels, AssemblyScript in `worker/sinks/kernels/assembly/`, into `worker/sinks/kernels/module.ts`: the
 * module's bytes as text, so that they are there wherever the sources are, in a bundle, a test or a page that is served
 * from them. The file is kept with the sources; `npm run build` writes it anew, and `npm run check` tells when it is stale.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './run.mjs';

const FOLDER = join(ROOT, 'worker/sinks/kernels');
const MODULE = join(FOLDER, 'module.ts');
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
 * Compiles the kernels: the module and what else is written, by name.
 *
 * @param {readonly string[]} [flags]
 */
async function compile(flags = []) {
  /** @type {{ default: { main(options: string[], host: Host): Promise<{ error: Error | null, stderr: { toString(): string } }> } }} */
  const { default: asc } = await import(COMPILER);
  /** @type {Map<string, string | Uint8Array>} */
  const written = new Map();
  const { error, stderr } = await asc.main(['index.ts', '--outFile', 'kernels.wasm', ...FLAGS, ...flags], {
    readFile(name, folder) {
      try {
        return readFileSync(join(folder === '.' ? join(FOLDER, 'assembly') : folder, name), 'utf8');
      } catch {
        return null;
      }
    },
    writeFile(name, contents) {
      written.set(name, contents);
    },
    listFiles: () => null,
  });
  if (error) throw new Error(`the kernels do not compile:\n${stderr.toString()}`);
  return written;
}

/** The text that `module.ts` is to have. */
async function moduleText() {
  const binary = /** @type {Uint8Array} */ ((await compile()).get('kernels.wasm'));
  // A compressed file has hexadecimal digits in a quarter less than base 64, where no byte is as another of the same value.
  const text = Buffer.from(binary).toString('hex');
  return `/** The row kernels, compiled from \`assembly/\` by \`scripts/kernels.mjs\`, in hexadecimal digits: ${binary.length} bytes. */\nexport const KERNELS =\n  '${text}';\n`;
}

/** Compiles the kernels. Returns whether `module.ts` was up to date. */
export async function buildKernels() {
  const text = await moduleText();
  if (readText() === text) return true;
  writeFileSync(MODULE, text);
  return false;
}

/** Whether `module.ts` is what the sources compile to. */
export async function kernelsAreCurrent() {
  return readText() === (await moduleText());
}

/**
 * Writes the module and its source map, which has the sources in it, to a folder: what a debugger takes for the module
 * that a worker has.
 *
 * @param {string} folder
 */
export async function writeKernelMap(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, contents] of await compile(['--sourceMap'])) writeFileSync(join(folder, name), contents);
}

function readText() {
  try {
    return readFileSync(MODULE, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels();
