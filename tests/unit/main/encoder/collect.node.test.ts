import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { free } from '../../../../main/encoder/collect.ts';

it('free releases the memory of a chunk before garbage collection', async () => {
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 100; count += 1) {
    const chunk = new Uint8Array(1 << 20);
    free(chunk);
    expect(chunk.byteLength).toBe(0);
    await setImmediate();
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20e6);
});
