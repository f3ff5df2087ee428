/** Comparisons of large results by TanStack Query and SWR, and the options of the examples that avoid them. */
import { QueryObserver } from '@tanstack/query-core';
import { createElement, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, onTestFinished, test } from 'vitest';
import { queries, tripsQuery } from '../../../docs/examples/06-tanstack-query/index.ts';
import { useTrips } from '../../../docs/examples/07-swr/index.ts';
import type { Trips } from '../../../docs/examples/trip.ts';
import { expectTrips } from './trips.ts';

const URL_OF_MANY = '/trips?rows=20000';

test('TanStack Query neither compares results nor preserves identities with these options', async () => {
  onTestFinished(() => queries.clear());
  const observer = new QueryObserver<Trips>(queries, tripsQuery(URL_OF_MANY));
  onTestFinished(observer.subscribe(() => {}));
  const { data: first } = await observer.refetch();
  expectTrips(first!.trips, 20_000);
  const { data: second } = await observer.refetch();
  expectTrips(second!.trips, 20_000);
  expect(second).not.toBe(first);

  // With structural sharing, a refetch of the same data compares all of it and drops it.
  const shared = { ...tripsQuery(URL_OF_MANY), queryKey: ['shared'], structuralSharing: true };
  const before = await queries.fetchQuery(shared);
  await queries.fetchQuery(shared);
  expect(queries.getQueryData(shared.queryKey)).toBe(before);
});

test('SWR compares data by identity with these options', async () => {
  const seen: Trips[] = [];
  let revalidate: () => Promise<unknown> = () => Promise.resolve();
  const Component = (): ReactNode => {
    const { data, mutate } = useTrips(URL_OF_MANY);
    revalidate = mutate;
    if (data && seen.at(-1) !== data) seen.push(data);
    return null;
  };
  const root = createRoot(document.createElement('div'));
  onTestFinished(() => root.unmount());
  root.render(createElement(Component));
  await expect.poll(() => seen.length).toBe(1);
  expectTrips(seen[0]!.trips, 20_000);
  await revalidate();
  await expect.poll(() => seen.length).toBe(2);
  expectTrips(seen[1]!.trips, 20_000);
});
