import { readFile, writeFile } from 'node:fs/promises';

/**
 * Resident memory of one process, which includes heaps, buffers and worker threads. Linux only: web APIs report no peak.
 */
export class ProcessMemory {
  #folder;
  #before = 0;

  /** @param {number | undefined} pid */
  constructor(pid) {
    this.#folder = process.platform === 'linux' && pid !== undefined ? `/proc/${pid}` : undefined;
  }

  /** Starts the measurement of `peak`. */
  async mark() {
    if (this.#folder === undefined) return;
    // 5 resets the peak to the current size: proc(5).
    await writeFile(`${this.#folder}/clear_refs`, '5');
    this.#before = await this.#read('VmRSS');
  }

  /** Growth of the process since `mark` at its peak; null if unknown. */
  async peak() {
    return this.#folder === undefined ? null : (await this.#read('VmHWM')) - this.#before;
  }

  /** @param {'VmRSS' | 'VmHWM'} field */
  async #read(field) {
    const status = await readFile(`${this.#folder}/status`, 'utf8');
    const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
    return Number(kilobytes) * 1024;
  }
}
