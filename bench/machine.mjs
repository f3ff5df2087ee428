import { cpus, loadavg, release, totalmem, type } from 'node:os';

/**
 * @typedef {object} Machine
 * @property {string} cpu
 * @property {number} cores
 * @property {number} memoryBytes
 * @property {string} system
 * @property {number} load the average number of threads that wanted to run in the minute before; 0 where it is not known
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
