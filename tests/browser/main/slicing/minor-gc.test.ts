import { afterEach, describe, expect, it, vi } from 'vitest';
import { isChromium } from '../../../../main/slicing/engine.ts';
import { collectMinor, countBuilt, roomToBuild } from '../../../../main/slicing/minor-gc.ts';

/** About a MB of objects. */
const OBJECTS = 20_000;
const KEYS = 4;
const BATCHES = 64;

/** Values that are built before V8 is made to collect, and half as many. */
const ENOUGH = 200_000;
const TOO_FEW = 100_000;

/** Other engines are left alone. */
const canCollect = isChromium && 'transfer' in ArrayBuffer.prototype;

/** How often since a buffer was moved whole, which makes V8 collect, and how often it was given up. */
function watchMoves(): () => { whole: number; givenUp: number } {
  if (!canCollect) return () => ({ whole: 0, givenUp: 0 });
  const { mock } = vi.spyOn(ArrayBuffer.prototype as ArrayBuffer & { transfer(length?: number): ArrayBuffer }, 'transfer');
  const count = (length: number | undefined): number => mock.calls.filter(([given]) => given === length).length;
  return () => ({ whole: count(undefined), givenUp: count(0) });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('collecting what is young', () => {
  it('moves a buffer once enough was built, and not before', () => {
    const moved = watchMoves();
    countBuilt(TOO_FEW);
    collectMinor();
    expect(moved().whole).toBe(0);
    countBuilt(ENOUGH);
    collectMinor();
    expect(moved().whole).toBe(canCollect ? 1 : 0);
    // Not again before as much more was built.
    collectMinor();
    expect(moved().whole).toBe(canCollect ? 1 : 0);
  });

  it('gives the buffer up when nothing is built any more', async () => {
    const moved = watchMoves();
    countBuilt(ENOUGH);
    collectMinor();
    await expect.poll(moved).toEqual(canCollect ? { whole: 1, givenUp: 1 } : { whole: 0, givenUp: 0 });
  });

  it('leaves the objects as they are that are built meanwhile', async () => {
    const kept: object[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      for (let at = 0; at < OBJECTS; at++) kept.push({ batch, at, half: at / 2, text: `${batch}.${at}` });
      countBuilt(OBJECTS * KEYS);
      collectMinor();
      await roomToBuild();
    }
    expect(kept).toHaveLength(BATCHES * OBJECTS);
    expect(kept.at(-1)).toEqual({ batch: BATCHES - 1, at: OBJECTS - 1, half: (OBJECTS - 1) / 2, text: `${BATCHES - 1}.${OBJECTS - 1}` });
  });
});
