#!/usr/bin/env node
/**
 * Finds the browsers for the tests, the benchmark and the demo's checks, and installs missing ones.
 *
 *   node scripts/browsers.mjs                    lists the browsers found
 *   node scripts/browsers.mjs --install          installs the missing ones, if this machine allows it
 *   node scripts/browsers.mjs --install chromium installs only the given engines
 *
 * Fails if Chromium is unavailable; Firefox and WebKit are optional.
 *
 * Environment: UNSPOOL_CHROMIUM (or CHROME_PATH, CHROME_BIN) and UNSPOOL_FIREFOX (or FIREFOX_BIN) name an executable;
 * PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 forbids Playwright's downloads, UNSPOOL_SKIP_INSTALL=1 any installation.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import playwright from 'playwright-core';

/**
 * How to start an engine: through Playwright with these launch options, or through WebKitGTK's WebDriver.
 *
 * @typedef {{ executablePath: string, channel?: string }} LaunchOptions
 * @typedef {{ engine: Engine, path: string, from: string, launch: LaunchOptions }} Launched
 * @typedef {{ engine: 'webkit', path: string, from: string, driver: string, display: string }} Driven
 * @typedef {'chromium' | 'firefox' | 'webkit'} Engine
 */

const { env, platform } = process;
const require = createRequire(import.meta.url);

/** @type {readonly Engine[]} */
export const ENGINES = ['chromium', 'firefox', 'webkit'];

/** Usual install locations, the preferred one first. */
const INSTALLED = {
  chromium: {
    commands: [
      'chromium',
      'chromium-browser',
      'google-chrome-stable',
      'google-chrome',
      'google-chrome-beta',
      'microsoft-edge-stable',
      'microsoft-edge',
    ],
    mac: [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ],
    windows: ['Google\\Chrome\\Application\\chrome.exe', 'Chromium\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'],
  },
  firefox: {
    commands: ['firefox-esr', 'firefox'],
    mac: ['Firefox.app/Contents/MacOS/firefox'],
    windows: ['Mozilla Firefox\\firefox.exe'],
  },
};

