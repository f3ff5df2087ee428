// The page of Chromium or the Node process in which a contender encodes. Each contender has its own.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ProcessMemory } from '../memory.mjs';

/**
 * @typedef {object} Place
 * @property {(method: keyof import('./harness.js').EncodeBench, ...given: unknown[]) => Promise<any>} call calls the harness
 * @property {import('../memory.mjs').ProcessMemory} memory
 * @property {() => Promise<void>} close
 */

/**
 * @param {import('../browser.mjs').BenchBrowser} browser
 * @param {string} site
 * @returns {Promise<Place>}
 */
export async function openPage(browser, site) {
  const page = await browser.newPage(`${site}/encode.html`);
  return {
    call: (method, ...given) =>
      page.evaluate(([name, all]) => /** @type {any} */ (encodeBench)[name](...all), /** @type {const} */ ([method, given])),
    memory: await browser.memoryOf(page),
    close: () => page.context().close(),
  };
}

/** Megabytes of a heap with a million rows. */
const HEAP = 8192;

/**
 * @param {string} harness the URL of its file
 * @returns {Promise<Place>}
 */
export async function openProcess(harness) {
  const child = fork(fileURLToPath(new URL('node-child.mjs', import.meta.url)), [harness], {
    execArgv: ['--expose-gc', `--max-old-space-size=${HEAP}`],
  });
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  const answer = (/** @type {number} */ id) => new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  child.on('message', (/** @type {{ id: number, value?: unknown, error?: string }} */ { id, value, error }) => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(value);
    else one?.reject(new Error(error));
  });
  child.on('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The process ended with ${code}.`));
  });
  let calls = 0;
  await answer(0);
  return {
    call(method, ...given) {
      const id = (calls += 1);
      const answered = answer(id);
      child.send({ id, method, given });
      return answered;
    },
    memory: new ProcessMemory(child.pid),
    async close() {
      child.kill();
    },
  };
}
