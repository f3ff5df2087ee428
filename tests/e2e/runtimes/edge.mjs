// A module worker of workerd, Cloudflare's runtime. Answers and receives requests in its test, and prints what came out as JSON.
import { createDecoder } from 'unspool';
import { receive, RequestError, respond } from 'unspool/server';

const trips = Array.from({ length: 2_000 }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2 }));
const proto = 'syntax = "proto3"; message Trips { repeated Trip trips = 1; } message Trip { int32 id = 1; string station = 2; double minutes = 3; }';
/** @type {import('unspool/server').RespondOptions['schemas']} */
const schemas = { trips: { format: 'protobuf', schema: { proto, message: 'Trips' } } };
const TYPES = {
  json: 'application/json',
  sequence: 'application/x-ndjson',
  messagepack: 'application/vnd.msgpack',
  cbor: 'application/cbor',
  protobuf: 'application/x-protobuf',
};

/**
 * Asks for the trips in a type, and posts the answer's body back.
 *
 * @param {string} type
 * @param {import('unspool/server').RespondOptions} options
 */
async function roundTrip(type, options) {
  const asked = new Request('https://example.com/trips', { headers: { Accept: type, 'Accept-Encoding': 'gzip' } });
  const answer = await respond(asked, type === TYPES.sequence ? trips : { trips }, options);
  const coding = answer.headers.get('content-encoding') ?? 'identity';
  const headers = { 'Content-Type': String(answer.headers.get('content-type')), 'Content-Encoding': coding };
  const posted = new Request('https://example.com/trips', { method: 'POST', headers, body: await answer.arrayBuffer() });
  const value = /** @type {any} */ (await receive(posted, { schemas }));
  const list = value.trips ?? value;
  return [headers['Content-Type'], coding, list.length, list.at(-1)];
}

export default {
  async test() {
    /** @type {Record<string, unknown>} */
    const outcomes = {};
    for (const [name, type] of Object.entries(TYPES)) outcomes[name] = await roundTrip(type, { schemas });
    outcomes.compressed = await roundTrip(TYPES.json, { compression: true });
    const broken = new Request('https://example.com/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"id":1,}' });
    const error = await receive(broken).catch((cause) => cause);
    outcomes.broken = [error instanceof RequestError, error.status, error.message];
    const decoded = await createDecoder().decode(await respond(new Request('https://example.com/'), trips));
    outcomes.decoded = /** @type {unknown[]} */ (decoded).length;
    console.log(JSON.stringify(outcomes));
  },
};
