import { createElement, memo, type ReactNode } from 'react';
import type { Trip } from './trip.ts';

/** Rows of a table that are rendered again only if their trip is another object. */
const TripRow = memo(function TripRow({ trip, onRender }: { trip: Trip; onRender?: ((trip: Trip) => void) | undefined }): ReactNode {
  onRender?.(trip);
  return createElement('tr', null, createElement('td', null, trip.station), createElement('td', null, trip.minutes));
});

/** A table of trips that were decoded with `previous`: a refetch renders the rows that have changed. */
export function TripTable({ trips, onRender }: { trips: readonly Trip[]; onRender?: (trip: Trip) => void }): ReactNode {
  const rows = trips.map((trip) => createElement(TripRow, { key: trip.id, trip, onRender }));
  return createElement('table', null, createElement('tbody', null, rows));
}
