import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { ROOT } from '../run.mjs';

/** What Firefox asks for besides: an id, since there is no other to keep settings by, and a word on data that is sent. */
const FIREFOX = {
  browser_specific_settings: {
    gecko: { id: '{6f0a1c1e-5b53-4c0e-9d3c-7d0f5f2b7a11}', strict_min_version: '140.0', data_collection_permissions: { required: ['none'] } },
  },
};

/**
 * Finishes dist-extension/: the version is that of the library, and the licence goes along. Then writes
 * dist-extension.zip, which the stores of Chrome and Edge take, and dist-extension-firefox.zip. The same files give the
 * same bytes.
 */
export function zipExtension() {
  const folder = join(ROOT, 'dist-extension');
  const manifestPath = join(folder, 'manifest.json');
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = { ...JSON.parse(readFileSync(manifestPath, 'utf8')), version: version.replace(/-.*$/, '') };
  writeFileSync(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE.txt'));

  const files = filesOf(folder);
  writeFileSync(join(ROOT, 'dist-extension.zip'), zipped(files));
  // Firefox has its own key for the oldest version, and warns of Chrome's.
  const { minimum_chrome_version: _, ...others } = manifest;
  const forFirefox = Buffer.from(`${JSON.stringify({ ...others, ...FIREFOX }, undefined, 2)}\n`);
  writeFileSync(join(ROOT, 'dist-extension-firefox.zip'), zipped({ ...files, 'manifest.json': forFirefox }));
}

/**
 * The files of a folder by their paths in it, in the order of their names.
 *
 * @param {string} folder
 * @returns {Record<string, Uint8Array>}
 */
export function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path)]));
}

/** @param {Record<string, Uint8Array>} files */
export function zipped(files) {
  return zipSync(files, { level: 9, mtime: '2024-01-01T00:00:00' });
}
