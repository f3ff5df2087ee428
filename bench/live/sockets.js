// Runs in the page: messages of a socket.
import { fromBinary } from '@bufbuild/protobuf';
import { Unpackr } from 'msgpackr';
import { LIBRARY, schemaOf } from '../contenders/unspool/unspool.js';
import { TripsSchema } from '../generated/bufbuild/trips.js';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';

const SOCKET = '/dist/socket.js';
const unpackr = new Unpackr({ useRecords: false });
const ticker = new Ticker();
/** Keeps the last values, as a page does. */
const kept = { value: /** @type {unknown} */ (undefined) };

/** @param {(data: ArrayBuffer) => unknown} decode */
const inOnMessage =
  (decode) =>
  /** @param {WebSocket} socket @param {(count: number) => void} used */
  (socket, used) => {
    socket.addEventListener('message', ({ data }) => {
      kept.value = decode(data);
      used(1);
    });
  };

/** @param {string} format @param {object} [options] */
const byUnspool =
  (format, options) =>
  /** @param {WebSocket} socket @param {(count: number) => void} used */
  async (socket, used) => {
    const { createDecoder } = await import(LIBRARY);
    const schema = format === 'messagepack' ? undefined : await schemaOf(format, 'trips');
    for await (const values of createDecoder().messages(socket, { format, schema, batch: true, ...options })) {
      kept.value = values;
      used(values.length);
    }
  };

/** Key of a message, before it is decoded: the last byte of the first trip's id. */
const key = (/** @type {ArrayBuffer} */ data) => {
  const bytes = new Uint8Array(data);
  let at = 0;
  while (bytes[at] !== 0x23) at += 1;
  return bytes[at + 1];
};
/** Draws frames, which change nothing. */
function drawFrames() {
  const next = () => requestAnimationFrame(next);
  next();
}

/** Receives bytes of a worker once in 16 ms, as those of ten messages, and decodes nothing. */
function receiveBatches() {
  const worker = new Worker('/bench/live/batch-worker.js', { type: 'module' });
  worker.addEventListener('message', ({ data }) => (kept.value = data));
}

const latest = { policy: 'latest', key };
/** The same key, as a path that a worker reads. */
const latestInWorker = { policy: 'latest', key: 'trips.0.startStationId' };

/** @type {Readonly<Record<string, { label: string, format: string, isInWorker?: boolean, batchMs?: number, use: (socket: any, used: (count: number) => void) => unknown }>>} */
export const CONSUMERS = {
  frames: { label: 'no messages, a frame drawn after each other', format: 'none', use: drawFrames },
  batches: { label: '10 kB from a worker once in 16 ms, not decoded', format: 'none', use: receiveBatches },
  none: { label: 'messages received, not decoded', format: 'messagepack', use: inOnMessage((data) => data) },
  msgpackr: { label: 'msgpackr in onmessage', format: 'messagepack', use: inOnMessage((data) => unpackr.unpack(new Uint8Array(data))) },
  'unspool-messagepack': { label: 'Unspool, MessagePack, a batch per frame', format: 'messagepack', use: byUnspool('messagepack') },
  'unspool-messagepack-worker': {
    label: 'Unspool, MessagePack, a batch per frame, socket in a worker',
    format: 'messagepack',
    isInWorker: true,
    use: byUnspool('messagepack'),
  },
  'unspool-messagepack-worker-latest': {
    label: 'Unspool, MessagePack, latest by key, socket in a worker',
    format: 'messagepack',
    isInWorker: true,
    use: byUnspool('messagepack', latestInWorker),
  },
  'unspool-messagepack-worker-latest-50': {
    label: 'Unspool, MessagePack, latest by key once in 50 ms, socket in a worker',
    format: 'messagepack',
    isInWorker: true,
    batchMs: 50,
    use: byUnspool('messagepack', latestInWorker),
  },
  'unspool-messagepack-latest': { label: 'Unspool, MessagePack, latest by key', format: 'messagepack', use: byUnspool('messagepack', latest) },
  'unspool-flood-worker-latest': {
    label: 'Unspool, 100,000 of 20 bytes a second, latest by key, socket in a worker',
    format: 'small',
    isInWorker: true,
    use: byUnspool('messagepack', { policy: 'latest', key: 'key' }),
  },
  bufbuild: { label: 'protobuf-es in onmessage', format: 'protobuf', use: inOnMessage((data) => fromBinary(TripsSchema, new Uint8Array(data))) },
  'unspool-protobuf': { label: 'Unspool, Protocol Buffers, a batch per frame', format: 'protobuf', use: byUnspool('protobuf') },
  'unspool-protobuf-worker': {
    label: 'Unspool, Protocol Buffers, a batch per frame, socket in a worker',
    format: 'protobuf',
    isInWorker: true,
    use: byUnspool('protobuf'),
  },
  'unspool-protobuf-worker-latest': {
    label: 'Unspool, Protocol Buffers, latest by key, socket in a worker',
    format: 'protobuf',
    isInWorker: true,
    use: byUnspool('protobuf', latestInWorker),
  },
  'unspool-protobuf-worker-latest-50': {
    label: 'Unspool, Protocol Buffers, latest by key once in 50 ms, socket in a worker',
    format: 'protobuf',
    isInWorker: true,
    batchMs: 50,
    use: byUnspool('protobuf', latestInWorker),
  },
  'unspool-protobuf-latest': { label: 'Unspool, Protocol Buffers, latest by key', format: 'protobuf', use: byUnspool('protobuf', latest) },
};

/**
 * Uses the messages of a socket for a while, after the code is warm.
 *
 * @param {string} id @param {string} url @param {number} warmMs @param {number} ms
 */
export async function useMessages(id, url, warmMs, ms) {
  const consumer = CONSUMERS[id];
  if (!consumer) throw new Error(`Unknown consumer ${id}.`);
  const { WorkerSocket } = await import(SOCKET);
  const address = `${url}?format=${consumer.format}`;
  const socket = consumer.isInWorker ? new WorkerSocket(address, [], { batchMs: consumer.batchMs }) : new WebSocket(address);
  if (!consumer.isInWorker) socket.binaryType = 'arraybuffer';
  let count = 0;
  void consumer.use(socket, (used) => (count += used));
  await new Promise((resolve) => setTimeout(resolve, warmMs));
  return {
    /** Values used a second, in a window in which the page does nothing else. */
    async used() {
      const [before, start] = [count, performance.now()];
      await new Promise((resolve) => setTimeout(resolve, ms));
      return ((count - before) / (performance.now() - start)) * 1000;
    },
    /** The longest block, in a window of its own, since the ticks that find it are work for the page. Ends the use. */
    async longestBlockMs() {
      const start = performance.now();
      ticker.start();
      await new Promise((resolve) => setTimeout(resolve, ms));
      const end = performance.now();
      const ticks = ticker.stop();
      socket.close();
      return longestBlock(ticks, start, end);
    },
  };
}
