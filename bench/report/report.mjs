import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportPage } from './page.mjs';

/**
 * Writes the report as `index.html` of a folder.
 *
 * @param {string} folder
 * @param {import('./page.mjs').Report} report
 * @returns {Promise<string>} the file
 */
export async function writeReport(folder, report) {
  const style = await readFile(new URL('style.css', import.meta.url), 'utf8');
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'index.html');
  await writeFile(file, reportPage(report, style));
  return file;
}
