import { createDecoder, type Decoder } from '../../../main/index.ts';
import type { BatchOptions, DecodeOptions, DecodeSource } from '../../../main/decoder/options/options.ts';
import type { RespondWith, RouteOptions } from '../../../main/service-worker/options.ts';
import { createServiceWorkerDecoder } from '../../../main/service-worker/index.ts';
import { decodeSync } from '../../../main/sync.ts';
import type { AnyFormat } from '../../../core/formats/format.ts';
import { formatEntry, type FormatId } from '../../../core/formats/registry.ts';
import { Random } from '../../fuzz/mutate.ts';
import { asColumns, described, type Outcome, outcomeOf, withDoubles, withoutRows } from './outcome.ts';

/** A payload, and how it is decoded on every road. */
export interface Payload {
  id: FormatId;
  format: AnyFormat;
  bytes: Uint8Array<ArrayBuffer>;
  options: object;
  /** Where its list is. */
  path: readonly string[];
  seed: number;
}

/** A way from bytes to a value. */
export interface Road {
  name: string;
  run(payload: Payload): Promise<Outcome>;
  /** What is made of the value that is expected, and of the one that comes, before the two are compared. */
  form?: (value: unknown) => unknown;
  reading?: (value: unknown) => unknown;
  /** Gives out the items of the list. */
  isBatches?: boolean;
  /** A format for which it is no road. */
  unfit?: FormatId;
}

/** Bytes of the longest chunk of a stream; some are much shorter. */
const LONGEST_CHUNK = 40_000;

/** All roads, and what closes the decoders behind them. */
export function openCodePaths(formats: Partial<Record<FormatId, AnyFormat>>): { codePaths: Road[]; close: () => void } {
  const shared = { workers: 1, inlineBelow: 0 };
  const decoders = {
    'on the page in one go': createDecoder({ route: 'page', inlineBelow: Infinity }),
    'on the page in slices': createDecoder({ ...shared, route: 'page' }),
    'in a worker with kernels': createDecoder({ ...shared, route: 'worker', kernel: true }),
    'in a worker without kernels': createDecoder({ ...shared, route: 'worker', kernel: false }),
  };
  const codePaths: Road[] = [
    { name: 'decodeSync', run: ({ format, bytes, options }) => outcomeOf(() => decodeSync(format, bytes, { options })) },
    ...Object.entries(decoders).flatMap(([name, decoder]) => codePathsOf(name, decoder)),
    ...serviceWorkerPaths(formats, decoders['on the page in slices']),
  ];
  return { codePaths, close: () => Object.values(decoders).forEach((decoder) => decoder.close()) };
}

function codePathsOf(name: string, decoder: Decoder): Road[] {
  const decode = (payload: Payload, source: DecodeSource, options: DecodeOptions): Promise<Outcome> =>
    outcomeOf(() => decoder.decode(source, { format: payload.id, options: payload.options, ...options }));
  const batches = (payload: Payload, source: DecodeSource, options: BatchOptions): Promise<Outcome> =>
    gathered(decoder, source, { format: payload.id, options: payload.options, path: payload.path, ...options });
  return [
    { name: `objects ${name}`, run: (payload) => decode(payload, payload.bytes, {}) },
    { name: `rows ${name}`, run: (payload) => decode(payload, payload.bytes, { as: 'rows' }), reading: withoutRows },
    { name: `columns ${name}`, run: (payload) => decode(payload, payload.bytes, { as: 'columns' }), form: asColumns, reading: withDoubles },
    { name: `objects of a stream ${name}`, run: (payload) => decode(payload, cut(payload), {}) },
    { name: `rows of a stream ${name}`, run: (payload) => decode(payload, cut(payload), { as: 'rows' }), reading: withoutRows },
    { name: `batches of objects ${name}`, run: (payload) => batches(payload, payload.bytes, {}), isBatches: true },
    { name: `batches of a stream ${name}`, run: (payload) => batches(payload, cut(payload), { rows: 97 }), isBatches: true },
    {
      name: `batches of rows ${name}`,
      run: (payload) => batches(payload, cut(payload), { as: 'rows' }),
      reading: withoutRows,
      isBatches: true,
    },
  ];
}

/** The items of all batches, and what lies around the list; or the error behind some items. */
async function gathered(decoder: Decoder, source: DecodeSource, options: BatchOptions): Promise<Outcome> {
  const items: unknown[] = [];
  try {
    const batches = decoder.batches(source, options);
    for await (const batch of batches) for (const item of batch) items.push(item);
    return { value: { items, rest: await batches.rest() } };
  } catch (error) {
    return { error: described(error), items };
  }
}

function serviceWorkerPaths(formats: Partial<Record<FormatId, AnyFormat>>, page: Decoder): Road[] {
  const serviceWorker = createServiceWorkerDecoder({ formats: formats });
  const answer = async (payload: Payload, respondWith: RespondWith, route: RouteOptions): Promise<Response> => {
    const headers = { 'Content-Type': formatEntry(payload.id)!.mediaTypes[0]! };
    const setting: RouteOptions = { respondWith, format: payload.id, options: payload.options, bridge: false, ...route };
    const response = await serviceWorker.respond(new Request('/payload'), new Response(cut(payload), { headers }), setting);
    if (response.headers.get('Content-Type') === 'application/problem+json') throw await response.json();
    return response;
  };
  const open = (payload: Payload, respondWith: RespondWith, as: 'objects' | 'rows'): Promise<Outcome> =>
    outcomeOf(async () => page.decode(await answer(payload, respondWith, {}), { as }));
  return [
    {
      name: 'JSON text of a service worker',
      run: (payload) => outcomeOf(async () => (await answer(payload, 'json', {})).json()),
      // It is what `JSON.stringify` writes, which has no −0.
      form: (value) => JSON.parse(JSON.stringify(value)) as unknown,
      // JSON that is to be JSON is left alone.
      unfit: 'json',
    },
    { name: 'a block file of a service worker', run: (payload) => open(payload, 'block', 'objects') },
    { name: 'rows of a block file', run: (payload) => open(payload, 'block', 'rows'), reading: withoutRows },
    { name: 'a stream of a service worker', run: (payload) => open(payload, 'stream', 'objects') },
    {
      name: 'batches of a service worker',
      isBatches: true,
      run: async (payload) => {
        const { path } = payload;
        const response = await outcomeOf(() => answer(payload, 'stream', { batches: { path } }));
        return response.error === undefined ? gathered(page, response.value as Response, { path }) : response;
      },
    },
  ];
}

/** The bytes as a stream, in chunks of random sizes. */
function cut({ bytes, seed }: Payload): ReadableStream<Uint8Array<ArrayBuffer>> {
  const random = new Random(seed);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const size = 1 + random.below(random.below(4) === 0 ? 50 : LONGEST_CHUNK);
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size));
      else controller.close();
      at += size;
    },
  });
}
