import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/run.mjs';
import { npm } from '../../setup/build/npm.ts';

/**
 * Creates an application in `folder`, with the files of `source` and the package as npm publishes and installs it. Needs no
 * download, as the package has no dependencies.
 */
export async function makeApplication(folder: string, source = join(import.meta.dirname, 'app')): Promise<void> {
  await mkdir(folder);
  const manifest = {
    name: 'application',
    private: true,
    type: 'module',
    // Makes Parcel respect the `exports` of packages.
    '@parcel/resolver-default': { packageExports: true },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await cp(source, join(folder, 'src'), { recursive: true });
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', `./${await pack(folder)}`);
}

/** Packs the library as npm publishes it, into a folder. Returns the name of the file. */
export async function pack(folder: string): Promise<string> {
  const packed = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  return filename;
}

/** Lists the files that npm would publish. */
export async function packedFiles(): Promise<string[]> {
  const packed = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--dry-run');
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}
