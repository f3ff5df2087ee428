import perspective from '@perspective-dev/client';
import { createDecoder, type Rows } from 'unspool';
import { createEncoder } from 'unspool/encode';
import type { Trip } from './trip.ts';

/** A row of the view: the number of trips of a station, of all stations if `station` is null. */
interface StationTrips {
  station: string | null;
  trips: number;
}

const decoder = createDecoder();
const encoder = createEncoder();

/** The number of trips of each station, counted by a view of Perspective over the columns of `Rows`. */
export async function countByStation(trips: Rows<Trip>): Promise<StationTrips[]> {
  const bytes = await encoder.encode(trips, { format: 'arrow' });
  const table = await perspective.table(bytes.slice().buffer);
  const view = await table.view({ group_by: ['station'], columns: ['id'], aggregates: { id: 'count' } });
  const counts = await decoder.decode<Record<string, unknown>[]>(await view.to_arrow(), { as: 'rows', format: 'arrow' });
  await view.delete();
  await table.delete();
  return counts.map(({ id, ...group }) => ({ station: Object.values(group)[0] as string | null, trips: id as number }));
}
