const proto = 'syntax = "proto3"; message Greeting { string hello = 1; repeated sint64 list = 2; }';

/** Options of payloads whose bytes do not identify the format, or that must be decoded in a worker. */
const options = {
  'large.msgpack': { route: 'worker' },
  'large.json': { route: 'worker' },
  'large.cbor': { route: 'worker' },
  'small.pb': { format: 'protobuf', schema: { proto, message: 'Greeting' } },
};

/**
 * Decodes each payload of the site and returns its route and value.
 *
 * @param {import('unspool').Decoder} decoder
 * @returns {Promise<Record<string, { route: string, value: unknown }>>} by file name
 */
export async function decodeAll(decoder) {
  /** @type {Record<string, { route: string, value: unknown }>} */
  const outcomes = {};
  for (const name of ['large.msgpack', 'large.json', 'large.cbor', 'small.msgpack', 'small.json', 'small.pb']) {
    const buffer = await (await fetch(`./${name}`)).arrayBuffer();
    let route = 'unknown';
    decoder.addEventListener('decode', ({ detail }) => (route = detail.route), { once: true });
    const value = await decoder.decode(buffer, options[name]);
    outcomes[name] = { route, value };
  }
  return outcomes;
}
