/** The young generation of V8 in Node: see `main/platform/node.ts`. */
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { collectYoung } from '../../../../main/platform/node.ts';
import { COLLECT_FROM_MS, NODE_BUILT_BYTES } from '../../../../main/slicing/tuning.ts';

const youngBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_used_size;

/** Builds objects until the young generation has more than some bytes. Keeps them, so that V8 lets it grow. */
function buildTo(bytes: number, kept: object[]): void {
  for (let round = 0; round < 2_000 && youngBytes() <= bytes; round += 1) for (let id = 0; id < 1_000; id += 1) kept.push({ id });
  expect(youngBytes()).toBeGreaterThan(bytes);
}

it('collects what was built in a decode that takes long, and leaves short decodes alone', () => {
  const isExposed = 'gc' in globalThis;
  const kept: object[] = [];
  // V8 lets the young generation grow once much of it has survived.
  buildTo(NODE_BUILT_BYTES * 2, kept);
  collectYoung(COLLECT_FROM_MS);
  collectYoung(COLLECT_FROM_MS);
  const least = youngBytes();
  buildTo(least + NODE_BUILT_BYTES, kept);
  const most = youngBytes();
  collectYoung(COLLECT_FROM_MS - 1);
  expect(youngBytes()).toBeGreaterThanOrEqual(most);
  kept.length = 0;
  collectYoung(COLLECT_FROM_MS);
  expect(youngBytes()).toBeLessThan(least + NODE_BUILT_BYTES);
  expect('gc' in globalThis).toBe(isExposed);
});
