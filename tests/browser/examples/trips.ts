import { expect } from 'vitest';
import type { Trip } from '../../../docs/examples/01-fetch/trip.ts';

/** Checks trips of the example server. */
export function expectTrips(trips: readonly Trip[], length: number): void {
  expect(trips).toHaveLength(length);
  expect(trips[0]).toEqual({ id: 0, station: 'Station 0', minutes: 0.5, member: false });
  expect(trips.at(-1)).toMatchObject({ id: length - 1, member: (length - 1) % 3 > 0 });
}
