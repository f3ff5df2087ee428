import { afterEach, describe, expect, it, vi } from 'vitest';
import { isChromium } from '../../../../core/engine/chromium.ts';
import { collectMinor, countBuilt, roomToBuild } from '../../../../core/slicing/minor-gc.ts';

/** About a MB of objects. */
const OBJECTS = 20_000;
const KEYS = 4;
const BATCHES = 64;

/** Number of values that triggers a collection in V8, and half of it. */
const ENOUGH = 200_000;
const TOO_FEW = 100_000;

/** Only V8 is made to collect. */
const canCollect = isChromium && 'transfer' in ArrayBuffer.prototype;

/** Counts transfers of a whole buffer, which make V8 collect, and releases of the buffer. */
function watchMoves(): () => { whole: number; givenUp: number } {
  if (!canCollect) return () => ({ whole: 0, givenUp: 0 });
  const { mock } = vi.spyOn(ArrayBuffer.prototype as ArrayBuffer & { transfer(length?: number): ArrayBuffer }, 'transfer');
  const count = (length: number | undefined): number => mock.calls.filter(([given]) => given === length).length;
  return () => ({ whole: count(undefined), givenUp: count(0) });
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('minor garbage collection', () => {
  it('transfers a buffer once enough values were built, and not before', () => {
    const moved = watchMoves();
    countBuilt(TOO_FEW);
    collectMinor();
    expect(moved().whole).toBe(0);
    countBuilt(ENOUGH);
    collectMinor();
    expect(moved().whole).toBe(canCollect ? 1 : 0);
    // Not again before the same number of further values.
    collectMinor();
    expect(moved().whole).toBe(canCollect ? 1 : 0);
  });

  it('releases the buffer when nothing is built', async () => {
    const moved = watchMoves();
    countBuilt(ENOUGH);
    collectMinor();
    await expect.poll(moved).toEqual(canCollect ? { whole: 1, givenUp: 1 } : { whole: 0, givenUp: 0 });
  });

  it('leaves objects under construction unchanged', async () => {
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
