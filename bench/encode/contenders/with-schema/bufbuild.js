import { create, toBinary } from '@bufbuild/protobuf';
import { NumbersSchema as numbers } from '../../../generated/bufbuild/numbers.js';
import { TripsSchema as trips } from '../../../generated/bufbuild/trips.js';
import { preparing, withEnums } from '../../rows.js';

/** Schemas without the types of their fields. @type {{ numbers: any, trips: any }} */
const SCHEMAS = { numbers, trips };

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  if (task.dataset !== 'trips') return { encode: (value) => toBinary(SCHEMAS.numbers, create(SCHEMAS.numbers, value)) };
  return {
    prepare: preparing(task, withEnums),
    // The library encodes its own messages, with times as bigints.
    encode: ({ trips: rows }) => toBinary(SCHEMAS.trips, create(SCHEMAS.trips, { trips: rows.map(messageOf) })),
  };
};

/** @param {any} trip */
function messageOf(trip) {
  return {
    rideId: trip.ride_id,
    rideableType: trip.rideable_type,
    startedAt: BigInt(trip.started_at),
    endedAt: BigInt(trip.ended_at),
    startStationName: trip.start_station_name,
    startStationId: trip.start_station_id,
    endStationName: trip.end_station_name ?? undefined,
    endStationId: trip.end_station_id ?? undefined,
    startLat: trip.start_lat,
    startLng: trip.start_lng,
    endLat: trip.end_lat ?? undefined,
    endLng: trip.end_lng ?? undefined,
    memberCasual: trip.member_casual,
  };
}
