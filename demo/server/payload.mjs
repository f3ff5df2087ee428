// Encoded payloads, generated once and cached on disk.
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { datasets } from './datasets.mjs';
import { encodingFor } from './encodings.mjs';
import { checkPayloadRequest } from './payload-request.mjs';

/**
 * @typedef {object} Payload
 * @property {import('./payload-request.mjs').PayloadRequest} request
 * @property {string} path file of the bytes
 * @property {number} bytes
 * @property {string} mediaType
 * @property {number | undefined} generatedMs duration of generation, if this call generated it
 */

/** Default folder of payloads, safe to delete at any time. */
export const PAYLOAD_CACHE = fileURLToPath(new URL('../../.cache/payloads', import.meta.url));

/** Payloads generated concurrently. Each takes a core, and the largest some gigabytes. */
const MAX_WORKERS = 2;

/**
 * The payloads of one folder. Stores of several processes may share a folder, since files appear atomically.
 */
export class PayloadStore {
  #directory;
  /** @type {Map<string, Promise<number>>} */
  #making = new Map();
  /** @type {Set<Worker>} */
  #workers = new Set();
  /** @type {(() => void)[]} */
  #waiting = [];
  #made = 0;
  /** @type {Promise<void> | undefined} */
  #cleaned;
  #isClosed = false;

  /** @param {{ directory?: string }} [options] */
  constructor({ directory = PAYLOAD_CACHE } = {}) {
    this.#directory = directory;
  }

  /**
   * Returns the file of a payload, generated in a worker thread if it is missing. Concurrent calls for a payload share the work.
   *
   * @param {Parameters<typeof checkPayloadRequest>[0]} request
   * @returns {Promise<Payload>}
   * @throws {import('./payload-request.mjs').PayloadRequestError}
   */
  async get(request) {
    const checked = checkPayloadRequest(request);
    const path = join(this.#directory, await fileName(checked));
    const { mediaType } = encodingFor(checked.format);
    const kept = await sizeOf(path);
    if (kept !== undefined) return { request: checked, path, bytes: kept, mediaType, generatedMs: undefined };
    const generatedMs = await this.#make(checked, path);
    return { request: checked, path, bytes: (await stat(path)).size, mediaType, generatedMs };
  }

  /**
   * @param {Parameters<typeof checkPayloadRequest>[0]} request
   * @returns {Promise<Uint8Array>} the bytes, for payloads below 2 GiB
   */
  async read(request) {
    return readFile((await this.get(request)).path);
  }

  /** Stops the generation of payloads, whose callers get an error. */
  async close() {
    this.#isClosed = true;
    for (const proceed of this.#waiting.splice(0)) proceed();
    await Promise.all([...this.#workers].map((worker) => worker.terminate()));
    await Promise.allSettled(this.#making.values());
  }

  /**
   * @param {import('./payload-request.mjs').PayloadRequest} request
   * @param {string} path
   * @returns {Promise<number>} milliseconds
   */
  #make(request, path) {
    let making = this.#making.get(path);
    if (!making) {
      making = this.#makeInTurn(request, path).finally(() => this.#making.delete(path));
      this.#making.set(path, making);
    }
    return making;
  }

  /**
   * @param {import('./payload-request.mjs').PayloadRequest} request
   * @param {string} path
   */
  async #makeInTurn(request, path) {
    this.#cleaned ??= removeAbandoned(this.#directory);
    await this.#cleaned;
    while (this.#workers.size >= MAX_WORKERS && !this.#isClosed) {
      await new Promise((resolve) => this.#waiting.push(() => resolve(undefined)));
    }
    if (this.#isClosed) throw new Error('The payload store is closed.');
    const temporaryPath = `${path}.${process.pid}-${this.#made++}.tmp`;
    const worker = new Worker(new URL('./payload-worker.mjs', import.meta.url), {
      workerData: { request, path, temporaryPath },
    });
    this.#workers.add(worker);
    try {
      return await outcome(worker);
    } finally {
      this.#workers.delete(worker);
      this.#waiting.shift()?.();
      await rm(temporaryPath, { force: true });
    }
  }
}

/** @type {PayloadStore | undefined} */
let sharedStore;

/**
 * Returns a payload of the default folder.
 *
 * @param {Parameters<typeof checkPayloadRequest>[0]} request
 * @returns {Promise<Payload>}
 * @throws {import('./payload-request.mjs').PayloadRequestError}
 */
export function payload(request) {
  sharedStore ??= new PayloadStore();
  return sharedStore.get(request);
}

/**
 * Waits for the message or the end of the worker.
 *
 * @param {Worker} worker
 * @returns {Promise<number>} milliseconds
 */
function outcome(worker) {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The payload was not finished.')));
  });
}

/**
 * The file name, which contains everything that the bytes depend on.
 *
 * @param {import('./payload-request.mjs').PayloadRequest} request
 */
async function fileName({ dataset, format, rows, seed, document }) {
  const source = /** @type {import('./datasets.mjs').Dataset} */ (datasets.get(dataset));
  const encoding = `${format}-v${encodingFor(format).version}`;
  if (source.kind === 'documents') return `${document.replace('/', '.')}-v${await source.versionOf(document)}.${encoding}`;
  const size = source.kind === 'list' ? `.rows-${rows}` : '';
  return `${dataset}-v${source.version}.seed-${seed}${size}.${encoding}`;
}

/** @param {string} path */
async function sizeOf(path) {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Deletes unfinished files of processes that have ended.
 *
 * @param {string} directory
 */
async function removeAbandoned(directory) {
  /** @type {string[]} */
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const owner = /\.(\d+)-\d+\.tmp$/.exec(name)?.[1];
    if (owner && !isRunning(Number(owner))) await rm(join(directory, name), { force: true });
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
