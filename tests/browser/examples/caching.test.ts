/** Refetches of large results by TanStack Query, SWR and RTK Query, with the options of the examples, and what React renders of them. */
import { QueryObserver } from '@tanstack/query-core';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { queries, tripsQuery } from '../../../docs/examples/06-tanstack-query/index.ts';
import { useTrips } from '../../../docs/examples/07-swr/index.ts';
import { api, store } from '../../../docs/examples/11-rtk-query/index.ts';
import { refetch } from '../../../docs/examples/21-etag/index.ts';
import { TripTable } from '../../../docs/examples/14-refetching-table/index.ts';
import type { Trip, Trips } from '../../../docs/examples/trip.ts';
import { expectTrips } from './trips.ts';

const URL_OF_MANY = '/trips?rows=20000';
/** A list of 2,000 trips. With each request, one is added on top, and 20 others have changed. */
const live = (): string => `/trips?rows=2000&live=${crypto.randomUUID()}`;

/** Trips of `after` that are not the objects of `before`. */
function newTrips(before: Trips, after: Trips): readonly Trip[] {
  const known = new Set(before.trips);
  return after.trips.filter((trip) => !known.has(trip));
}

test('TanStack Query gets the same result from a refetch of the same data, without comparing it', async () => {
  onTestFinished(() => queries.clear());
  const observer = new QueryObserver<Trips>(queries, tripsQuery(URL_OF_MANY));
  onTestFinished(observer.subscribe(() => {}));
  const { data: first } = await observer.refetch();
  expectTrips(first!.trips, 20_000);
  const { data: second } = await observer.refetch();
  expect(second).toBe(first);
});

test('TanStack Query keeps the objects of all trips that a refetch has not changed', async () => {
  onTestFinished(() => queries.clear());
  const observer = new QueryObserver<Trips>(queries, tripsQuery(live()));
  onTestFinished(observer.subscribe(() => {}));
  let { data: before } = await observer.refetch();
  expectTrips(before!.trips, 2000);
  for (let round = 1; round <= 3; round += 1) {
    const { data } = await observer.refetch();
    expect(data!.trips).toHaveLength(2000 + round);
    expect(newTrips(before!, data!)).toHaveLength(21);
    before = data;
  }
});

/** Refetches of a live list by each library. */
const LIBRARIES: Readonly<Record<string, () => () => Promise<Trips>>> = {
  'TanStack Query': () => {
    onTestFinished(() => queries.clear());
    const observer = new QueryObserver<Trips>(queries, tripsQuery(live()));
    onTestFinished(observer.subscribe(() => {}));
    return async () => (await observer.refetch()).data!;
  },
  'RTK Query': () => {
    onTestFinished(() => void store.dispatch(api.util.resetApiState()));
    const url = live();
    return () => store.dispatch(api.endpoints.trips.initiate(url, { forceRefetch: true })).unwrap();
  },
};

test.each(Object.keys(LIBRARIES))(
  'React renders the rows of 21 of 2,001 trips after a refetch by %s that has changed 20 and added one',
  async (name) => {
    const load = LIBRARIES[name]!();
    const root = createRoot(document.createElement('div'));
    onTestFinished(() => root.unmount());
    let renders = 0;
    const render = async (): Promise<number> => {
      const { trips } = await load();
      renders = 0;
      await new Promise<void>((resolve) => {
        const Table = (): ReactNode => createElement(TripTable, { trips, onRender: countRender });
        root.render(createElement('div', { ref: () => resolve() }, Table()));
      });
      return renders;
    };
    const countRender = (): void => void (renders += 1);
    expect(await render()).toBe(2000);
    expect(await render()).toBe(21);
    expect(await render()).toBe(21);
  },
);

test('a request with an entity tag that is answered with 304 gives the value of before', async () => {
  const first = await refetch<Trips>('/trips?rows=2000&etag="one"');
  expectTrips(first.value.trips, 2000);
  expect(first.etag).toBe('"one"');
  const second = await refetch('/trips?rows=2000&etag="one"', first);
  expect(second).toEqual(first);
  expect(second.value).toBe(first.value);
  const third = await refetch('/trips?rows=2001&etag="two"', second);
  expect(third.etag).toBe('"two"');
  expect(newTrips(second.value, third.value)).toHaveLength(1);
});

test('SWR renders nothing after a revalidation of the same data, and keeps the trips that have not changed', async () => {
  for (const [url, renders] of [
    [URL_OF_MANY, 1],
    [live(), 2],
  ] as const) {
    const seen: Trips[] = [];
    let revalidate: () => Promise<unknown> = () => Promise.resolve();
    const Component = (): ReactNode => {
      const { data, mutate } = useTrips(url);
      revalidate = mutate;
      if (data && seen.at(-1) !== data) seen.push(data);
      return null;
    };
    const root = createRoot(document.createElement('div'));
    onTestFinished(() => root.unmount());
    root.render(createElement(Component));
    await expect.poll(() => seen.length).toBe(1);
    await revalidate();
    await expect.poll(() => seen.length).toBe(renders);
    if (renders === 2) expect(newTrips(seen[0]!, seen[1]!)).toHaveLength(21);
  }
});
