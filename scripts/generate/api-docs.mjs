#!/usr/bin/env node
/**
 * Writes docs/api.md, the reference of the public API, from the declarations in dist/types and their docstrings.
 * Requires a built library.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { ROOT } from '../run.mjs';

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
worker's script and exports nothing. Each \`unspool/formats/<id>\` exports the format as its default, and its options.
`;

const sections = ENTRIES.map(({ entry, types }) => {
  const names = exportedFrom(join(ROOT, types)).sort((a, b) => a.name.localeCompare(b.name));
  return `## unspool${entry.slice(1)}\n\n${names.map(describe).join('\n\n')}\n`;
});
writeFileSync(join(ROOT, 'docs/api.md'), `${HEADER}\n${sections.join('\n')}`);

/**
 * Exports of a module, each with the text of its declaration.
 *
 * @param {string} file
 * @returns {{ name: string, doc: string, text: string }[]}
 */
function exportedFrom(file) {
  const source = readFileSync(file, 'utf8');
  const { program, comments } = parseSync(file, source);
  /** @type {{ name: string, doc: string, text: string }[]} */
  const found = [];
  for (const statement of /** @type {any[]} */ (program.body)) {
    if (statement.type === 'ExportNamedDeclaration' && statement.source) {
      const from = exportedFrom(join(dirname(file), statement.source.value.replace(/\.js$/, '.d.ts')));
      for (const { local, exported } of statement.specifiers) {
        const one = from.find(({ name }) => name === local.name);
        if (!one) throw new Error(`${file}: ${local.name} is not exported there`);
        found.push({ ...one, name: exported.name });
      }
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration) {
      const { declaration, start, end } = statement;
      const name = declaration.id?.name ?? declaration.declarations?.[0].id.name;
      const comment = comments.findLast((one) => one.type === 'Block' && one.end <= start && source.slice(one.end, start).trim() === '');
      found.push({ name, doc: comment ? plain(comment.value) : '', text: source.slice(start, end) });
    }
  }
  // Keeps one entry per overloaded function.
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

/** @param {{ name: string, doc: string, text: string }} one */
function describe({ name, doc, text }) {
  const [description = '', ...examples] = doc.split('@example');
  const shown = text
    // Removes internal members.
    .replace(/^ *\/\*\*(?:(?!\*\/)[^])*@internal(?:(?!\*\/)[^])*\*\/\n.*\n/gm, '')
    .replace(/^ *(?:#private;|private .*;)\n/gm, '')
    .replace(/^export (?:declare )?/, '');
  const parts = [`### ${name}`, description.trim(), `\`\`\`ts\n${shown}\n\`\`\``];
  for (const example of examples) parts.push(`Example:\n\n\`\`\`ts\n${example.trim()}\n\`\`\``);
  return parts.filter((part) => part !== '').join('\n\n');
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
  return text.replace(/^@param (\S+) /gm, '- `$1`: ').replace(/^@internal.*$/gm, '');
}
