import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

const BENCH = fileURLToPath(new URL('.', import.meta.url));

/**
 * Entries for esbuild: the file of each contender, somewhere below `folder`, is built into `folder` itself, where pages
 * look for it by its id.
 *
 * @param {string} folder in `bench/`
 * @param {readonly { id: string }[]} contenders
 */
export function contenderEntries(folder, contenders) {
  const files = readdirSync(`${BENCH}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return contenders.map(({ id }) => {
    const file = files.find((name) => basename(name) === `${id}.js`);
    if (file === undefined) throw new Error(`no file ${id}.js in bench/${folder}`);
    return { in: `${folder}/${file}`, out: `${folder}/${id}` };
  });
}
