import { createDecoder, type Decoder, type Rows } from 'unspool';
import { formatOf } from '../payloads/catalogue.ts';
import { tripsOf, type Trip } from '../payloads/trips.ts';
import type { Decoded, DecodeRequest, Way } from './contender.ts';

/** A worker decodes into columns and transfers them; the page builds objects when they are read, or in slices. */
export function createUnspoolWay(decoder: Decoder = createDecoder({ workers: 1 })): Way {
  return {
    async prepare() {
      // A minimal payload starts the worker.
      await decoder.decode(new Uint8Array([0x5b, 0x5d]), { format: 'json', route: 'worker' });
    },
    decode: (request) => (request.result === 'rows' ? decodeRows(decoder, request) : decodeObjects(decoder, request)),
  };
}

/** Measures the time until rows, then until all objects. */
async function decodeRows(decoder: Decoder, { payload, encoding, signal, onProgress }: DecodeRequest): Promise<Decoded> {
  onProgress('Decoding in the worker');
  const started = performance.now();
  const result = await decoder.decode<{ trips: Trip[] }>(payload, {
    format: formatOf(encoding),
    as: 'rows',
    transfer: true,
    signal,
  });
  const rows = tripsOf(result);
  rows.at(0);
  const readyMs = performance.now() - started;
  onProgress('Rows can be read; building all objects');
  if ('toArrayAsync' in rows) await (rows as Rows<Trip>).toArrayAsync({ signal });
  return { rows, started, readyMs, totalMs: performance.now() - started };
}

async function decodeObjects(decoder: Decoder, { payload, encoding, signal, onProgress }: DecodeRequest): Promise<Decoded> {
  onProgress('Decoding in the worker, building objects here');
  const started = performance.now();
  const result = await decoder.decode<{ trips: Trip[] }>(payload, { format: formatOf(encoding), transfer: true, signal });
  const rows = tripsOf(result);
  const ms = performance.now() - started;
  return { rows, started, readyMs: ms, totalMs: ms };
}
