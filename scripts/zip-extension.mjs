import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { ROOT } from './run.mjs';

/** Writes dist-extension.zip: what a browser's extension store takes. The same files give the same bytes. */
export function zipExtension() {
  const folder = join(ROOT, 'dist-extension');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  const files = Object.fromEntries(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path)]));
  writeFileSync(join(ROOT, 'dist-extension.zip'), zipSync(files, { level: 9, mtime: '2024-01-01T00:00:00' }));
}
