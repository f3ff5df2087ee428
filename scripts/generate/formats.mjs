#!/usr/bin/env node
/**
 * Writes the lists of formats: in the sources, after the line that names this file, and in the documents and workflows that name
 * every format. They follow from `core/format/format-id.ts`, which names the formats in order, and from the exports of
 * each format's folder: see `docs/internals/adding-a-format.md`. `npm run build` writes them, and `npm run check` fails if one is
 * stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUILT_IN, FORMATS, NAMED_FORMS } from '../formats.mjs';
import { ROOT } from '../run.mjs';

/** @typedef {import('../../core/format/facts.ts').FormatFacts} Facts */
/** @typedef {import('../../core/format/facts.ts').FormatAbout} About */
/** @typedef {import('../../core/format/facts.ts').FormatDocs} Docs */

/**
 * A format's exports: those of its `about.ts`, and the names of its types in `options.ts`.
 *
 * @typedef {{ id: string, facts: Facts, about: About, docs: Docs, sniff?: unknown, read: string, write: string, schema: string | undefined }} Known
 */

const START = '// Written by `scripts/generate/formats.mjs` up to the line "// End".\n';
const END = '// End\n';

const IDS = [...FORMATS, ...NAMED_FORMS];

/** @returns {Promise<Known[]>} */
async function readFormats() {
  const { outputFiles } = await build({
    stdin: { contents: IDS.map((id) => `export * as ${id} from './${id}/about.ts';`).join('\n'), resolveDir: join(ROOT, 'core/formats') },
    bundle: true,
    write: false,
    format: 'esm',
  });
  const exported = await import(`data:text/javascript,${encodeURIComponent(String(outputFiles[0]?.text))}`);
  return IDS.map((id) => {
    const options = readFileSync(join(ROOT, `core/formats/${id}/options.ts`), 'utf8');
    const typeOf = (/** @type {string} */ table) => {
      const name = new RegExp(`^export const ${table}: OptionTable<(\\w+)>`, 'm').exec(options)?.[1];
      if (name === undefined) throw new Error(`core/formats/${id}/options.ts exports no ${table}: OptionTable<…>`);
      return name;
    };
    return {
      ...exported[id],
      id,
      read: typeOf('READ_OPTIONS'),
      write: typeOf('WRITE_OPTIONS'),
      schema: /^export (?:interface|type) (\w+SchemaInput)\b/m.exec(options)?.[1],
    };
  });
}

/** @param {readonly string[]} lines */
const indented = (lines) => lines.map((line) => `  ${line}\n`).join('');

/** @param {readonly Known[]} all */
const known = (all) => all.filter(({ id }) => FORMATS.includes(id));

/** @param {readonly Known[]} all */
function registry(all) {
  const imports = all.map(({ id, read, write, schema }) => {
    const types = [read, ...(schema === undefined ? [] : [schema]), write].join(', ');
    return `import * as ${id} from './${id}/about.ts';\nimport type { ${types} } from './${id}/options.ts';\n`;
  });
  return `${imports.join('')}
/** The options of each format, by its id. */
export interface FormatOptions {
${indented(all.map(({ id, read }) => `${id}: ${read};`))}}

/** The write options of each format, by its id. */
export interface WriteOptions {
${indented(all.map(({ id, write }) => `${id}: ${write};`))}}

/** The schema input of each format that takes one, by its id. */
export interface FormatSchemas {
${indented(all.flatMap(({ id, schema }) => (schema === undefined ? [] : [`${id}: ${schema};`])))}}

/** Formats that take a schema. */
export const WITH_SCHEMA: Readonly<Record<keyof FormatSchemas, true>> = {
${indented(all.flatMap(({ id, schema }) => (schema === undefined ? [] : [`${id}: true,`])))}};

export const FORMATS: readonly FormatEntry[] = [
${indented(known(all).map(({ id }) => `${id}.facts,`))}];

/** Other forms of these formats, which a call or a schema names. */
export const NAMED_FORMS: readonly FormatEntry[] = [${NAMED_FORMS.map((id) => `${id}.facts`).join(', ')}];

/** Facts that tools need about each format. Bundles without such tools leave them out. */
export const ABOUT: Readonly<Record<FormatId, FormatAbout>> = {
${indented(all.map(({ id }) => `${id}: ${id}.about,`))}};

/** Sniffers of formats that the first bytes identify. In other formats, any bytes may be valid. */
export const SNIFFERS: Readonly<Partial<Record<FormatId, Sniff>>> = {
${indented(all.flatMap(({ id, sniff }) => (sniff ? [`${id}: ${id}.sniff,`] : [])))}};
`;
}

/** @param {readonly Known[]} all */
const separate = (all) => all.filter(({ id }) => !BUILT_IN.includes(id));

/** @param {readonly Known[]} all */
function loaders(all) {
  return `/** The code of each format, for threads that can load code: pages, Node, the inlined worker. */
export const LOADERS: Readonly<Record<FormatId, () => Promise<{ default: AnyFormat }>>> = {
${indented(all.map(({ id }) => `${id}: () => import('./${id}/index.ts'),`))}};
`;
}

