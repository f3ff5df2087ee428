import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { ROOT } from '../run.mjs';
import { filesOf, zipped } from '../release/zip-extension.mjs';

/**
 * Maximum characters in the stores: https://developer.chrome.com/docs/extensions/reference/manifest/name,
 * …/description.
 */
const MAX_NAME_LENGTH = 75;
const MAX_DESCRIPTION_LENGTH = 132;
const ICONS = [16, 32, 48, 128];
/** Code that the stores reject: made from text, or loaded from another host. */
const REFUSED = /\bnew Function\s*\(|\beval\s*\(\s*["'`]|\bimportScripts\s*\(\s*["'`]https?:|<script[^>]+src=["']https?:/;

/**
 * Reasons for the stores to reject the extension as built.
 *
 * @returns {string[]}
 */
export function extensionProblems() {
  /** @type {string[]} */
  const problems = [];
  const files = filesOf(join(ROOT, 'dist-extension'));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const manifest = JSON.parse(textOf(files['manifest.json']));
  if (manifest.name.length > MAX_NAME_LENGTH) problems.push(`the name is longer than ${MAX_NAME_LENGTH} characters`);
  if (manifest.description.length > MAX_DESCRIPTION_LENGTH) problems.push(`the description is longer than ${MAX_DESCRIPTION_LENGTH} characters`);
  if (manifest.version !== version.replace(/-.*$/, '')) problems.push(`the version is ${manifest.version}, but the library's is ${version}`);
  for (const key of ['permissions', 'host_permissions', 'optional_permissions', 'background', 'content_scripts']) {
    if (key in manifest) problems.push(`the manifest requests ${key}, which the panel does not need`);
  }
  for (const size of ICONS) {
    const icon = files[manifest.icons?.[size]];
    if (!icon) problems.push(`the icon of ${size} pixels is missing`);
    else if (Buffer.from(icon).readUInt32BE(16) !== size) problems.push(`the icon of ${size} pixels has another size`);
  }
  for (const page of [manifest.devtools_page, 'panel.html', 'LICENSE.txt', 'THIRD-PARTY-LICENSES.txt'])
    if (!files[page]) problems.push(`${page} is missing`);
  for (const [path, bytes] of Object.entries(files)) {
    if (/\.(?:js|html)$/.test(path) && REFUSED.test(textOf(bytes))) problems.push(`${path} makes code from text, or loads code from another host`);
    if (/\.map$|(?:^|\/)\./.test(path)) problems.push(`${path} does not belong in the zip`);
  }
  const zip = readFileSync(join(ROOT, 'dist-extension.zip'));
  if (!zip.equals(zipped(files))) problems.push('the zip does not match the folder, or is not reproducible');
  const firefox = join(ROOT, 'dist-extension-firefox.xpi');
  if (!existsSync(firefox)) problems.push('the zip for Firefox is missing');
  else {
    const { browser_specific_settings: settings } = JSON.parse(textOf(unzipSync(readFileSync(firefox))['manifest.json']));
    if (!/^(?:\{[\da-f-]{36}\}|[\w.-]+@[\w.-]+)$/.test(settings?.gecko?.id ?? '')) problems.push('the manifest for Firefox has no id');
    if (!settings?.gecko?.data_collection_permissions?.required?.includes('none'))
      problems.push('the manifest for Firefox does not declare that no data is collected');
  }
  return problems;
}

/** Prints the extension's problems. Returns true if it has no problems. */
export function checkExtension() {
  const problems = extensionProblems();
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** @param {Uint8Array | undefined} bytes */
function textOf(bytes) {
  return new TextDecoder().decode(bytes);
}
