import type { Decoder } from '../../../main/decoder/decoder.ts';
import type { DecoderResponse } from '../../../main/index.ts';

/** Leaves a loop after its first value. */
async function leave(loop: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of loop) return;
}

const noEnd = (): void => {};

/** Ways to read the body of a response, a list of records in JSON, that end before the body does. */
export const ENDS_EARLY: readonly (readonly [name: string, end: (response: DecoderResponse, decoder: Decoder) => Promise<unknown>])[] = [
  ['json() meets its timeout', (response) => response.json({ timeout: 1 }).catch(noEnd)],
  ['json() meets its signal', (response) => aborted((signal) => response.decode({ signal, as: 'objects' }))],
  ['decode() finds another format', (response) => response.decode({ format: 'cbor', as: 'objects' }).catch(noEnd)],
  [
    'decode() in a worker finds another format',
    (response) => response.decode({ format: 'messagepack', as: 'objects', route: 'worker' }).catch(noEnd),
  ],
  ['rows() meets a limit', (response) => response.rows({ limits: { values: 100 } }).catch(noEnd)],
  ['columns meet a limit', (response) => response.decode({ as: 'columns', limits: { values: 100 } }).catch(noEnd)],
  ['batches() are left', (response) => leave(response.batches({ path: 'trips', batchSize: 10 }))],
  ['batches() of a worker are left', (response) => leave(response.batches({ path: 'trips', batchSize: 10, as: 'rows', route: 'worker' }))],
  [
    'growingRows meet their signal',
    (response, decoder) => aborted(async (signal) => (await decoder.growingRows(response, { path: 'trips', signal })).done),
  ],
  ['partial() is left', (response, decoder) => leave(decoder.partial(response))],
  ['partial() meets a limit', (response, decoder) => leave(decoder.partial(response, { limits: { values: 1 } })).catch(noEnd)],
  ['events() find another type', (response, decoder) => leave(decoder.events(response)).catch(noEnd)],
  [
    'events() in JSON meet a limit',
    (response, decoder) => leave(decoder.partial(response, { delta: ({ data }) => data, limits: { stringLength: 9 } })).catch(noEnd),
  ],
];

async function aborted(read: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  const controller = new AbortController();
  const reading = read(controller.signal).catch(noEnd);
  controller.abort();
  await reading;
}
