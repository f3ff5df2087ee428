/** The young generation of V8 in Node: see `main/platform/node.ts`. */
import { getHeapSpaceStatistics } from 'node:v8';
import { expect, it } from 'vitest';
import { paceMinorGc } from '../../../../main/platform/node.ts';
import { COLLECT_FROM_MS, NODE_BUILT_BYTES } from '../../../../main/slicing/tuning.ts';

const newSpaceBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')!.space_used_size;

/** Builds objects until the young generation has more than some bytes. Keeps them, so that V8 lets it grow. */
function buildTo(bytes: number, kept: object[]): void {
  for (let round = 0; round < 2_000 && newSpaceBytes() <= bytes; round += 1) for (let id = 0; id < 1_000; id += 1) kept.push({ id });
  expect(newSpaceBytes()).toBeGreaterThan(bytes);
}

it('collects what was built in a decode that takes long, and leaves short decodes alone', () => {
  const isExposed = 'gc' in globalThis;
  const kept: object[] = [];
  // V8 lets the young generation grow once much of it has survived.
  buildTo(NODE_BUILT_BYTES * 2, kept);
  paceMinorGc(COLLECT_FROM_MS);
  paceMinorGc(COLLECT_FROM_MS);
  const least = newSpaceBytes();
  buildTo(least + NODE_BUILT_BYTES, kept);
  const most = newSpaceBytes();
  paceMinorGc(COLLECT_FROM_MS - 1);
  expect(newSpaceBytes()).toBeGreaterThanOrEqual(most);
  kept.length = 0;
  paceMinorGc(COLLECT_FROM_MS);
  expect(newSpaceBytes()).toBeLessThan(least + NODE_BUILT_BYTES);
  expect('gc' in globalThis).toBe(isExposed);
});
