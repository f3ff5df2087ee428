import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { warmTime } from '../../../../devtools-extension/reading/worker/warm-time.ts';

let now = 0;

beforeEach(() => {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
});

/** Measured time of a decode with these durations in ms, and the number of runs. */
async function timeOf(...taken: readonly number[]): Promise<[time: number, runs: number]> {
  let runs = 0;
  const time = await warmTime(async () => {
    now += taken[runs++] ?? 1;
  });
  return [time, runs];
}

test('the time of a decode is the median after an equal number of warm-up runs', async () => {
  expect(await timeOf(9, 8, 7, 6, 5, 1, 2, 2, 3, 4)).toEqual([2, 10]);
});

test('a long decode runs once, and a shorter one as often as time allows', async () => {
  expect(await timeOf(60)).toEqual([60, 1]);
  expect(await timeOf(40, 30)).toEqual([30, 2]);
  expect(await timeOf(30, 15, 14, 13)).toEqual([14, 4]);
});
