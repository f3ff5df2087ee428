import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { zipSync } from 'fflate';
import { ROOT } from '../run.mjs';
import { PLACEHOLDER } from './releasable.mjs';

/**
 * Fields that Firefox requires: an id, which identifies the extension's settings, and a declaration of data collection.
 */
const FIREFOX = {
  browser_specific_settings: {
    gecko: { id: '{6f0a1c1e-5b53-4c0e-9d3c-7d0f5f2b7a11}', strict_min_version: '140.0', data_collection_permissions: { required: ['none'] } },
  },
};

/**
 * Completes dist-extension/ with the library's version, homepage and licence. Then writes dist-extension.zip, for the Chrome and
 * Edge stores, and dist-extension-firefox.xpi. The same files produce the same bytes.
 */
export function zipExtension() {
  const folder = join(ROOT, 'dist-extension');
  const manifestPath = join(folder, 'manifest.json');
  const { version, homepage } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = { ...JSON.parse(readFileSync(manifestPath, 'utf8')), version: version.replace(/-.*$/, '') };
  if (!homepage.includes(PLACEHOLDER)) manifest.homepage_url = homepage;
  writeFileSync(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE.txt'));

  const files = filesOf(folder);
  writeFileSync(join(ROOT, 'dist-extension.zip'), zipped(files));
  // Firefox has its own key for the minimum version, and warns about Chrome's.
  const { minimum_chrome_version: _, ...others } = manifest;
  const forFirefox = Buffer.from(`${JSON.stringify({ ...others, ...FIREFOX }, undefined, 2)}\n`);
  writeFileSync(join(ROOT, 'dist-extension-firefox.xpi'), zipped({ ...files, 'manifest.json': forFirefox }));
}

/**
 * Files of a folder by relative path, sorted by name.
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
