#!/usr/bin/env node
/**
 * Writes docs/api.md, the reference of the public API, from the declarations in dist/types and their docstrings. An interface
 * or a class is a table of its members, anything else its declaration. What several entries export is described once.
 * Requires a built library.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { ROOT } from '../run.mjs';

/**
 * An exported declaration.
 *
 * @typedef {object} Declaration
 * @property {string} name
 * @property {string} place its file and position, which identify it
 * @property {string} doc
 * @property {string} text
 * @property {string} head the text before the members; the whole text without members
 * @property {Member[]} [members]
 */

/**
 * A member of an interface or a class.
 *
 * @typedef {{ doc: string, text: string }} Member
 */

/** Characters of the longest declaration that is not a block of code. */
const LINE = 160;

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** The documented entries, with their types; the others are scripts or data, or have the same exports. */
const ENTRIES = Object.keys(exports)
  .filter((entry) => !/^\.\/(?:worker|inline|package\.json)$/.test(entry))
  .flatMap((entry) => {
    const { types } = exports[entry];
    if (!entry.includes('*')) return [{ entry, types }];
    const built = readdirSync(join(ROOT, dirname(exports[entry].default))).filter((name) => name.endsWith('.js'));
    return built.map((name) => name.slice(0, -3)).map((id) => ({ entry: entry.replace('*', id), types: types.replace('*', id) }));
  });

const HEADER = `# API reference

Made from the docstrings by \`npm run docs\`. \`unspool/inline\` has the same exports as \`unspool\`; \`unspool/worker\` is the
worker's script and exports nothing. Each \`unspool/formats/<id>\` and \`unspool/encoders/<id>\` exports the format as its default,
and its options. Every optional property may also be undefined.
`;

/** Entries by the declarations that they describe. @type {Map<string, string>} */
const described = new Map();

const sections = ENTRIES.map(({ entry, types }) => {
  const title = `unspool${entry.slice(1)}`;
  const all = exportedFrom(join(ROOT, types)).sort((a, b) => a.name.localeCompare(b.name));
  const own = all.filter(({ place }) => !described.has(place));
  const others = all.filter(({ place }) => described.has(place)).map(({ name }) => `[\`${name}\`](#${name.toLowerCase()})`);
  for (const { place } of own) described.set(place, title);
  const also = others.length > 0 ? `${own.length > 0 ? 'Also exports' : 'Exports'} ${others.join(', ')}.` : '';
  return [`## ${title}`, also, ...own.map(describe)].filter((part) => part !== '').join('\n\n');
});
writeFileSync(join(ROOT, 'docs/api.md'), `${HEADER}\n${sections.join('\n\n')}\n`);

/**
 * Exports of a module.
 *
 * @param {string} file
 * @returns {Declaration[]}
 */
