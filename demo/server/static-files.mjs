import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';

/** @type {Readonly<Record<string, string>>} */
const MEDIA_TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * @typedef {object} StaticFile
 * @property {number} bytes
 * @property {string} mediaType
 * @property {() => import('node:fs').ReadStream} open
 */

/**
 * Finds the file for a path of a URL. Nothing outside `root` is ever found, neither through `..` nor through a link.
 *
 * @param {string} root folder
 * @param {string} pathname percent-encoded, begins with a slash; a folder stands for its `index.html`
 * @returns {Promise<StaticFile | undefined>}
 */
export async function findStaticFile(root, pathname) {
  const relative = decoded(pathname);
  if (relative === undefined || relative.includes('\0')) return undefined;
  const base = await realpathIfAny(root);
  if (base === undefined) return undefined;
  let path = await realpathIfAny(join(base, relative));
  if (path !== undefined && (await stat(path)).isDirectory()) path = await realpathIfAny(join(path, 'index.html'));
  if (path === undefined || !path.startsWith(base + sep)) return undefined;
  const found = path;
  const { size, isFile } = await stat(found).then((stats) => ({ size: stats.size, isFile: stats.isFile() }));
  if (!isFile) return undefined;
  return {
    bytes: size,
    mediaType: MEDIA_TYPES[extname(found).toLowerCase()] ?? 'application/octet-stream',
    open: () => createReadStream(found),
  };
}

/** @param {string} pathname */
function decoded(pathname) {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
}

/** @param {string} path */
async function realpathIfAny(path) {
  try {
    return await realpath(path);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}
