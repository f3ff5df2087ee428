// The site: the documents as they stand in the repository, and a front page.
import { readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { ratioBars } from './ratio-bars.mjs';
import { withoutScripts } from './static-pages.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { repository, version, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const SOURCE = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/`;

/** Path of the site on its host, with slashes at both ends. */
const BASE = process.env.SITE_BASE ?? '/';

/** Documents that are pages. */
const PAGES = /^(?:site\/index|README|CHANGELOG|CONTRIBUTING|CODE_OF_CONDUCT|SECURITY|docs\/.*|main\/run\/README|core\/(?:kernels|block)\/README)\.md$/;

/** Sections of docs/README.md, as the side bar: the list of guides is kept there. */
function guides() {
  const sections = [];
  for (const line of readFileSync(join(ROOT, 'docs/README.md'), 'utf8').split('\n')) {
    const section = /^\*\*(.+)\*\*$/.exec(line)?.[1];
    if (section !== undefined) sections.push({ text: section, items: [] });
    const [, text, link] = /^- \[([^\]]+)\]\(([^)#]+\.md)\)/.exec(line) ?? [];
    if (link !== undefined && !/^(?:https?:|\.\.\/)/.test(link)) sections.at(-1)?.items.push({ text, link: `/docs/${link.slice(0, -3)}` });
  }
  return sections.filter(({ items }) => items.length > 0);
}

/** Links to files that are no pages lead to the repository. */
function linkToSources(md) {
  const open = md.renderer.rules.link_open;
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = tokens[index].attrGet('href') ?? '';
    if (!/^(?:[a-z][a-z+.-]*:|\/|#)/i.test(href)) {
      const [path, fragment] = decodeURI(href).split('#');
      // The front page has another address than its file.
      const folder = posix.dirname(relative(ROOT, env.path).replaceAll('\\', '/'));
      const target = posix.normalize(posix.join(folder, path));
      if (!PAGES.test(target)) {
        tokens[index].attrSet('href', `${SOURCE}${target}${fragment === undefined ? '' : `#${fragment}`}`);
        tokens[index].attrSet('target', '_blank');
        tokens[index].attrSet('rel', 'noreferrer');
      }
    }
    return open ? open(tokens, index, options, env, self) : self.renderToken(tokens, index, options);
  };
}

/** The empty corner of a table is no header. */
function emptyCorners(md) {
  md.core.ruler.push('empty-corners', ({ tokens }) => {
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'th_open' && tokens[at + 1].content === '') tokens[at + 2].tag = token.tag = 'td';
    }
  });
}

/** The id of a heading, as the repository's pages have it. */
function slugify(heading) {
  return heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
}

export default defineConfig({
  title: 'Unspool',
  description,
  lang: 'en',
  srcDir: ROOT,
  outDir: join(ROOT, 'dist-site'),
  cacheDir: join(dirname(fileURLToPath(import.meta.url)), 'cache'),
  base: BASE,
  head: [['link', { rel: 'icon', href: `${BASE}icon.svg`, type: 'image/svg+xml' }]],
  cleanUrls: true,
  srcExclude: ['**/node_modules/**', 'dist*/**', '{tests,bench,demo,devtools-extension,scripts,worker,coverage,.cache,.github}/**', 'docs/examples/*/**'],
  rewrites: { 'site/index.md': 'index.md' },
  // The demo is copied into the site after the build.
  ignoreDeadLinks: [/^\.?\/demo\//],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(md) {
      // Links of the documents are resolved before VitePress changes them.
      linkToSources(md);
      ratioBars(md);
      emptyCorners(md);
    },
  },
  vite: {
    plugins: [
      {
        name: 'vue-for-documents',
        enforce: 'pre',
        // The documents are outside of the folder that has Vue; the server's build finds it next to its output.
        resolveId: (id, _importer, { ssr }) => (ssr && /^vue(?:\/server-renderer)?$/.test(id) ? { id, external: true } : undefined),
      },
      { name: 'without-comments', enforce: 'pre', transform: (code, id) => (id.endsWith('.md') ? code.replaceAll(/<!--[^]*?-->/g, '') : undefined) },
    ],
  },
  transformHtml: (html, _file, { page }) => withoutScripts(html, page),
  themeConfig: {
    logo: { src: '/icon.svg', width: 24, height: 24 },
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Playground', link: '/demo/playground', target: '_self' },
      { text: 'Guides', link: '/docs/guides/getting-started' },
      { text: 'API', link: '/docs/api' },
      { text: 'Benchmarks', link: '/docs/internals/benchmarks' },
      { text: `v${version}`, link: '/CHANGELOG' },
    ],
    sidebar: guides(),
    docFooter: { prev: false, next: false },
  },
});
