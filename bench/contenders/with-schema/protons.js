/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'protons',
  label: 'protons, generated',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['protobuf'],
  async setup({ dataset }) {
    const generated = await (dataset === 'trips' ? import('../../generated/protons/trips.js') : import('../../generated/protons/numbers.js'));
    /** @type {any} */
    const type = 'Trips' in generated ? generated.Trips : generated.Numbers;
    return {
      decode: (buffer) => type.decode(new Uint8Array(buffer)),
      // The names of fields are in camel case, and lists of points are as they are.
      ...(dataset === 'trips' && { plain: ({ trips }) => ({ trips: trips.map(plainTrip) }) }),
      close() {},
    };
  },
};

/** @param {any} trip */
function plainTrip(trip) {
  return {
    ride_id: trip.rideId,
    rideable_type: trip.rideableType,
    started_at: new Date(trip.startedAt),
    ended_at: new Date(trip.endedAt),
    start_station_name: trip.startStationName,
    start_station_id: trip.startStationId,
    end_station_name: trip.endStationName,
    end_station_id: trip.endStationId,
    start_lat: trip.startLat,
    start_lng: trip.startLng,
    end_lat: trip.endLat,
    end_lng: trip.endLng,
    member_casual: trip.memberCasual,
  };
}
