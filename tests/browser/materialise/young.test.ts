import { expect, it } from 'vitest';
import { collectYoung, countBuilt, roomToBuild } from '../../../main/slicing/young.ts';

/** About a MB of objects. */
const OBJECTS = 20_000;
const KEYS = 4;
const BATCHES = 64;

it('collects what is young, or waits to be able to, while objects are built that stay', async () => {
  const kept: object[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    for (let at = 0; at < OBJECTS; at++) kept.push({ batch, at, half: at / 2, text: `${batch}.${at}` });
    countBuilt(OBJECTS * KEYS);
    collectYoung();
    await roomToBuild();
  }
  expect(kept).toHaveLength(BATCHES * OBJECTS);
  expect(kept.at(-1)).toEqual({ batch: BATCHES - 1, at: OBJECTS - 1, half: (OBJECTS - 1) / 2, text: `${BATCHES - 1}.${OBJECTS - 1}` });
  const untouched = new ArrayBuffer(8);
  countBuilt(1e6);
  collectYoung();
  expect(untouched.byteLength).toBe(8);
});
