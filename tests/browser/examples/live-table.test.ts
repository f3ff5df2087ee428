/** Tables of a view that is sorted, filtered and refetched, in plain DOM and in React. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { LiveTrips, showView } from '../../../docs/examples/35-live-table/index.ts';
import { LiveTable } from '../../../docs/examples/35-live-table/react.ts';
import type { Trip } from '../../../docs/examples/35-live-table/trip.ts';

/** With each request, one trip is added on top, and one in a hundred others has changed. */
const live = (rows: number): string => `/trips?rows=${rows}&live=${crypto.randomUUID()}`;

/** Trips that a view shows but has not shown before. */
function newTrips(before: readonly Trip[], trips: LiveTrips): Trip[] {
  const known = new Set(before.map((trip) => JSON.stringify(trip)));
  return trips.view.rows.toArray().filter((trip) => !known.has(JSON.stringify(trip)));
}

const ids = (trips: readonly Trip[]): number[] => trips.map(({ id }) => id).toSorted((one, other) => one - other);

test('a table in plain DOM draws the rows whose trip has changed, and those after them', async () => {
  const trips = await LiveTrips.load(live(2000));
  const table = document.createElement('table');
  const drawn: Trip[] = [];
  onTestFinished(showView(table, trips.view, 5000, (trip) => drawn.push(trip)));
  const texts = (): string[] => [...table.tBodies[0]!.rows].map(({ cells: [id, , minutes] }) => `${id!.textContent} ${minutes!.textContent}`);
  const expected = (): string[] => trips.view.rows.map(({ id, minutes }) => `${id} ${minutes}`);
  expect(drawn).toHaveLength(1333);
  expect(texts()).toEqual(expected());
  table.querySelectorAll('button')[0]!.click();
  await expect.poll(() => texts()[1]).toBe('2 14.5');
  expect(texts()).toEqual(expected());
  for (let round = 0; round < 3; round += 1) {
    const before = trips.view.rows.toArray();
    drawn.length = 0;
    await trips.refetch();
    // Trips that are added have larger ids, and come last.
    const changed = newTrips(before, trips);
    expect(changed.length).toBeGreaterThan(12);
    expect(changed.length).toBeLessThan(16);
    expect(drawn.filter(({ id }) => id < 1_000_000).map(({ id }) => id)).toEqual(ids(changed).filter((id) => id < 1_000_000));
    expect(drawn.length - changed.length).toBeLessThan(2 * (round + 1));
    expect(texts()).toEqual(expected());
  }
});

test('React renders the trips that have changed alone, wherever they stand', async () => {
  const trips = await LiveTrips.load(live(2000));
  const container = document.createElement('div');
  const root = createRoot(container);
  onTestFinished(() => root.unmount());
  const rendered: Trip[] = [];
  const rows = (): string[] => [...container.querySelectorAll('tbody tr')].map(({ textContent }) => textContent);
  const expected = (): string[] => trips.view.rows.map(({ station, minutes }) => `${station}${minutes}`);
  root.render(createElement(LiveTable, { view: trips.view, count: 5000, onRender: (trip) => void rendered.push(trip) }));
  await expect.poll(() => rows().length).toBe(1333);
  expect(rendered).toHaveLength(1333);
  for (let round = 0; round < 3; round += 1) {
    const before = trips.view.rows.toArray();
    rendered.length = 0;
    await trips.refetch();
    await expect.poll(rows).toEqual(expected());
    expect(ids(rendered)).toEqual(ids(newTrips(before, trips)));
  }
  rendered.length = 0;
  container.querySelectorAll('button')[1]!.click();
  const isSorted = (): boolean => trips.view.rows.toArray().every(({ minutes }, index, all) => index === 0 || minutes >= all[index - 1]!.minutes);
  await expect.poll(isSorted).toBe(true);
  await expect.poll(rows).toEqual(expected());
  expect(rendered).toEqual([]);
});
