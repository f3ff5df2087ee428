// Page of refetches over a connection: fetches the versions of a document one after another, and sends the figures to the runner.
// The query of its address names the contender, the number of versions and the runner's address.
import { median, watchBlocks } from './measure.js';

/** Chains of refetches: each begins with a decode without a previous value. The first is not counted: the engine optimises the code. */
const CHAINS = 6;
/** Milliseconds between refetches, as on a page that polls. */
const PAUSE_MS = 400;

/** @typedef {{ ms: number, blockMs: number | null }} Step */

const query = new URLSearchParams(location.search);
const contender = query.get('contender');
const { createDecoder } = await import(/* @vite-ignore */ new URL('/dist/index.js', location.href).href);
const decoder = createDecoder();

/** @type {Record<string, (url: string, previous: unknown) => Promise<unknown>>} */
const CONTENDERS = {
  body: async (url) => await (await fetch(url, { cache: 'no-store' })).arrayBuffer(),
  'response.json()': async (url) => await (await fetch(url, { cache: 'no-store' })).json(),
  decode: async (url) => await (await decoder.fetch(url, { cache: 'no-store' })).json(),
  previous: async (url, previous) => await (await decoder.fetch(url, { cache: 'no-store' })).json({ previous }),
};

/** @type {Step[][]} */
const chains = [];
for (let chain = 0; chain < CHAINS; chain += 1) {
  let value;
  /** @type {Step[]} */
  const steps = [];
  for (let version = 0; version < Number(query.get('versions')); version += 1) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const block = watchBlocks();
    const start = performance.now();
    value = await CONTENDERS[contender ?? '']?.(`/version-${version}`, value);
    const ms = performance.now() - start;
    steps.push({ ms, blockMs: await block() });
  }
  chains.push(steps);
}
const counted = chains.slice(1);
const summary = (/** @type {Step[]} */ steps) => ({
  ms: median(steps.map(({ ms }) => ms)),
  blockMs: Math.max(...steps.map(({ blockMs }) => blockMs ?? 0)),
});
const figures = {
  decode: summary(counted.flatMap((steps) => steps.slice(0, 1))),
  first: summary(counted.flatMap((steps) => steps.slice(1, 2))),
  later: summary(counted.flatMap((steps) => steps.slice(2))),
};
await fetch(`${query.get('report')}outcome`, { method: 'POST', body: JSON.stringify(figures) });
