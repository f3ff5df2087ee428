/** Refetches of large results by TanStack Query, SWR and RTK Query, with the options of the examples, and what React renders of them. */
import { QueryObserver } from '@tanstack/query-core';
import { createElement, type ReactNode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { queries, tripsQuery } from '../../../docs/examples/06-tanstack-query/index.ts';
import { useTrips } from '../../../docs/examples/07-swr/index.ts';
import { api, store } from '../../../docs/examples/11-rtk-query/index.ts';
import { refetch } from '../../../docs/examples/21-etag/index.ts';
import { TripTable } from '../../../docs/examples/14-refetching-table/index.ts';
import type { Trip, Trips } from '../../../docs/examples/01-fetch/trip.ts';
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

test('React renders nothing after a revalidation of the same data by SWR, and otherwise the rows of the trips that have changed', async () => {
  for (const [url, rendered] of [
    ['/trips?rows=2000', 0],
    [live(), 21],
  ] as const) {
    const seen: (Trips | undefined)[] = [];
    let renders = 0;
    let revalidate: () => Promise<Trips | undefined> = () => Promise.resolve(undefined);
    const Component = (): ReactNode => {
      const { data, mutate } = useTrips(url);
      revalidate = mutate;
      useEffect(() => void seen.push(data), [data]);
      return createElement(TripTable, { trips: data?.trips ?? [], onRender: countRender });
    };
    const countRender = (): void => void (renders += 1);
    const root = createRoot(document.createElement('div'));
    onTestFinished(() => root.unmount());
    root.render(createElement(Component));
    await expect.poll(() => seen.at(-1)?.trips.length).toBe(2000);
    expect(renders).toBe(2000);
    renders = 0;
    const before = seen.at(-1)!;
    const after = await revalidate();
    expect(newTrips(before, after!)).toHaveLength(rendered);
    if (rendered === 0) expect(after).toBe(before);
    // React renders roots in the order of their updates.
    const last = createRoot(document.createElement('div'));
    await new Promise<void>((resolve) => last.render(createElement('div', { ref: () => resolve() })));
    last.unmount();
    expect(renders).toBe(rendered);
  }
});
