/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'flatbuffers',
  label: 'flatbuffers, generated',
  kind: 'main',
  result: 'rows',
  formats: ['flatbuffers'],
  async setup({ dataset }) {
    const [{ ByteBuffer }, generated] = await Promise.all([
      import('flatbuffers'),
      dataset === 'trips' ? import('../../generated/flatbuffers/trips.js') : import('../../generated/flatbuffers/numbers.js'),
    ]);
    /** @type {any} */
    const { Trips, Numbers } = generated;
    return Trips ? trips(Trips, ByteBuffer) : points(Numbers, ByteBuffer);
  },
};

/** @typedef {new (bytes: Uint8Array) => unknown} ByteBufferClass */

/**
 * @param {any} Trips
 * @param {ByteBufferClass} ByteBuffer
 * @returns {import('../contender.js').Decoding}
 */
function trips(Trips, ByteBuffer) {
  return {
    decode(buffer) {
      const root = Trips.getRootAsTrips(new ByteBuffer(new Uint8Array(buffer)));
      return { first: root.trips(0), trips: { length: root.tripsLength(), at: (/** @type {number} */ index) => plainTrip(root.trips(index)) } };
    },
    plain: ({ trips: rows }) => ({ trips: Array.from({ length: rows.length }, (_, index) => rows.at(index)) }),
    own: ({ first }) => first,
    close() {},
  };
}

/**
 * @param {any} Numbers
 * @param {ByteBufferClass} ByteBuffer
 * @returns {import('../contender.js').Decoding}
 */
function points(Numbers, ByteBuffer) {
  return {
    decode(buffer) {
      const root = Numbers.getRootAsNumbers(new ByteBuffer(new Uint8Array(buffer)));
      return { first: root.items(0), items: { length: root.itemsLength(), at: (/** @type {number} */ index) => plainPoint(root.items(index)) } };
    },
    plain: ({ items: rows }) => ({ items: Array.from({ length: rows.length }, (_, index) => rows.at(index)) }),
    own: ({ first }) => first,
    close() {},
  };
}

/** @param {any} trip */
function plainTrip(trip) {
  return {
    ride_id: trip.rideId(),
    rideable_type: trip.rideableType(),
    started_at: new Date(Number(trip.startedAt())),
    ended_at: new Date(Number(trip.endedAt())),
    start_station_name: trip.startStationName(),
    start_station_id: trip.startStationId(),
    end_station_name: trip.endStationName(),
    end_station_id: trip.endStationId(),
    start_lat: trip.startLat(),
    start_lng: trip.startLng(),
    end_lat: trip.endLat(),
    end_lng: trip.endLng(),
    member_casual: trip.memberCasual(),
  };
}

/** @param {any} point */
function plainPoint(point) {
  return { x: point.x(), y: point.y(), z: point.z() };
}