function exportedFrom(file) {
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  /** @param {{ start: number }} node */
  const docOf = ({ start }) => {
    const comment = comments.findLast((one) => one.type === 'Block' && one.end <= start && source.slice(one.end, start).trim() === '');
    return comment ? plain(comment.value) : '';
  };
  /** @type {Declaration[]} */
  const found = [];
  for (const statement of /** @type {any[]} */ (program.body)) {
    if (statement.type === 'ExportNamedDeclaration' && statement.source) {
      const from = exportedFrom(join(dirname(file), statement.source.value.replace(/\.js$/, '.d.ts')));
      for (const { local, exported } of statement.specifiers) {
        const one = from.find(({ name }) => name === local.name);
        if (!one) throw new Error(`${file}: ${local.name} is not exported there`);
        found.push({ ...one, name: exported.name });
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      found.push(...exportedFrom(join(dirname(file), statement.source.value.replace(/\.js$/, '.d.ts'))));
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
      const { declaration, start, end } = statement;
      const name = declaration.id?.name ?? declaration.declarations?.[0].id.name;
      const isTable = /^(?:ClassDeclaration|TSInterfaceDeclaration)$/.test(declaration.type);
      const nodes = /** @type {any[]} */ (isTable ? declaration.body.body : []);
      const members = nodes
        .map((node) => ({ doc: docOf(node), text: source.slice(node.start, node.end) }))
        .filter(({ doc, text }) => !doc.includes('@internal') && !/^(?:#private|private |protected |get \[Symbol|\[Symbol)/.test(text));
      const head = source.slice(declaration.start, isTable ? declaration.body.start : end).trim();
      const text = source.slice(start, end);
      found.push({ name, place: `${file}:${start}`, doc: docOf(statement), text, head, ...(isTable && { members }) });
    }
  }
  // Keeps one entry per overloaded function.
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

/** @param {Declaration} one */
function describe({ name, doc, text, head, members }) {
  const [description = '', ...examples] = doc.split('@example');
  const declaration = withoutDeclare(members ? head : text);
  const parts = [`### ${name}`];
  if (members) {
    // The name alone says nothing that the title does not.
    const isPlain = declaration === `interface ${name}`;
    parts.push([isPlain ? '' : `\`${oneLine(declaration)}\``, paragraphs(description)].filter((part) => part !== '').join('<br>'), table(members));
    examples.push(...members.flatMap((member) => member.doc.split('@example').slice(1)));
  } else if (declaration.includes('/**') || oneLine(declaration).length > LINE) {
    parts.push(paragraphs(description), code(declaration));
  } else parts.push([`\`${oneLine(declaration)}\``, paragraphs(description)].filter((part) => part !== '').join('<br>'));
  if (examples.length > 0) parts.push(code(examples.map((example) => example.trim()).join('\n')));
  return parts.filter((part) => part !== '').join('\n\n');
}

/**
 * A table of members. Overloads share a row.
 *
 * @param {readonly Member[]} members
 */
function table(members) {
  if (members.length === 0) return '';
  /** @type {{ signatures: string[], doc: string }[]} */
  const rows = [];
  for (const { doc, text } of members) {
    const last = rows.at(-1);
    const signature = signatureOf(text);
    const isOverload = last && doc === '' && nameOf(signature) === nameOf(last.signatures[0] ?? '');
    if (isOverload) last.signatures.push(signature);
    else rows.push({ signatures: [signature], doc: doc.split('@example')[0] ?? '' });
  }
  const lines = rows.map(({ signatures, doc }) => `| ${signatures.map((one) => `\`${cell(one)}\``).join('<br>')} | ${cell(doc)} |`);
  return ['| member | |', '|---|---|', ...lines].join('\n');
}

/** @param {string} signature */
function nameOf(signature) {
  return /^[\w.[\]]+/.exec(signature)?.[0];
}

/**
 * A member's declaration on one line, without what every option has.
 *
 * @param {string} text
 */
function signatureOf(text) {
  return oneLine(text.replaceAll(/\/\*\*[^]*?\*\//g, ' '))
    .replace(/^readonly /, '')
    .replace(/^(\w+\?: .*) \| undefined;?$/, '$1')
    .replace(/;$/, '');
}

/** @param {string} text */
function oneLine(text) {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/**
 * A description with a line for each paragraph.
 *
 * @param {string} text
 */
function paragraphs(text) {
  return text
    .trim()
    .split(/\n\n+/)
    .map((paragraph) => (paragraph.startsWith('- ') || paragraph.includes('\n- ') ? paragraph : oneLine(paragraph)))
    .join('\n\n');
}

/** @param {string} text */
function cell(text) {
  return text
    .trim()
    .replaceAll(/\n+- /g, '<br>')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/(?<!\\)\|/g, String.raw`\|`);
}

/** @param {string} text */
function withoutDeclare(text) {
  return text.replace(/^export /, '').replace(/^declare /, '');
}

/** @param {string} text */
function code(text) {
  return `\`\`\`ts\n${text}\n\`\`\``;
}

/**
 * A docstring without its stars.
 *
 * @param {string} comment
 */
function plain(comment) {
  const text = comment
    .slice(1)
    .replace(/^[ \t]*\* ?/gm, '')
    .trim();
  return text.replace(/^@param (\S+) /gm, '- `$1`: ');
}
