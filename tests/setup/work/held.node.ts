import { createDecoder } from '../../../main/decoder/create-decoder.ts';

/**
 * Prints the bytes that are held while batches, or growing rows that keep some of them, pass: after an eighth of the payload, and then after
 * each further eighth. Run in a process of its own with `--expose-gc`.
 */
const way = process.env['UNSPOOL_WAY']!;
const [head, between, tail] = process.env['UNSPOOL_ROOT'] === 'list' ? ['[', ',', ']'] : ['', '\n', '\n'];
const bytes = Number(process.env['UNSPOOL_BYTES']);
const CHUNK_ITEMS = 1_000;
const encoder = new TextEncoder();
const collect = (globalThis as { gc?: () => void }).gc!;
const held: number[] = [];

async function* payload(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const item = JSON.stringify({ id: 1, name: 'some name', tags: ['a', 'b'], at: { x: 0.5, y: -1 } });
  const chunk = Array.from({ length: CHUNK_ITEMS }, () => item).join(between);
  for (let sent = 0, next = bytes / 8; sent < bytes; sent += chunk.length) {
    yield encoder.encode((sent === 0 ? head : between) + chunk);
    if (sent < next) continue;
    next += bytes / 8;
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    held.push(heapUsed + arrayBuffers);
  }
  yield encoder.encode(tail);
}

const decoder = createDecoder({ route: 'page' });
const options = { format: 'json', options: { sequence: head === '' } } as const;
let items = 0;
if (way === 'growingRows') {
  const rows = await decoder.growingRows(payload(), { ...options, keep: 1_000 });
  await rows.done;
  items = rows.dropped + rows.length;
} else {
  for await (const batch of decoder.batches(payload(), { ...options, as: way === 'rows' ? 'rows' : 'objects' })) items += batch.length;
}
console.log(JSON.stringify({ held, items }));
process.exit();
