const proto = `syntax = "proto3";
  message Trip { string ride_id = 1; string start_station_name = 2; double start_lat = 3; double start_lng = 4; }
  message Trips { repeated Trip trips = 1; }`;

/** The decode of a page, by the query of its address. */
const DECODES = {
  'json-objects': ['large.json', { route: 'page' }],
  'json-rows-on-page': ['large.json', { as: 'rows', route: 'page' }],
  'json-rows': ['large.json', { as: 'rows', route: 'worker' }],
  'messagepack-objects': ['large.msgpack', { route: 'page' }],
  'messagepack-rows': ['large.msgpack', { as: 'rows', route: 'worker' }],
  'cbor-rows': ['large.cbor', { as: 'rows', route: 'worker' }],
  'protobuf-objects': ['large.pb', { format: 'protobuf', schema: { proto, message: 'Trips' }, route: 'page' }],
  'protobuf-rows': ['large.pb', { format: 'protobuf', schema: { proto, message: 'Trips' }, as: 'rows', route: 'worker' }],
};

/**
 * @param {import('unspool').Decoder} decoder
 * @returns {Promise<number>} number of items
 */
export async function decodeOne(decoder) {
  const [name, options] = DECODES[location.search.slice(1)];
  const { trips } = await decoder.decode(await fetch(`./${name}`), options);
  return trips.length;
}
