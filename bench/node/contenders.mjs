// Ways to decode a large document in Node, from bytes in memory to plain objects unless said.
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/**
 * @typedef {object} Contender
 * @property {string} id
 * @property {string} label
 * @property {'json' | 'messagepack'} format
 * @property {number} [mostBytes] documents beyond this take minutes
 * @property {() => Promise<(bytes: Uint8Array<ArrayBuffer>) => unknown>} open loads it
 */

/** Bytes of the chunks that streaming parsers get, as sockets and files deliver them. */
const CHUNK = 64 * 1024;

/**
 * Each in a turn of the event loop of its own.
 *
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function* chunksOf(bytes) {
  for (let at = 0; at < bytes.length; at += CHUNK) {
    yield bytes.subarray(at, at + CHUNK);
    await setImmediate();
  }
}

const text = new TextDecoder();

/** @type {readonly Contender[]} */
export const CONTENDERS = [
  {
    id: 'json-parse',
    label: 'JSON.parse',
    format: 'json',
    open: async () => (bytes) => JSON.parse(text.decode(bytes)),
  },
  {
    id: 'unspool',
    label: 'Unspool, objects',
    format: 'json',
    open: async () => {
      const { createDecoder } = await import('unspool');
      const decoder = createDecoder();
      return (bytes) => decoder.decode(bytes, { format: 'json' });
    },
  },
  {
    id: 'unspool-rows',
    label: 'Unspool, rows (in a thread)',
    format: 'json',
    open: async () => {
      const { createDecoder } = await import('unspool');
      const decoder = createDecoder();
      await decoder.preload();
      return (bytes) => decoder.decode(bytes, { format: 'json', as: 'rows', route: 'worker' });
    },
  },
  {
    id: 'unspool-messagepack',
    label: 'Unspool, objects, MessagePack',
    format: 'messagepack',
    open: async () => {
      const { createDecoder } = await import('unspool');
      const decoder = createDecoder();
      return (bytes) => decoder.decode(bytes, { format: 'messagepack' });
    },
  },
  {
    id: 'unspool-sync',
    label: 'Unspool, `decodeSync`',
    format: 'json',
    open: async () => {
      const [{ decodeSync }, { default: json }] = await Promise.all([import('unspool/sync'), import('unspool/formats/json')]);
      return (bytes) => decodeSync(json, bytes);
    },
  },
  {
    id: 'unspool-sync-messagepack',
    label: 'Unspool, `decodeSync`, MessagePack',
    format: 'messagepack',
    open: async () => {
      const [{ decodeSync }, { default: messagepack }] = await Promise.all([import('unspool/sync'), import('unspool/formats/messagepack')]);
      return (bytes) => decodeSync(messagepack, bytes);
    },
  },
  {
    id: 'stream-json',
    label: 'stream-json',
    format: 'json',
    open: async () => {
      const { parser } = await import('stream-json');
      const { default: Assembler } = await import('stream-json/assembler.js');
      return (bytes) =>
        new Promise((resolve, reject) => {
          const tokens = parser.asStream();
          Assembler.connectTo(tokens, { onDone: ({ current }) => resolve(current) });
          tokens.on('error', reject);
          Readable.from(chunksOf(bytes)).pipe(tokens);
        });
    },
  },
  {
    id: 'streamparser-json',
    label: '@streamparser/json',
    format: 'json',
    open: async () => {
      const { JSONParser } = await import('@streamparser/json');
      return async (bytes) => {
        let root;
        const parser = new JSONParser({ paths: ['$'], keepStack: false });
        parser.onValue = ({ value }) => (root = value);
        for await (const chunk of chunksOf(bytes)) parser.write(chunk);
        return root;
      };
    },
  },
  {
    id: 'yieldable-json',
    label: 'yieldable-json',
    format: 'json',
    mostBytes: 10_000_000,
    open: async () => {
      const { default: yieldable } = await import('yieldable-json');
      return (bytes) =>
        new Promise((resolve, reject) => {
          yieldable.parseAsync(text.decode(bytes), (error, value) => (error ? reject(error) : resolve(value)));
        });
    },
  },
  {
    id: 'msgpackr',
    label: 'msgpackr (MessagePack)',
    format: 'messagepack',
    open: async () => {
      const { unpack } = await import('msgpackr');
      return (bytes) => unpack(bytes);
    },
  },
];
