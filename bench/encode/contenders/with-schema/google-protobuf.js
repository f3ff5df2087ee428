import { Numbers, Point } from 'generated:google-protobuf/numbers';
import { Trip, Trips } from 'generated:google-protobuf/trips';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => ({
  prepare: preparing(task, withEnums),
  // The library encodes its own messages.
  encode: task.dataset === 'trips' ? encodeTrips : encodeNumbers,
});

/** @param {{ trips: any[] }} value */
function encodeTrips({ trips }) {
  const message = new Trips();
  for (const trip of trips) {
    const one = message.addTrips(new Trip());
    one.setRideId(trip.ride_id);
    one.setRideableType(trip.rideable_type);
    one.setStartedAt(trip.started_at);
    one.setEndedAt(trip.ended_at);
    one.setStartStationName(trip.start_station_name);
    one.setStartStationId(trip.start_station_id);
    if (trip.end_station_name !== null) one.setEndStationName(trip.end_station_name);
    if (trip.end_station_id !== null) one.setEndStationId(trip.end_station_id);
    one.setStartLat(trip.start_lat);
    one.setStartLng(trip.start_lng);
    if (trip.end_lat !== null) one.setEndLat(trip.end_lat);
    if (trip.end_lng !== null) one.setEndLng(trip.end_lng);
    one.setMemberCasual(trip.member_casual);
  }
  return message.serializeBinary();
}

/** @param {{ items: any[] }} value */
function encodeNumbers({ items }) {
  const message = new Numbers();
  for (const { x, y, z } of items) {
    const one = message.addItems(new Point());
    one.setX(x);
    one.setY(y);
    one.setZ(z);
  }
  return message.serializeBinary();
}
