import type { Rows } from 'unspool';
import type { RowSource, Trip } from '../payloads/trips.ts';

/** The column that the search field looks in, and that the chart counts. */
export const STATION = 'start_station_name';

/** The column that rows are sorted by. */
export interface Order {
  key: string;
  descending: boolean;
}

export type Riders = 'all' | 'member' | 'casual';

/** Search, filter and order of the table. */
export interface Wanted {
  /** Part of the station's name, in any case; empty for all. */
  text: string;
  riders: Riders;
  order: Order | undefined;
}

/** Trips in the wanted order, and the number of them that begin at each station. */
export interface Found {
  rows: RowSource;
  counts: ReadonlyMap<string, number>;
}

/** Filters, sorts and counts columns, in slices of a few milliseconds. */
export async function changeRows(trips: Rows<Trip>, { text, riders, order }: Wanted, signal: AbortSignal): Promise<Found> {
  const part = text.trim().toLowerCase();
  const found = await trips.filter(
    {
      ...(part !== '' && { [STATION]: (station: string) => station.toLowerCase().includes(part) }),
      ...(riders !== 'all' && { member_casual: riders }),
    },
    { signal },
  );
  const rows = order ? await found.sortBy({ key: order.key as keyof Trip, descending: order.descending }, { signal }) : found;
  const stations = await found.groupBy(STATION, { signal });
  return { rows, counts: new Map(Array.from(stations, ([station, { length }]) => [station, length])) };
}

/** Does the same with an array of objects, in one task. */
export function changeArray(trips: readonly Trip[], { text, riders, order }: Wanted): Found {
  const part = text.trim().toLowerCase();
  const found = trips.filter(
    (trip) => (part === '' || trip[STATION].toLowerCase().includes(part)) && (riders === 'all' || trip.member_casual === riders),
  );
  const rows = order ? found.toSorted(comparison(order)) : found;
  const counts = new Map<string, number>();
  for (const { [STATION]: station } of found) counts.set(station, (counts.get(station) ?? 0) + 1);
  return { rows, counts };
}

/** Compares numbers or strings; null comes last in either direction. */
function comparison({ key, descending }: Order): (one: Trip, other: Trip) => number {
  const column = key as keyof Trip;
  const sign = descending ? -1 : 1;
  return ({ [column]: one }, { [column]: other }) => {
    if (one === other) return 0;
    if (one === null) return 1;
    if (other === null) return -1;
    return one < other ? -sign : sign;
  };
}
