import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Packages published later are not installed, so that tests do not change by themselves. */
const BEFORE = '2026-11-26';

/** Milliseconds for an answer of the registry, and for one installation. */
const ANSWER_MS = 20_000;
const INSTALLATION_MS = 300_000;

/** Runs the npm that runs this script, or else the one on the path, which on Windows is a script. Returns its output. */
export async function npm(cwd: string, ...options: string[]): Promise<string> {
  return await npmWithin(0, cwd, options);
}

/** The same, ended after some milliseconds. */
async function npmWithin(timeout: number, cwd: string, options: string[]): Promise<string> {
  const { npm_execpath: path } = process.env;
  const { stdout } = path?.endsWith('npm-cli.js')
    ? await run(process.execPath, [path, ...options], { cwd, timeout })
    : await run('npm', options, { cwd, timeout, shell: process.platform === 'win32' });
  return stdout;
}

/**
 * True if tests may install packages: not in CI, and not without a registry, which it says. For packages that single tests
 * need and that are too heavy to be dependencies of the repository.
 */
export async function canInstall(): Promise<boolean> {
  if (process.env['UNSPOOL_TIER'] === 'rest') return false;
  try {
    await npmWithin(ANSWER_MS, process.cwd(), ['view', 'npm', 'version']);
    return true;
  } catch {
    console.warn('Tests that install packages are skipped: the registry does not answer.');
    return false;
  }
}

/**
 * Installs the dependencies of a folder's `package.json`, or the given packages next to them, whose peers are found in folders
 * above. No script of a package runs.
 */
export async function install(folder: string, ...packages: string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', `--before=${BEFORE}`];
  const next = packages.length > 0 ? ['--no-save', '--legacy-peer-deps', ...packages] : [];
  await npmWithin(INSTALLATION_MS, folder, ['install', ...options, ...next]);
}
