import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';

/**
 * A built module and all modules that it loads through static imports.
 *
 * @param {string} file the path of a module whose imports are all relative
 * @param {Set<string>} [seen]
 */
export function loadedWith(file, seen = new Set()) {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const specifier of staticImports(file)) loadedWith(join(dirname(file), specifier), seen);
  return seen;
}

/**
 * Specifiers of a module's imports and re-exports, as written.
 *
 * @param {string} file
 */
export function staticImports(file) {
  const { module } = parseSync(file, readFileSync(file, 'utf8'));
  const imported = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const exported = module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value));
  return [...imported, ...exported].filter((specifier) => specifier !== undefined);
}
