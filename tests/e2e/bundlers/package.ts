import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/run.mjs';

const run = promisify(execFile);

/**
 * An application in `folder`, with the package as npm would publish and install it. What the package needs comes from the
 * repository, so that nothing is downloaded.
 */
export async function makeApplication(folder: string): Promise<void> {
  await mkdir(folder);
  const manifest = { name: 'application', private: true, type: 'module' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await cp(join(import.meta.dirname, 'app'), join(folder, 'src'), { recursive: true });
  const packed = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  const options = ['--offline', '--no-audit', '--no-fund', '--no-package-lock'];
  await npm(folder, 'install', ...options, `./${filename}`, join(ROOT, 'node_modules/comlink'));
}

async function npm(cwd: string, ...options: string[]): Promise<string> {
  const { npm_execpath: path } = process.env;
  // Under npm, the very npm; otherwise the one on the path, which on Windows is a script.
  const { stdout } = path?.endsWith('npm-cli.js')
    ? await run(process.execPath, [path, ...options], { cwd })
    : await run('npm', options, { cwd, shell: process.platform === 'win32' });
  return stdout;
}
