/** One bike trip, with the columns of the public Citi Bike files. */
export interface Trip {
  ride_id: string;
  rideable_type: string;
  started_at: string;
  ended_at: string;
  start_station_name: string;
  start_station_id: string;
  end_station_name: string | null;
  end_station_id: string | null;
  start_lat: number;
  start_lng: number;
  end_lat: number | null;
  end_lng: number | null;
  member_casual: string;
}

/** A list of rows: an array of objects, or Unspool's `Rows`. */
export interface RowSource {
  readonly length: number;
  at(index: number): unknown;
}

/** The decoded payload contains no list of trips. */
export class WrongPayloadError extends Error {
  override name = 'WrongPayloadError';
}

/** The list of trips in a decoded payload. Throws a WrongPayloadError if it is missing. */
export function tripsOf(payload: unknown): RowSource {
  if (typeof payload !== 'object' || payload === null) {
    throw new WrongPayloadError(`The payload is ${describe(payload)}, not an object with a list of trips.`);
  }
  const { trips } = payload as { trips?: unknown };
  if (typeof trips !== 'object' || trips === null || typeof (trips as RowSource).length !== 'number') {
    throw new WrongPayloadError(`The payload is an object whose “trips” is ${describe(trips)}, not a list.`);
  }
  return trips as RowSource;
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  return `the ${typeof value} ${JSON.stringify(value)?.slice(0, 40) ?? ''}`.trim();
}
