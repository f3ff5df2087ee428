import { Builder } from 'flatbuffers';
import { Numbers, Point } from '../../../generated/flatbuffers/numbers.js';
import { Trip, Trips } from '../../../generated/flatbuffers/trips.js';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => {
  // The size of the last value: a builder that is too small doubles and copies.
  let size = 1024;
  const write = task.dataset === 'trips' ? writeTrips : writeNumbers;
  return {
    prepare: preparing(task, withEnums),
    encode(value) {
      const builder = new Builder(size);
      write(builder, value);
      const bytes = builder.asUint8Array();
      size = bytes.length + 64;
      return bytes;
    },
  };
};

/** @param {Builder} builder @param {{ trips: any[] }} value */
function writeTrips(builder, { trips }) {
  const offsets = trips.map((trip) => writeTrip(builder, trip));
  Trips.finishTripsBuffer(builder, Trips.createTrips(builder, Trips.createTripsVector(builder, offsets)));
}

/** @param {Builder} builder @param {any} trip */
function writeTrip(builder, trip) {
  const id = builder.createString(trip.ride_id);
  const startName = builder.createString(trip.start_station_name);
  const startId = builder.createString(trip.start_station_id);
  const endName = builder.createString(trip.end_station_name);
  const endId = builder.createString(trip.end_station_id);
  Trip.startTrip(builder);
  Trip.addRideId(builder, id);
  Trip.addRideableType(builder, trip.rideable_type);
  Trip.addStartedAt(builder, BigInt(trip.started_at));
  Trip.addEndedAt(builder, BigInt(trip.ended_at));
  Trip.addStartStationName(builder, startName);
  Trip.addStartStationId(builder, startId);
  Trip.addEndStationName(builder, endName);
  Trip.addEndStationId(builder, endId);
  Trip.addStartLat(builder, trip.start_lat);
  Trip.addStartLng(builder, trip.start_lng);
  if (trip.end_lat !== null) Trip.addEndLat(builder, trip.end_lat);
  if (trip.end_lng !== null) Trip.addEndLng(builder, trip.end_lng);
  Trip.addMemberCasual(builder, trip.member_casual);
  return Trip.endTrip(builder);
}

/** @param {Builder} builder @param {{ items: any[] }} value */
function writeNumbers(builder, { items }) {
  Numbers.startItemsVector(builder, items.length);
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const { x, y, z } = items[index];
    Point.createPoint(builder, x, y, z);
  }
  Numbers.finishNumbersBuffer(builder, Numbers.createNumbers(builder, builder.endVector()));
}
