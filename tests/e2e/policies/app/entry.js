import { createDecoder } from './unspool/index.js';
import { decodeAll } from './decode-all.js';

async function run() {
  const decoder = createDecoder();
  const all = await decodeAll(decoder);
  const { trips } = await (await decoder.fetch('./large.msgpack')).rows();
  let rows = 0;
  for await (const batch of decoder.batches(await decoder.fetch('./large.msgpack'), { path: 'trips' })) rows += batch.length;
  return [Object.keys(all).length, all['large.msgpack'].route, trips.length, rows];
}

globalThis.outcome = run();