/** @param {readonly Known[]} all */
function writers(all) {
  return `/** The code that writes each format with any options, for threads that can load code. */
const LOADERS: Readonly<Record<FormatId, () => Promise<{ default: unknown }>>> = {
${indented(all.map(({ id }) => `${id}: () => import('./${id}/writer.ts'),`))}};
`;
}

/** @param {readonly Known[]} all */
function writeOptions(all) {
  return `${all.map(({ id }) => `import { WRITE_OPTIONS as ${id} } from './${id}/options.ts';\n`).join('')}
/** The values of the options for writing, by format. */
export const WRITING: { readonly [Id in FormatId]: OptionTable<WriteOptions[Id]> } = {
${indented(all.map(({ id }) => `${id},`))}};
`;
}

/** @param {readonly Known[]} all @param {string} folder */
const urls = (all, folder) => all.map(({ id }) => `  ${id}: () => new URL('./${folder}/${id}.js', import.meta.url),\n`).join('');

/** The sources with a list, by path. @type {Readonly<Record<string, (all: readonly Known[]) => string>>} */
const SOURCES = {
  'core/formats/registry.ts': registry,
  'core/formats/loaders.ts': loaders,
  'core/formats/writers.ts': writers,
  'core/formats/write-options.ts': writeOptions,
  'main/pool/code-files.ts': (all) => urls(separate(all), 'formats'),
  'main/encoder/rows/writer-files.ts': (all) => urls(all, 'encoders'),
};

/**
 * Lists in other files: the text that replaces each match of a pattern.
 *
 * @type {readonly { path: string, pattern: RegExp, text: (all: readonly Known[], old: string) => string }[]}
 */
const MENTIONS = [
  { path: 'docs/reference/formats.md', pattern: /^\| id \| reads \|[^]*?\n\n/m, text: formatTable },
  { path: 'docs/reference/formats.md', pattern: /^\| id \| media types \|[^]*?\n\n/m, text: mediaTypeTable },
  {
    path: 'docs/guides/service-worker.md',
    pattern: /(?<=assets\/\{)[\w,-]+(?=\}-\*\.js)/g,
    text: (all) => [...separate(all).map(({ id }) => id), 'capnp-text', 'fbs-text', 'proto-reflection', 'proto-text'].toSorted().join(','),
  },
  {
    path: '.github/workflows/fuzz.yml',
    pattern: /(?<=format: \[)json, [\w, ]+(?=\])/,
    text: (all) => [...all.map(({ id }) => id), 'block', 'panel'].join(', '),
  },
  {
    path: '.github/ISSUE_TEMPLATE/1-wrong-result.yml',
    pattern: /(?<=options: \[)JSON, .*(?=\])/,
    text: (all) => [...known(all).map(({ about }) => about.label), 'Not sure'].join(', '),
  },
];

/** @param {readonly Known[]} all @param {string} old */
function formatTable(all, old) {
  const rows = all.map(({ id, docs }) => {
    // The size is measured.
    const size = new RegExp(`^\\| \`${id}\` \\|.*\\| (.*) \\|$`, 'm').exec(old)?.[1] ?? '–';
    return `| \`${id}\` | ${docs.reads} | ${docs.options} | ${size} |\n`;
  });
  return `| id | reads | options | gzip |\n|---|---|---|--:|\n${rows.join('')}\n`;
}

/** @param {readonly Known[]} all */
function mediaTypeTable(all) {
  const rows = known(all).map(({ id, facts }) => `| \`${id}\` | ${facts.mediaTypes.map((type) => `\`${type}\``).join(', ')} |\n`);
  return `| id | media types |\n|---|---|\n${rows.join('')}\n`;
}

/** The files with lists whose text is not as it should be, by path. @returns {Promise<Map<string, string>>} */
async function stale() {
  const all = await readFormats();
  /** @type {Map<string, string>} */
  const texts = new Map();
  const change = (/** @type {string} */ path, /** @type {(text: string) => string} */ write) => {
    texts.set(path, write(texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8')));
  };
  for (const [path, list] of Object.entries(SOURCES)) {
    change(path, (text) => {
      const start = text.indexOf(START.trim());
      const end = text.indexOf(END.trim(), start + START.length);
      if (start < 0 || end < 0) throw new Error(`${path} has no lines of formats`);
      const margin = / *$/.exec(text.slice(0, start))?.[0] ?? '';
      return `${text.slice(0, start)}${START}${list(all)}${margin}${text.slice(end)}`;
    });
  }
  for (const { path, pattern, text } of MENTIONS) {
    change(path, (old) => {
      if (old.search(pattern) < 0) throw new Error(`${path} has no list of formats`);
      return old.replace(pattern, (found) => text(all, found));
    });
  }
  return new Map([...texts].filter(([path, text]) => readFileSync(join(ROOT, path), 'utf8') !== text));
}

export async function writeFormats() {
  for (const [path, text] of await stale()) writeFileSync(join(ROOT, path), text);
}

/** True if the lists are those of the folders. */
export async function formatsAreCurrent() {
  const paths = [...(await stale()).keys()];
  if (paths.length > 0) console.error(`stale lists of formats: ${paths.join(', ')}; run node scripts/generate/formats.mjs`);
  return paths.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFormats();