/** @param {string} command */
function onPath(command) {
  const folders = (env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
}

/** @param {'chromium' | 'firefox'} engine */
function installed(engine) {
  const { commands, mac, windows } = INSTALLED[engine];
  const roots = {
    darwin: ['/Applications', join(env.HOME ?? '', 'Applications')],
    win32: [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter((root) => root !== undefined),
  };
  if (platform === 'darwin') return roots.darwin.flatMap((root) => mac.map((app) => join(root, app))).find(existsSync);
  if (platform === 'win32') {
    return roots.win32.flatMap((root) => windows.map((exe) => join(root, exe))).find(existsSync);
  }
  return commands.map(onPath).find((path) => path !== undefined && !isSnapStub(path));
}

/** Ubuntu's `chromium-browser` and `firefox` may be scripts that only print "install the snap". */
function isSnapStub(/** @type {string} */ path) {
  try {
    const head = readFileSync(path).subarray(0, 4096).toString('latin1');
    return head.startsWith('#!') && /snap install|\/snap\/bin/.test(head) && !existsSync('/snap/bin');
  } catch {
    return false;
  }
}

/** @param {Engine} engine */
function ofPlaywright(engine) {
  try {
    const path = playwright[engine].executablePath();
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string[]} names */
function fromEnvironment(names) {
  for (const name of names) {
    const path = env[name];
    if (!path) continue;
    if (!existsSync(path)) throw new Error(`${name} names ${path}, which does not exist`);
    return { path, from: name };
  }
  return undefined;
}

/** @returns {Launched | undefined} */
export function findChromium() {
  const named = fromEnvironment(['UNSPOOL_CHROMIUM', 'CHROME_PATH', 'CHROME_BIN']);
  const path = named?.path ?? installed('chromium') ?? ofPlaywright('chromium');
  if (path === undefined) return undefined;
  const from = named?.from ?? (path === ofPlaywright('chromium') ? 'Playwright' : 'installed');
  return { engine: 'chromium', path, from, launch: { executablePath: path } };
}

/** @returns {Launched | undefined} */
export function findFirefox() {
  const own = ofPlaywright('firefox');
  const named = fromEnvironment(['UNSPOOL_FIREFOX', 'FIREFOX_BIN']);
  const path = named?.path ?? installed('firefox') ?? own;
  if (path === undefined) return undefined;
  if (path === own) return { engine: 'firefox', path, from: 'Playwright', launch: { executablePath: path } };
  // Mozilla's own Firefox builds support WebDriver BiDi, but not Playwright's protocol.
  const launch = { executablePath: path, channel: 'moz-firefox' };
  return { engine: 'firefox', path, from: named?.from ?? 'installed', launch };
}

/** @returns {Launched | Driven | undefined} */
export function findWebKit() {
  const own = ofPlaywright('webkit');
  if (own !== undefined) return { engine: 'webkit', path: own, from: 'Playwright', launch: { executablePath: own } };
  const driver = onPath('WebKitWebDriver');
  const display = onPath('Xvfb');
  const path = miniBrowser();
  if (platform !== 'linux' || !driver || !display || !path) return undefined;
  return { engine: 'webkit', path, from: 'WebKitGTK', driver, display };
}

/** WebKitGTK's test browser, in the folder of the library's version. */
function miniBrowser() {
  const versions = ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0'];
  const folders = ['/usr/lib', '/usr/libexec', '/usr/lib64'].filter(existsSync);
  const nested = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.includes('-linux-')) : [];
  return [...nested.map((name) => join('/usr/lib', name)), ...folders]
    .flatMap((folder) => versions.map((version) => join(folder, version, 'MiniBrowser')))
    .find(existsSync);
}

/** @param {Engine} engine */
export function find(engine) {
  return { chromium: findChromium, firefox: findFirefox, webkit: findWebKit }[engine]();
}

/** Debian's packages for an engine. Ubuntu's Chromium and Firefox are snaps, which do not work in containers. */
function debianPackages(/** @type {Engine} */ engine) {
  if (platform !== 'linux' || process.getuid?.() !== 0 || !onPath('apt-get')) return undefined;
  const ids = /^ID=(.*)$/m.exec(existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '');
  const id = ids?.[1]?.replaceAll('"', '');
  if (engine === 'webkit') return ['webkit2gtk-driver', 'xvfb'];
  if (id !== 'debian') return undefined;
  return engine === 'chromium' ? ['chromium'] : ['firefox-esr'];
}

/**
 * Installs an engine with Debian's package manager or Playwright.
 *
 * @param {Engine} engine
 * @returns {string | undefined} the reason for a failure
 */
function install(engine) {
  if (isSet('UNSPOOL_SKIP_INSTALL')) return 'UNSPOOL_SKIP_INSTALL is set';
  const reasons = [];
  const packages = debianPackages(engine);
  if (packages) {
    console.log(`${engine}: not found; installing Debian's ${packages.join(' and ')} with apt-get`);
    const reason = aptInstall(packages);
    if (reason === undefined && find(engine)) return undefined;
    reasons.push(reason ?? `apt-get installed ${packages.join(' ')}, but no browser is found`);
  }
  if (isSet('PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD')) {
    reasons.push('PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD is set');
    return reasons.join('; ');
  }
  const cli = join(dirname(require.resolve('playwright-core/package.json')), 'cli.js');
  const withLibraries = platform === 'linux' && process.getuid?.() === 0 && onPath('apt-get') ? ['--with-deps'] : [];
  const libraries = withLibraries.length > 0 ? ', and its libraries with apt-get' : '';
  console.log(`${engine}: not found; downloading Playwright's${libraries}`);
  const run = spawnSync(process.execPath, [cli, 'install', ...withLibraries, engine], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (run.status === 0 && find(engine)) return undefined;
  reasons.push(`playwright install ${engine}: ${reasonIn(run.stderr)}`);
  return reasons.join('; ');
}

/** @param {string[]} packages */
function aptInstall(packages) {
  const options = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive' }, encoding: /** @type {const} */ ('utf8') };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const run = spawnSync('apt-get', args, { ...options, stdio: ['ignore', 'ignore', 'pipe'], timeout: 900_000 });
    if (run.status !== 0) return `apt-get ${args[0]}: ${reasonIn(run.stderr)}`;
  }
  return undefined;
}

/**
 * The line of a program's messages that names the error.
 *
 * @param {string | null} text
 */
function reasonIn(text) {
  const lines = (text ?? '').split('\n').map((line) => line.trim());
  const telling = lines.find((line) => /^(?:E:|error\b)|\bfailed\b/i.test(line)) ?? lines.findLast(Boolean);
  return telling ?? 'it failed without a message';
}

/** @param {string} name */
function isSet(name) {
  return !['', '0', 'false', undefined].includes(env[name]?.toLowerCase());
}

/** @param {Engine} engine */
function mistakeInEnvironment(engine) {
  try {
    find(engine);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Makes sure that the engines are installed. Prints a line for each engine, and one before each installation.
 *
 * @param {{ engines?: readonly Engine[], install?: readonly Engine[] }} [options] the engines wanted, and those that
 *   may be installed if missing; both default to all
 * @returns {boolean} true if Chromium is available, unless it was not wanted, and no environment variable names a
 *   missing browser
 */
export function provide({ engines = ENGINES, install: installed = ENGINES } = {}) {
  let complete = true;
  for (const engine of engines) {
    const mistake = mistakeInEnvironment(engine);
    if (mistake !== undefined) {
      complete = false;
      console.error(`${engine}: ${mistake}`);
      continue;
    }
    const reason = find(engine)
      ? undefined
      : installed.includes(engine)
        ? install(engine)
        : `to install it: node scripts/browsers.mjs --install ${engine}`;
    const found = find(engine);
    if (found) console.log(`${engine}: ${found.path} (${found.from})`);
    else if (engine === 'chromium') {
      complete = false;
      console.error(`chromium: missing, and needed (${reason}). Install Chrome or Chromium, or set UNSPOOL_CHROMIUM.`);
    } else console.log(`${engine}: missing, its tests are skipped (${reason})`);
  }
  return complete;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const unknown = names.find((name) => !ENGINES.some((engine) => engine === name));
  if (unknown !== undefined) {
    console.error(`Unknown engine "${unknown}". Engines: ${ENGINES.join(', ')}.`);
    process.exit(2);
  }
  const engines = names.length > 0 ? ENGINES.filter((engine) => names.includes(engine)) : ENGINES;
  process.exitCode = provide({ engines, install: process.argv.includes('--install') ? engines : [] }) ? 0 : 1;
}
