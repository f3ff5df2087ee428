import { tableFromIPC } from 'apache-arrow';
import { byHand } from './by-hand.js';

/** @param {{ ipc: Uint8Array }} data */
export async function open({ ipc }) {
  const table = tableFromIPC(ipc);
  return byHand(table.numRows, (key) => {
    const vector = /** @type {import('apache-arrow').Vector} */ (table.getChild(key));
    return { at: (row) => vector.get(row) };
  });
}
