import { expose } from 'comlink';

expose({ load: async (/** @type {string} */ url) => await (await fetch(url)).json() });
