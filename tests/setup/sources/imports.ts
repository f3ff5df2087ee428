import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';
import { parseSync } from 'vite';

/** Root of the repository. */
export const REPOSITORY = resolve(import.meta.dirname, '../../..');

/**
 * Kinds of references to modules: `static` by an import or export statement, `dynamic` by `import()`, `type` by a type import,
 * `url` by `new URL(…, import.meta.url)` of a script.
 */
export type ReferenceKind = 'static' | 'dynamic' | 'type' | 'url';

/** A reference to a module. */
export interface Reference {
  kind: ReferenceKind;
  /** A path from the root of the repository, or the name of a package or of a module of Node. */
  target: string;
  line: number;
}

const SCRIPT = /\.(?:[cm]?[jt]s|tsx)$/;

/** Source files of a folder, as paths from the root of the repository with forward slashes. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(REPOSITORY, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && SCRIPT.test(entry.name))
    .map((entry) => relative(REPOSITORY, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

/** The text of a file, by its path from the root of the repository. */
export function readSource(file: string): string {
  return readFileSync(join(REPOSITORY, file), 'utf8');
}

/** Cached references, by file. */
const known = new Map<string, Reference[]>();

/** Finds all references of a file in its syntax tree. */
export function references(file: string, source?: string): Reference[] {
  if (source !== undefined) return referencesIn(file, source);
  let found = known.get(file);
  if (found === undefined) known.set(file, (found = referencesIn(file, readSource(file))));
  return found;
}

function referencesIn(file: string, source: string): Reference[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const found: Reference[] = [];
  visit(program, (node) => {
    const reference = referenceOf(node, source);
    if (reference === undefined) return;
    const { kind, specifier } = reference;
    const line = source.slice(0, node.start).split('\n').length;
    found.push({ kind, target: target(file, specifier), line });
  });
  return found;
}

/** True if a file generates code: `eval(…)`, `Function(…)` or `new Function(…)`. */
export function makesCode(file: string): boolean {
  const source = readSource(file);
  // Avoids parsing most files.
  if (!/\b(?:eval|Function)\b/.test(source)) return false;
  let makes = false;
  visit(parseSync(file, source).program, ({ type, callee }) => {
    if (type !== 'CallExpression' && type !== 'NewExpression') return;
    const name = isNode(callee) ? (callee['name'] ?? (callee['property'] as Node | undefined)?.['name']) : undefined;
    makes ||= name === 'Function' || (name === 'eval' && type === 'CallExpression');
  });
  return makes;
}

interface Node extends Record<string, unknown> {
  type: string;
  start: number;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Node>).type === 'string';
}

function visit(value: unknown, enter: (node: Node) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, enter);
  if (!isNode(value)) return;
  enter(value);
  for (const child of Object.values(value)) if (typeof child === 'object') visit(child, enter);
}

function referenceOf(node: Node, source: string): { kind: ReferenceKind; specifier: string } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration': {
      const specifier = text(node['source']);
      const isType = node['importKind'] === 'type' || node['exportKind'] === 'type';
      return specifier === undefined ? undefined : { kind: isType ? 'type' : 'static', specifier };
    }
    case 'TSImportType': {
      const specifier = text(node['source']) ?? text((node['argument'] as Partial<Node> | undefined)?.['literal']);
      return specifier === undefined ? undefined : { kind: 'type', specifier };
    }
    case 'ImportExpression':
      // Reports a computed specifier as its source text, which no rule allows.
      return { kind: 'dynamic', specifier: text(node['source']) ?? excerpt(node['source'], source) };
    case 'NewExpression': {
      const [url, base] = node['arguments'] as unknown[];
      const isOwn = isNode(node['callee']) && node['callee']['name'] === 'URL' && isNode(base);
      const specifier = text(url);
      if (!isOwn || specifier === undefined || excerpt(base, source) !== 'import.meta.url') return undefined;
      if (!SCRIPT.test(specifier)) return undefined;
      return { kind: 'url', specifier: /^[./]/.test(specifier) ? specifier : `./${specifier}` };
    }
    default:
      return undefined;
  }
}

/** The value of a string literal. */
function text(node: unknown): string | undefined {
  return isNode(node) && typeof node['value'] === 'string' ? node['value'] : undefined;
}

function excerpt(node: unknown, source: string): string {
  return isNode(node) ? source.slice(node.start, node['end'] as number) : '';
}

function target(file: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.normalize(posix.join(dirname(file), specifier)) : specifier;
}
