import { expose } from 'comlink';
import { Unpackr } from 'msgpackr';

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });

expose({ load: async (/** @type {string} */ url) => unpackr.unpack(new Uint8Array(await (await fetch(url)).arrayBuffer())) });
