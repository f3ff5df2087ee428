#!/usr/bin/env node
/**
 * Writes the files that examples share into the folder of each, since each must stand alone: those of 01-fetch, and
 * `vite.config.ts` of 16-capnweb for sockets; a README; and in docs/examples/README.md the links that open an example in an
 * online editor. `npm run check` fails if one is stale.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../run.mjs';

const EXAMPLES = 'docs/examples';
/** Files of 01-fetch that the other examples have too. */
const COPIED = ['trip.ts', 'vite.config.ts', 'server.ts'];
/** Examples whose server is their own. */
const OWN_SERVERS = /^(?:10|12|13|15|16|21|22|34)-/;
/** Examples that ask a WebSocket, with the `vite.config.ts` of 16-capnweb. */
const SOCKETS = /^(?:16|22)-/;
/** Examples of frameworks, which have a configuration of their own. */
const FRAMEWORKS = /^(?:18|19|20)-/;

/** Describes each file of an example, in the order of its README. */
const PARTS = {
  'react.ts': 'the same for React',
  'server.ts': 'the server that it asks',
  'index.html': 'the page that calls it',
  'main.ts': 'a server and the calls, which print what they get',
};

/** @param {string} path of a file in docs/examples */
const read = (path) => readFileSync(join(ROOT, EXAMPLES, path), 'utf8');
/** @param {string} path */
const has = (path) => existsSync(join(ROOT, EXAMPLES, path));

/** @typedef {{ repository: { url: string }, homepage: string }} Manifest */
const { repository, homepage } = /** @type {Manifest} */ (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')));

/**
 * The address that opens an example in an online editor.
 *
 * @param {string} id
 */
function editorOf(id) {
  const name = repository.url.replace(/^git\+https:\/\/(?:github\.com\/)?|\.git$/g, '');
  return `https://stackblitz.com/github/${name}/tree/main/${EXAMPLES}/${id}`;
}

/** Cells of the table in docs/examples/README.md. */
const ROW = /^\| \[(\d\d-[^\]]+)\]\(([^)]+)\) \| ([^|]+) \| ([^|]+) \|/;

/** @param {string} id @param {string} file @param {string} library @param {string} shows */
function readmeOf(id, file, library, shows) {
  const parts = Object.entries(PARTS).flatMap(([name, text]) => (has(`${id}/${name}`) ? [`\`${name}\` ${text}`] : []));
  const files = [`\`${file.slice(id.length + 1)}\` has the example`, ...parts].join(', ');
  return `# Unspool with ${library.replace(/^the DOM$/, 'plain elements')}

Shows: ${shows}.

\`\`\`sh
npm install
npm start
\`\`\`

${files.replace(/, (?=[^,]*$)/, ', and ')}. [Open it in an online editor](${editorOf(id)}), or read the guides of [Unspool](${homepage}).
`;
}

/** Expected text of each file, by path in docs/examples. */
function texts() {
  /** @type {Map<string, string>} */
  const expected = new Map();
  const lines = read('README.md')
    .split('\n')
    .map((line) => {
      const [row, id = '', file = '', library = '', shows = ''] = ROW.exec(line) ?? [];
      if (row === undefined) return line;
      expected.set(`${id}/README.md`, readmeOf(id, file, library, shows));
      return `${row} [open](${editorOf(id)}) |`;
    });
  expected.set('README.md', lines.join('\n'));
  for (const id of readdirSync(join(ROOT, EXAMPLES)).filter((name) => /^\d\d-/.test(name) && !FRAMEWORKS.test(name))) {
    for (const name of COPIED.filter((file) => has(`${id}/${file}`))) {
      if (name === 'server.ts' && OWN_SERVERS.test(id)) continue;
      const from = name === 'vite.config.ts' && SOCKETS.test(id) ? '16-capnweb' : '01-fetch';
      expected.set(`${id}/${name}`, read(`${from}/${name}`));
    }
  }
  return expected;
}

/** True if the files match their expected text. */
export function examplesAreCurrent() {
  return [...texts()].every(([path, text]) => has(path) && read(path) === text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of texts()) writeFileSync(join(ROOT, EXAMPLES, path), text);
}
