import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('vite').Plugin} Plugin */

/** The folder of the package that a module belongs to. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const FILE = /^(?:licen[cs]e|copying|notice)/i;

/**
 * Plugins that write `THIRD-PARTY-LICENSES.txt` beside what is built: the licences of all packages that are built in,
 * which ask to be handed on with them. `collect` is for the builds of workers, which come before the page's ends.
 *
 * @returns {{ collect: () => Plugin, write: () => Plugin }}
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
    }
  };
  return {
    collect: () => ({ name: 'collect-licences', generateBundle: (_options, bundle) => take(bundle) }),
    write: () => ({
      name: 'write-licences',
      generateBundle(_options, bundle) {
        take(bundle);
        const texts = [...folders].map(licenceOf).toSorted((a, b) => a.localeCompare(b, 'en'));
        const source = ['What is built in of other packages, under their licences.\n', ...texts].join(`\n${'-'.repeat(80)}\n\n`);
        this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source });
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
