import { createServer } from 'node:http';

/** A byte that starts no MessagePack value. */
const NEVER = Buffer.from([0xc1]);

/**
 * @typedef {object} Cycle
 * @property {(repeats: number) => Buffer} head bytes before the rows
 * @property {Buffer} rows repeated rows
 * @property {Buffer} between separator of two repetitions
 * @property {Buffer} tail
 */

/**
 * Serves payloads of trips of any length by repeating the rows of one payload.
 *
 * @param {Record<string, Buffer>} payloads 10,000 trips by encoding: `json`, and `messagepack`, to which an invalid byte is
 *   appended
 */
export async function serveEndless({ json, messagepack }) {
  /** @type {Record<string, Cycle>} */
  const cycles = { ...(json && { json: jsonCycle(json) }), ...(messagepack && { messagepack: messagePackCycle(messagepack) }) };
  const server = createServer((request, response) => {
    const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
    const { head, rows, between, tail } = /** @type {Cycle} */ (cycles[query.get('format') ?? '']);
    const repeats = Math.ceil(Number(query.get('bytes')) / rows.length);
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    let sent = 0;
    const write = () => {
      while (sent < repeats) {
        response.write(sent === 0 ? head(repeats) : between);
        sent += 1;
        if (!response.write(rows)) return;
      }
      response.off('drain', write);
      response.end(tail);
    };
    response.on('drain', write);
    write();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: (/** @type {string} */ format, /** @type {number} */ bytes) => `http://127.0.0.1:${port}/?format=${format}&bytes=${bytes}`,
    /** Offset of the invalid byte at the end of a MessagePack payload. */
    badOffset(/** @type {number} */ bytes) {
      const { head, rows } = /** @type {Cycle} */ (cycles['messagepack']);
      const repeats = Math.ceil(bytes / rows.length);
      return head(repeats).length + repeats * rows.length;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param {Buffer} payload `{"trips":[…]}` @returns {Cycle} */
function jsonCycle(payload) {
  const rows = payload.subarray(payload.indexOf('[') + 1, payload.lastIndexOf(']'));
  return { head: () => Buffer.from('{"trips":['), rows, between: Buffer.from(','), tail: Buffer.from(']}') };
}

/** @param {Buffer} payload a map of `trips` to an array 16 (0xdc) @returns {Cycle} */
function messagePackCycle(payload) {
  const key = payload.indexOf('trips') + 'trips'.length;
  if (payload[key] !== 0xdc) throw new Error('The payload must have 16 to 65,535 rows.');
  const count = payload.readUInt16BE(key + 1);
  const head = (/** @type {number} */ repeats) => {
    const header = Buffer.from([0xdd, 0, 0, 0, 0]);
    header.writeUInt32BE(repeats * count + 1, 1);
    return Buffer.concat([payload.subarray(0, key), header]);
  };
  return { head, rows: payload.subarray(key + 3), between: Buffer.alloc(0), tail: NEVER };
}
