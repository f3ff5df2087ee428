import { readFile, writeFile } from 'node:fs/promises';

/**
 * The memory of one process, as Linux counts it: its resident pages, JavaScript heaps, buffers and worker threads
 * together. Nothing that a page can ask for shows a peak. Elsewhere than on Linux there is none.
 */
export class ProcessMemory {
  #folder;
  #before = 0;

  /** @param {number | undefined} pid */
  constructor(pid) {
    this.#folder = process.platform === 'linux' && pid !== undefined ? `/proc/${pid}` : undefined;
  }

  /** From here on `peak` counts. */
  async mark() {
    if (this.#folder === undefined) return;
    // proc(5): 5 sets the peak back to what the process has now.
    await writeFile(`${this.#folder}/clear_refs`, '5');
    this.#before = await this.#read('VmRSS');
  }

  /** The most bytes that the process had since `mark`, beyond what it had then; null where that cannot be known. */
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
