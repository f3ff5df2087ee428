import { createDecoder, type Decoder } from '../../../main/index.ts';
import type { BatchOptions, BatchSettings, DecodeOptions, DecodeSettings, DecodeSource } from '../../../main/call/options/options.ts';
import type { RespondWith, RouteOptions } from '../../../main/service-worker/options.ts';
import { createServiceWorkerDecoder } from '../../../main/service-worker/index.ts';
import { decodeSync } from '../../../main/sync.ts';
import type { AnyFormat } from '../../../core/format/format.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { formatEntry } from '../../../core/formats/registry.ts';
import { Random } from '../../fuzz/mutate.ts';
import { asColumns, described, type Outcome, outcomeOf, withDoubles, withoutRows } from './outcome.ts';

/** A payload and its decode options. */
export interface Payload {
  id: FormatId;
  format: AnyFormat;
  bytes: Uint8Array<ArrayBuffer>;
  options: object;
  /** Path of its list. */
  path: readonly string[];
  seed: number;
}

/** A way from bytes to a value. */
export interface CodePath {
  name: string;
  run(payload: Payload): Promise<Outcome>;
  /** Conversions of the expected and of the decoded value before the comparison. */
  form?: (value: unknown) => unknown;
  reading?: (value: unknown) => unknown;
  /** True if the path emits the items of the list. */
  isBatches?: boolean;
  /** A format without this path. */
  unfit?: FormatId;
}

/** Bytes of the longest chunk of a stream; some are much shorter. */
const MAX_CHUNK_LENGTH = 40_000;

/** All code paths, and a function that closes their decoders. */
export function openCodePaths(formats: Partial<Record<FormatId, AnyFormat>>): { codePaths: CodePath[]; close: () => void } {
  const shared = { workers: 1, syncBelow: 0 };
  const decoders = {
    'on the page in one go': createDecoder({ route: 'page', syncBelow: Infinity }),
    'on the page in slices': createDecoder({ ...shared, route: 'page' }),
    'in a worker with kernels': createDecoder({ ...shared, route: 'worker', kernel: true }),
    'in a worker without kernels': createDecoder({ ...shared, route: 'worker', kernel: false }),
  };
  const codePaths: CodePath[] = [
    { name: 'decodeSync', run: ({ format, bytes, options }) => outcomeOf(() => decodeSync(format, bytes, { options })) },
    ...Object.entries(decoders).flatMap(([name, decoder]) => codePathsOf(name, decoder)),
    ...serviceWorkerPaths(formats, decoders['on the page in slices']),
  ];
  return { codePaths, close: () => Object.values(decoders).forEach((decoder) => decoder.close()) };
}

function codePathsOf(name: string, decoder: Decoder): CodePath[] {
  const decode = (payload: Payload, source: DecodeSource, options: DecodeSettings): Promise<Outcome> =>
    outcomeOf(() => decoder.decode(source, { format: payload.id, options: payload.options, ...options } as DecodeOptions));
  const batches = (payload: Payload, source: DecodeSource, options: BatchSettings): Promise<Outcome> =>
    gathered(decoder, source, { format: payload.id, options: payload.options, path: payload.path, ...options });
  return [
    { name: `objects ${name}`, run: (payload) => decode(payload, payload.bytes, {}) },
    { name: `rows ${name}`, run: (payload) => decode(payload, payload.bytes, { as: 'rows' }), reading: withoutRows },
    { name: `columns ${name}`, run: (payload) => decode(payload, payload.bytes, { as: 'columns' }), form: asColumns, reading: withDoubles },
    { name: `objects of a stream ${name}`, run: (payload) => decode(payload, cut(payload), {}) },
    { name: `rows of a stream ${name}`, run: (payload) => decode(payload, cut(payload), { as: 'rows' }), reading: withoutRows },
    { name: `batches of objects ${name}`, run: (payload) => batches(payload, payload.bytes, {}), isBatches: true },
    { name: `batches of a stream ${name}`, run: (payload) => batches(payload, cut(payload), { batchSize: 97 }), isBatches: true },
    {
      name: `batches of rows ${name}`,
      run: (payload) => batches(payload, cut(payload), { as: 'rows' }),
      reading: withoutRows,
      isBatches: true,
    },
  ];
}

/** The items of all batches and the rest of the document, or the error after some items. */
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

function serviceWorkerPaths(formats: Partial<Record<FormatId, AnyFormat>>, page: Decoder): CodePath[] {
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
      // The response is written with `JSON.stringify`, which writes −0 as 0.
      form: (value) => JSON.parse(JSON.stringify(value)) as unknown,
      // The service worker passes JSON through.
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

/** A stream of the bytes in chunks of random sizes. */
function cut({ bytes, seed }: Payload): ReadableStream<Uint8Array<ArrayBuffer>> {
  const random = new Random(seed);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const size = 1 + random.below(random.below(4) === 0 ? 50 : MAX_CHUNK_LENGTH);
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size));
      else controller.close();
      at += size;
    },
  });
}
