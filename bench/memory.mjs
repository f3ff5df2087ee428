import { readdir, readFile, writeFile } from 'node:fs/promises';

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

/** Memory of the process of a page, in a browser that has one page: of its processes of pages, the one that grows most. Linux only. */
export class RendererMemory {
  /** Identifier of the browser's process. @type {number | undefined} */
  browser;
  /** @type {ProcessMemory[]} */
  #renderers = [];

  /** Starts the measurement of `peak`. */
  async mark() {
    this.#renderers = (await renderersOf(this.browser)).map((id) => new ProcessMemory(id));
    // A process may end before its memory is read, such as that of the empty page.
    await Promise.allSettled(this.#renderers.map((memory) => memory.mark()));
  }

  /** Growth of the process since `mark` at its peak; null if unknown. */
  async peak() {
    const grown = await Promise.all(this.#renderers.map((memory) => memory.peak().catch(() => null)));
    return grown.reduce((most, bytes) => (bytes !== null && bytes > (most ?? -1) ? bytes : most), null);
  }
}

/** The processes of pages that a browser has started. @param {number | undefined} browser */
async function renderersOf(browser) {
  if (process.platform !== 'linux' || browser === undefined) return [];
  const ids = (await readdir('/proc')).map(Number).filter((id) => id > 0);
  /** @type {Map<number, { parent: number, isRenderer: boolean }>} */
  const processes = new Map();
  for (const id of ids) {
    try {
      const [status, command] = await Promise.all([readFile(`/proc/${id}/status`, 'utf8'), readFile(`/proc/${id}/cmdline`, 'utf8')]);
      processes.set(id, { parent: Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]), isRenderer: command.includes('--type=renderer') });
    } catch {
      // It has ended.
    }
  }
  /** @param {number} id @returns {boolean} */
  const isOfBrowser = (id) => id === browser || (processes.has(id) && isOfBrowser(processes.get(id)?.parent ?? 0));
  return ids.filter((id) => processes.get(id)?.isRenderer === true && isOfBrowser(id));
}
