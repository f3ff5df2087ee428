import { createDecoder } from './unspool/index.js';

async function run() {
  const decoder = createDecoder({ route: 'worker', workers: 1 });
  // Waits for the kernels, which may load later than the first job on a busy machine.
  await decoder.preload();
  while (decoder.stats().kernel === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
  const events = [];
  decoder.addEventListener('decode', ({ detail }) => events.push(detail.kernel));
  const rows = [];
  for (const [name, format] of [
    ['large.msgpack', 'messagepack'],
    ['large.cbor', 'cbor'],
  ]) {
    const bytes = await (await fetch(`./${name}`)).arrayBuffer();
    const { trips } = await decoder.decode(bytes, { format, as: 'rows' });
    rows.push(trips.length);
  }
  return { rows, events, stats: decoder.stats().kernel };
}

globalThis.outcome = run();
