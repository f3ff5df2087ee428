/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'google-protobuf',
  label: 'google-protobuf',
  kind: 'main',
  result: 'rows',
  formats: ['protobuf'],
  async setup({ dataset }) {
    const { Trips, Numbers } = await (dataset === 'trips' ? import('generated:google-protobuf/trips') : import('generated:google-protobuf/numbers'));
    return {
      decode(buffer) {
        const bytes = new Uint8Array(buffer);
        if (dataset === 'trips') return rows('trips', Trips.deserializeBinary(bytes).getTripsList(), plainTrip);
        return rows('items', Numbers.deserializeBinary(bytes).getItemsList(), plainPoint);
      },
      plain: ({ trips, items }) => (trips ? { trips: trips.toArray() } : { items: items.toArray() }),
      own: ({ trips, items }) => (trips ?? items).first,
      close() {},
    };
  },
};

/**
 * Wraps a list of messages, whose values are behind getters.
 *
 * @param {string} list
 * @param {readonly any[]} messages
 * @param {(message: any) => object} plain
 */
function rows(list, messages, plain) {
  return {
    [list]: {
      first: messages[0],
      length: messages.length,
      at: (/** @type {number} */ index) => plain(messages[index]),
      toArray: () => messages.map(plain),
    },
  };
}

/** @param {any} trip */
function plainTrip(trip) {
  return {
    ride_id: trip.getRideId(),
    rideable_type: trip.getRideableType(),
    started_at: new Date(trip.getStartedAt()),
    ended_at: new Date(trip.getEndedAt()),
    start_station_name: trip.getStartStationName(),
    start_station_id: trip.getStartStationId(),
    end_station_name: trip.hasEndStationName() ? trip.getEndStationName() : null,
    end_station_id: trip.hasEndStationId() ? trip.getEndStationId() : null,
    start_lat: trip.getStartLat(),
    start_lng: trip.getStartLng(),
    end_lat: trip.hasEndLat() ? trip.getEndLat() : null,
    end_lng: trip.hasEndLng() ? trip.getEndLng() : null,
    member_casual: trip.getMemberCasual(),
  };
}

/** @param {any} point */
function plainPoint(point) {
  return { x: point.getX(), y: point.getY(), z: point.getZ() };
}
