// Sends messages of about 1 kB at a steady rate.
import { create, toBinary } from '@bufbuild/protobuf';
import { once } from 'node:events';
import { Packr } from 'msgpackr';
import { WebSocketServer } from 'ws';
import { TripsSchema } from '../generated/bufbuild/trips.js';

const MESSAGE_BYTES = 1_000;
/** Keys of messages, and different messages of each. */
const KEYS = 10;
const VARIANTS = 10;
const TICK_MS = 2;
/** Bytes that a socket may buffer: a browser receives fewer messages than a flood has. */
const MAX_BUFFERED = 2 ** 24;

/** @param {number} index @param {number} count */
const trips = (index, count) =>
  Array.from({ length: count }, (_, at) => ({
    rideId: at === 0 ? `ride-${String(index).padStart(3, '0')}#${index % KEYS}` : `ride-${index}-${at}`,
    rideableType: 1,
    startedAt: 1.7e12 + index * 1000,
    endedAt: 1.7e12 + index * 1000 + at,
    startStationName: `Station ${at}`,
    startStationId: `HB${at === 0 ? index % KEYS : at}`,
    startLat: 40.7 + at / 1000,
    startLng: -74 + at / 1000,
  }));

/** @type {Readonly<Record<string, (index: number, count: number) => Uint8Array>>} */
const ENCODE = {
  messagepack: (index, count) => new Packr({ useRecords: false }).pack({ trips: trips(index, count) }),
  protobuf: (index, count) => toBinary(TripsSchema, create(TripsSchema, /** @type {object} */ ({ trips: trips(index, count) }))),
};

/** Messages of 20 bytes in a flood for each one of a usual size. */
const FLOOD = 20;

/** The messages of a format. @param {string} format */
function messagesOf(format) {
  if (format === 'none') return [];
  if (format === 'small') return Array.from({ length: 1_000 }, (_, id) => new Packr({ useRecords: false }).pack({ key: id % KEYS, id, at: 1.7e9 }));
  const encode = ENCODE[format];
  if (!encode) throw new Error(`No messages of ${format}.`);
  let count = 1;
  while (encode(0, count + 1).length <= MESSAGE_BYTES) count += 1;
  return Array.from({ length: KEYS * VARIANTS }, (_, index) => encode(index, count));
}

/**
 * Starts a server that sends `perSecond` messages of the query's `format` to each client.
 *
 * @param {number} perSecond
 */
export async function serveMessages(perSecond) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  await once(server, 'listening');
  server.on('connection', (socket, request) => {
    const format = new URL(request.url ?? '/', 'ws://localhost').searchParams.get('format') ?? '';
    const messages = messagesOf(format);
    const rate = format === 'small' ? perSecond * FLOOD : perSecond;
    if (messages.length === 0) return;
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = ((performance.now() - start) / 1000) * rate;
      for (; sent < due && socket.bufferedAmount < MAX_BUFFERED; sent += 1) socket.send(messages[sent % messages.length] ?? '');
    }, TICK_MS);
    socket.on('close', () => clearInterval(timer));
  });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `ws://127.0.0.1:${port}/`,
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
