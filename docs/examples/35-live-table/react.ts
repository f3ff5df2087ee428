import { createElement, memo, type ReactNode, useSyncExternalStore } from 'react';
import type { RowsView } from 'unspool';
import type { Trip } from './trip.ts';

interface Props {
  view: RowsView<Trip>;
  count: number;
  onRender?: ((trip: Trip) => void) | undefined;
}

/** A row that is rendered again only if its trip is another object. */
const TripRow = memo(function TripRow({ trip, onRender }: { trip: Trip; onRender: Props['onRender'] }): ReactNode {
  onRender?.(trip);
  return createElement('tr', null, createElement('td', null, trip.station), createElement('td', null, trip.minutes));
});

/** The first rows of a view, as a table whose headers sort: a refetch renders the trips that have changed, wherever they stand. */
export function LiveTable({ view, count, onRender }: Props): ReactNode {
  const { rows } = useSyncExternalStore(view.subscribe, view.getSnapshot);
  const headers = (['station', 'minutes'] as const).map((key) =>
    createElement('th', { key }, createElement('button', { onClick: () => void view.update({ sortBy: key }) }, key)),
  );
  const shown = Array.from({ length: Math.min(count, rows.length) }, (_, index) => rows.at(index)!);
  const body = shown.map((trip) => createElement(TripRow, { key: trip.id, trip, onRender }));
  return createElement('table', null, createElement('thead', null, createElement('tr', null, headers)), createElement('tbody', null, body));
}
