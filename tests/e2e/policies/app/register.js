import { createDecoder } from './unspool/index.js';
import { registerServiceWorker } from './unspool/register.js';

async function run() {
  const decoder = createDecoder();
  const controlled = new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
  await registerServiceWorker('./service-worker.js', { decoder, type: 'module' }).registration;
  await controlled;
  const plain = await (await fetch('./api/json/large.msgpack')).json();
  const { trips } = await (await decoder.fetch('./api/block/large.msgpack')).rows();
  return [plain.trips.length, trips.length, decoder.stats().workers];
}

globalThis.outcome = run();
