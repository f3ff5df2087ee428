import type { AsyncDuckDBConnection } from '@duckdb/duckdb-wasm';
import { createDecoder, type Rows } from 'unspool';
import { createEncoder } from 'unspool/encode';
import type { Trip } from './trip.ts';

const decoder = createDecoder();
const encoder = createEncoder();

/** Makes a table of DuckDB of `Rows`, from their columns. */
export async function insertTrips(connection: AsyncDuckDBConnection, trips: Rows<Trip>): Promise<void> {
  const bytes = await encoder.encode(trips, { format: 'arrow' });
  await connection.insertArrowFromIPCStream(bytes, { name: 'trips' });
}

/** A row of the result: a station with its number of trips and the longest. */
export interface StationTrips {
  station: string;
  trips: number;
  longest: number;
}

/** The number of trips and the longest of each station, as `Rows` over the columns of DuckDB's result. */
export async function countByStation(connection: AsyncDuckDBConnection): Promise<Rows<StationTrips>> {
  const sql = 'SELECT station, count(*)::INT AS trips, max(minutes) AS longest FROM trips GROUP BY station ORDER BY station';
  const bytes = await connection.useUnsafe((database, id) => database.runQuery(id, sql));
  return await decoder.decode<StationTrips[]>(bytes, { as: 'rows', format: 'arrow' });
}
