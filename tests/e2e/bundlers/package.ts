import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/run.mjs';

const run = promisify(execFile);

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
  const packed = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', `./${filename}`);
}

/** Lists the files that npm would publish. */
export async function packedFiles(): Promise<string[]> {
  const packed = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--dry-run');
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

async function npm(cwd: string, ...options: string[]): Promise<string> {
  const { npm_execpath: path } = process.env;
  // Runs the npm that runs this script, or else the one on the path, which on Windows is a script.
  const { stdout } = path?.endsWith('npm-cli.js')
    ? await run(process.execPath, [path, ...options], { cwd })
    : await run('npm', options, { cwd, shell: process.platform === 'win32' });
  return stdout;
}
