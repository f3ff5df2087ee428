import { tableFromIPC } from '@uwdata/flechette';
import { byHand } from './by-hand.js';

/** @param {{ ipc: Uint8Array }} data */
export async function open({ ipc }) {
  const table = tableFromIPC(ipc);
  return byHand(table.numRows, (key) => table.getChild(key));
}
