// Functions that every mode of the benchmark uses around its measurements.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { dirname } from 'node:path';

/**
 * @typedef {object} Machine
 * @property {string} cpu
 * @property {number} cores
 * @property {number} memoryBytes
 * @property {string} system
 * @property {number} load average number of runnable threads in the last minute; 0 if unknown
 */

/** @returns {Machine} */
export function describeMachine() {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    load: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

/**
 * Writes figures as JSON.
 *
 * @param {string} path
 * @param {object} figures
 */
export async function save(path, figures) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(figures, null, 2)}\n`);
}

/**
 * Waits for `work`, but not longer than `ms`.
 *
 * @template T
 * @param {Promise<T>} work
 * @param {number} ms
 * @returns {Promise<T>} rejects after `ms`
 */
export async function inTime(work, ms) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => (timer = setTimeout(() => reject(new Error(`more than ${ms / 1000} s`)), ms)));
  work.catch(() => undefined);
  try {
    return await Promise.race([work, /** @type {Promise<never>} */ (late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first line of an error's message. @param {unknown} error */
export const firstLine = (error) => /** @type {Error} */ (error).message.split('\n')[0] ?? '';
