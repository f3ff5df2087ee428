import { expect, test } from 'vitest';
import type { Exchange, LibraryState } from '../../../../devtools-extension/adapter/adapter.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { keptBodyId, reportsOf } from '../../../../devtools-extension/panel/page/page-library.ts';
import type { DecodeReport } from '../../../../main/call/observe.ts';

const ORIGIN = 1_000_000;
const url = 'https://a.test/trips';
const report = (id: number, startTime: number, from = url): DecodeReport => ({ id, url: from, startTime }) as DecodeReport;
const exchange = (time: number): Exchange => createPageAdapter().add({ url, time: ORIGIN + time });
const state = (decodes: DecodeReport[], bodies: number[] = []): LibraryState => ({ decodes, schemas: [], bodies, timeOrigin: ORIGIN });

test('a decode belongs to the last request for its address that began before it', () => {
  const [first, second] = [exchange(100), exchange(500)];
  const said = state([report(1, 200), report(2, 600), report(3, 700, 'https://a.test/other')]);
  expect(reportsOf(said, first, [first, second]).map(({ id }) => id)).toEqual([1]);
  expect(reportsOf(said, second, [first, second]).map(({ id }) => id)).toEqual([2]);
});

test('a decode belongs to its request even if the clocks differ slightly', () => {
  const only = exchange(105);
  expect(reportsOf(state([report(1, 100)]), only, [only])).toHaveLength(1);
});

test('a body is taken from the last decode whose body the page has kept', () => {
  const only = exchange(0);
  expect(keptBodyId(state([report(1, 10), report(2, 20), report(3, 30)], [1, 2]), only, [only])).toBe(2);
  expect(keptBodyId(state([report(1, 10)]), only, [only])).toBeUndefined();
});
