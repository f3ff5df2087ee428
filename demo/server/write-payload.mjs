import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { datasets } from './datasets.mjs';
import { encodeDocument, streamRows } from './encode.mjs';
import { encodingFor } from './encodings.mjs';

/**
 * Makes a payload and writes it to `path`, which appears at once and whole or not at all. Keeps its thread busy for
 * seconds: run it in a worker thread.
 *
 * @param {import('./payload-request.mjs').PayloadRequest} request
 * @param {string} path
 * @param {string} temporaryPath in the same folder; must not exist
 * @returns {Promise<number>} bytes written
 */
export async function writePayload(request, path, temporaryPath) {
  const chunks = await encodePayload(request);
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(temporaryPath, 'wx');
  try {
    let bytes = 0;
    try {
      for await (const chunk of chunks) bytes += writeWhole(file, chunk);
    } finally {
      closeSync(file);
    }
    renameSync(temporaryPath, path);
    return bytes;
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    throw error;
  }
}

/**
 * @param {import('./payload-request.mjs').PayloadRequest} request
 * @returns {Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>>}
 */
async function encodePayload({ dataset, format, rows, seed, document }) {
  const source = /** @type {import('./datasets.mjs').Dataset} */ (datasets.get(dataset));
  if (source.kind === 'list') {
    const items = source.rows(rows, seed, encodingFor(format).carries);
    return streamRows(format, items, { key: source.key, count: rows, dataset });
  }
  const value = source.kind === 'value' ? source.value(seed) : await source.read(document);
  return [encodeDocument(format, value)];
}

/**
 * One write call may take less than it is given.
 *
 * @param {number} file
 * @param {Uint8Array} chunk
 */
function writeWhole(file, chunk) {
  let written = 0;
  while (written < chunk.length) written += writeSync(file, chunk, written);
  return chunk.length;
}
