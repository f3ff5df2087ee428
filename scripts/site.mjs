#!/usr/bin/env node
/**
 * Builds the site into dist-site/: the documents, the demo with the playground, and `llms.txt`. Its own packages are
 * installed in site/ first.
 *
 *   node scripts/site.mjs              builds it
 *   node scripts/site.mjs --serve      builds it, and serves it
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ROOT } from './run.mjs';

/**
 * The demo's server, which is a project of its own and imports the built library.
 *
 * @typedef {{ CONTENT_SECURITY_POLICY: string, PAGES: readonly string[] }} DemoServer
 */
const openDemoServer = () => /** @type {Promise<DemoServer>} */ (import(pathToFileURL(join(ROOT, 'demo/server/server.mjs')).href));

const SITE = join(ROOT, 'dist-site');
const PORT = process.env['PORT'] ?? '4174';

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: join(ROOT, 'site'), stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** Copies the demo. Without its server, a page is a file of its own, with the policy in it. */
async function copyDemo() {
  const { CONTENT_SECURITY_POLICY, PAGES } = await openDemoServer();
  const demo = join(SITE, 'demo');
  await cp(join(ROOT, 'demo/public/icon.svg'), join(SITE, 'icon.svg'));
  await cp(join(ROOT, 'dist-demo'), demo, { recursive: true });
  // Browsers take the directive from headers alone.
  const policy = CONTENT_SECURITY_POLICY.replace(/frame-ancestors [^;]+; /, '');
  const page = await readFile(join(demo, 'index.html'), 'utf8');
  const withPolicy = page
    .replace(/data-guides="[^"]*"/, 'data-front="../" data-guides="../docs/guides/*"')
    .replace('<head>', `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`);
  for (const name of ['/index', ...PAGES]) await writeFile(join(demo, `${name}.html`), withPolicy);
}

/** Documents that `llms.txt` names, as texts next to their pages. */
async function writeTexts() {
  const list = await readFile(join(ROOT, 'docs/README.md'), 'utf8');
  const lines = list.replaceAll(/\]\(([^):#]+\.md)/g, (_, path) => `](${posix.normalize(posix.join('docs', path))}`);
  const intro = 'Unspool decodes large responses, and encodes large requests, without freezing the page. These documents are Markdown.';
  await writeFile(join(SITE, 'llms.txt'), `# Unspool\n\n> ${intro}\n\n${lines.replace(/^# .*\n/, '').trim()}\n`);
  const named = new Set([...lines.matchAll(/\]\(([^):#]+\.md)/g)].map(([, path]) => path ?? ''));
  for (const path of [...named, 'README.md']) {
    if (existsSync(join(ROOT, path))) await cp(join(ROOT, path), join(SITE, path));
  }
}

/** Links within the site whose page or heading does not exist. VitePress checks the pages of documents, not their headings. */
function deadLinks() {
  const files = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const pages = new Map(
    files.filter((file) => file.endsWith('.html') && !file.startsWith('demo/')).map((file) => [file, readFileSync(join(SITE, file), 'utf8')]),
  );
  const base = process.env['SITE_BASE'] ?? '/';
  /** @type {Set<string>} */
  const dead = new Set();
  for (const [file, text] of pages) {
    for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), `http://site${base}${file}`);
      if (url.host !== 'site') continue;
      const path = decodeURIComponent(url.pathname.slice(base.length));
      const target = [path, `${path}.html`, `${path}index.html`, `${path}/index.html`].find((name) => files.includes(name) && /\.\w+$/.test(name));
      const id = decodeURIComponent(url.hash.slice(1));
      const hasId = id === '' || !pages.has(target ?? '') || (pages.get(target ?? '') ?? '').includes(`id="${id}"`);
      if (target === undefined || !hasId) dead.add(`${file}: ${href}`);
    }
  }
  return [...dead];
}

const lockfile = join(ROOT, 'site/package-lock.json');
const installed = join(ROOT, 'site/node_modules/.package-lock.json');
if (!existsSync(installed) || readFileSync(installed, 'utf8').length < readFileSync(lockfile, 'utf8').length / 2) {
  console.log('Installing the packages of the site in site/ …');
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
}
await build({ modes: ['lib', 'demo', 'demo-service-worker'], onlyStale: true });
const vitepress = join(dirname(installed), 'vitepress/bin/vitepress.js');
run(process.execPath, [vitepress, 'build']);
await copyDemo();
await writeTexts();
const dead = deadLinks();
if (dead.length > 0) {
  console.error(`The site has dead links:\n${dead.join('\n')}`);
  process.exit(1);
}
console.log('The site is in dist-site/.');
if (process.argv.includes('--serve')) run(process.execPath, [vitepress, 'preview', '--port', PORT]);
