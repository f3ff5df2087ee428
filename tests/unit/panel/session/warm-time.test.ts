import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { warmTime } from '../../../../devtools-extension/reading/worker/warm-time.ts';

let now = 0;

beforeEach(() => {
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
});

/** The time of a decode that takes so many milliseconds each time, and how often it was run. */
async function timeOf(...taken: readonly number[]): Promise<[time: number, runs: number]> {
  let runs = 0;
  const time = await warmTime(async () => {
    now += taken[runs++] ?? 1;
  });
  return [time, runs];
}

test('the time of a decode is the median of those that come after as many that warm the code up', async () => {
  expect(await timeOf(9, 8, 7, 6, 5, 1, 2, 2, 3, 4)).toEqual([2, 10]);
});

test('a decode that takes long is run once, and one that takes some time as often as there is time for', async () => {
  expect(await timeOf(60)).toEqual([60, 1]);
  expect(await timeOf(40, 30)).toEqual([30, 2]);
  expect(await timeOf(30, 15, 14, 13)).toEqual([14, 4]);
});
