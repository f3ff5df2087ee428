import { FLOODED, useFlood } from './flood.js';
import { growDocument, GROWING } from './growing.js';
import { CONSUMERS, useMessages } from './sockets.js';

/** @type {Awaited<ReturnType<typeof useMessages>> | undefined} */
let running;

const live = {
  grow: growDocument,
  flood: useFlood,
  /** @param {Parameters<typeof useMessages>} given */
  async start(...given) {
    running = await useMessages(...given);
  },
  used: () => running?.used(),
  longestBlockMs: () => running?.longestBlockMs(),
  labels: Object.fromEntries(Object.entries({ ...GROWING, ...CONSUMERS, ...FLOODED }).map(([id, { label }]) => [id, label])),
};

/** @typedef {typeof live} Live */
Object.assign(globalThis, { live });
