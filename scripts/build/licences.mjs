import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';

/** @typedef {import('vite').Plugin} Plugin */

/** Matches the folder of a module's package. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const FILE = /^(?:licen[cs]e|copying|notice)/i;
/** Kernels in WebAssembly: AssemblyScript compiles parts of its library into them. */
const KERNEL = /\/core\/(?:kernels\/module|formats\/\w+\/kernel)\.ts$/;
const FILE_NAME = 'THIRD-PARTY-LICENSES.txt';
/** Between the licences in a file, each of which begins with a package. */
const BETWEEN = `\n${'-'.repeat(80)}\n\n`;

/**
 * Plugins that write `THIRD-PARTY-LICENSES.txt` next to the output: the licences of all bundled packages, which require
 * it. `collect` is for the builds of workers, which end before the page's build. `write` takes folders of builds whose
 * files are part of this one, with the licences that they have by then.
 *
 * @returns {{ collect: () => Plugin, write: (...builds: string[]) => Plugin }}
 */
export function licences() {
  /** @type {Set<string>} */
  const folders = new Set();
  /** @param {import('vite').Rolldown.OutputBundle} bundle */
  const take = (bundle) => {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    for (const module of modules.map((id) => id.replaceAll('\\', '/'))) {
      const [folder] = PACKAGE.exec(module) ?? [];
      if (folder !== undefined && existsSync(join(folder, 'package.json'))) folders.add(folder);
      if (KERNEL.test(module)) folders.add(join(ROOT, 'node_modules/assemblyscript'));
    }
  };
  return {
    collect: () => ({ name: 'collect-licences', generateBundle: (_options, bundle) => take(bundle) }),
    write: (...builds) => ({
      name: 'write-licences',
      generateBundle(_options, bundle) {
        take(bundle);
        const built = builds.flatMap((build) =>
          readFileSync(join(ROOT, build, FILE_NAME), 'utf8')
            .split(BETWEEN)
            .slice(1),
        );
        const texts = [...new Set([...[...folders].map(licenceOf), ...built])].toSorted((a, b) => a.localeCompare(b, 'en'));
        const source = ['Licences of the packages bundled into these files.\n', ...texts].join(BETWEEN);
        this.emitFile({ type: 'asset', fileName: FILE_NAME, source });
      },
    }),
  };
}

/** @param {string} folder */
function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder)
    .filter((file) => FILE.test(file))
    .toSorted();
  const by = typeof author === 'string' ? author : author?.name;
  const text = files.length > 0 ? files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n') : by;
  return `${name} ${version} (${license})\n\n${text ?? ''}\n`;
}
