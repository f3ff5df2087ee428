/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'bufbuild',
  label: '@bufbuild/protobuf',
  kind: 'main',
  result: 'objects',
  needsList: false,
  formats: ['protobuf'],
  async setup({ dataset }) {
    const [{ fromBinary }, generated] = await Promise.all([
      import('@bufbuild/protobuf'),
      dataset === 'trips' ? import('../../generated/bufbuild/trips.js') : import('../../generated/bufbuild/numbers.js'),
    ]);
    const schema = 'TripsSchema' in generated ? generated.TripsSchema : generated.NumbersSchema;
    return {
      decode: (buffer) => fromBinary(schema, new Uint8Array(buffer)),
      plain: (message) => (dataset === 'trips' ? { trips: message.trips.map(plainTrip) } : { items: message.items.map(plainPoint) }),
      close() {},
    };
  },
};

/** @param {any} trip */
function plainTrip(trip) {
  return {
    ride_id: trip.rideId,
    rideable_type: trip.rideableType,
    started_at: new Date(Number(trip.startedAt)),
    ended_at: new Date(Number(trip.endedAt)),
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

/** @param {any} point */
function plainPoint({ x, y, z }) {
  return { x, y, z };
}
