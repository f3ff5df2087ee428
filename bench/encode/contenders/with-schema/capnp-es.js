import { Message } from 'capnp-es';
import { Numbers } from '../../../generated/capnp-es/numbers.js';
import { Trips } from '../../../generated/capnp-es/trips.js';
import { preparing, withEnums } from '../../rows.js';

/** @type {import('../contender.js').Setup} */
export const setup = (task) => ({ prepare: preparing(task, withEnums), encode: task.dataset === 'trips' ? encodeTrips : encodeNumbers });

/** @param {{ trips: any[] }} value */
function encodeTrips({ trips }) {
  /** @type {any} */
  const message = new Message();
  const list = message.initRoot(Trips)._initTrips(trips.length);
  for (const [index, trip] of trips.entries()) {
    const struct = list.get(index);
    struct.rideId = trip.ride_id;
    struct.rideableType = trip.rideable_type;
    struct.startedAt = BigInt(trip.started_at);
    struct.endedAt = BigInt(trip.ended_at);
    struct.startStationName = trip.start_station_name;
    struct.startStationId = trip.start_station_id;
    if (trip.end_station_name !== null) struct.endStationName = trip.end_station_name;
    if (trip.end_station_id !== null) struct.endStationId = trip.end_station_id;
    struct.startLat = trip.start_lat;
    struct.startLng = trip.start_lng;
    struct.endLat = trip.end_lat ?? Number.NaN;
    struct.endLng = trip.end_lng ?? Number.NaN;
    struct.memberCasual = trip.member_casual;
  }
  return new Uint8Array(message.toArrayBuffer());
}

/** @param {{ items: any[] }} value */
function encodeNumbers({ items }) {
  /** @type {any} */
  const message = new Message();
  const list = message.initRoot(Numbers)._initItems(items.length);
  for (const [index, { x, y, z }] of items.entries()) {
    const struct = list.get(index);
    struct.x = x;
    struct.y = y;
    struct.z = z;
  }
  return new Uint8Array(message.toArrayBuffer());
}
