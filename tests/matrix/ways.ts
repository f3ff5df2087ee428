import { readSpans } from '../../devtools-extension/reading/spans/read-spans.ts';
import { decodeWhole } from '../../devtools-extension/reading/whole-values/whole-value.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { grammarOf } from '../../core/previous/grammars/of-format.ts';
import { holdAhead, recall } from '../../core/previous/remember.ts';
import { rowsForm } from '../../main/previous/rows-form.ts';
import { Rows } from '../../main/rows/rows.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { FORMATS, formatEntry, NAMED_FORMS } from '../../core/formats/registry.ts';
import type { Limits } from '../../core/limits.ts';
import type { InvalidText } from '../../core/sinks/invalid-text.ts';
import { createEncoder, type Encoder, type EncodeOptions } from '../../main/encode.ts';
import { LOADERS } from '../../core/formats/loaders.ts';
import { type CoreOptions, createDecoder as createCoreDecoder } from '../../main/core.ts';
import { createDecoder, type Decoder } from '../../main/index.ts';
import type { BatchOptions, DecodeOptions, DecodeSource, DecoderOptions } from '../../main/call/options/options.ts';
import type { MessageSource } from '../../core/messages/listen.ts';
import { createPartial } from '../../main/partial.ts';
import { receive } from '../../main/server.ts';
import type { RespondWith, RouteOptions } from '../../main/service-worker/options.ts';
import { createServiceWorkerDecoder, type ServiceWorkerDecoder } from '../../main/service-worker/index.ts';
import { decodeSync, encodeSync } from '../../main/sync.ts';
import { localWorker } from '../setup/stand-ins/local-workers.ts';
import { notPrefix } from '../setup/values/prefix.ts';
import { cutEvery } from '../setup/ways/in-part.ts';
import {
  asColumns,
  batchesOf,
  failed,
  gathered,
  isRecord,
  type Outcome,
  outcomeOf,
  pickedOf,
  readBy,
  comparableColumns,
  withoutRows,
  withValue,
} from './outcome.ts';
import type { FormatLine } from './formats.ts';
import type { Payload } from './payload.ts';

/** A call of the matrix: a payload, what its value must be, and how it is cut. */
export interface Call {
  readonly payload: Payload;
  /** The outcome of the reader with the whole payload. */
  readonly reference: Outcome;
  /** True if the bytes are not those that were written. */
  readonly isDamaged?: boolean;
  /** A valid payload of the same shape, of another length. */
  readonly earlier: Payload;
  /** The bytes as a stream. */
  readonly stream: () => ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly limits?: Partial<Limits>;
  /** How text that is not UTF-8 is decoded. Default: as an error. */
  readonly invalidText?: InvalidText;
  /** Takes the items of ways without end, which then keep none of them. */
  readonly take?: (item: unknown) => void;
  /** Items without end, for ways that write. */
  readonly items?: AsyncIterable<unknown>;
}

/** Cuts at which a way asks for the value in part. */
const MOST_CUTS = 200;

/** A line of the matrix: a way in which people call the library. */
export interface Way {
  readonly name: string;
  readonly run: (call: Call) => Promise<Outcome>;
  /** The outcome that it must have, if that is not the reader's. */
  readonly expects?: (reference: Outcome, call: Call) => Outcome | Promise<Outcome>;
  /** False for calls for which there is no such way. */
  readonly fits?: (call: Call) => boolean;
  /** True if the path of an error may end early, though on the way to the same place: for values that are made column by column. */
  readonly losesPath?: boolean;
  /** True for ways that give the items of a list, those before an error first. */
  readonly givesItems?: boolean;
  /** The values that may come without end, where none is kept: the items of a list or sequence, messages, or values that are written. */
  readonly endless?: 'items' | 'messages' | 'values';
  /** True if each value on the way is new, with a copy of the lists that grew: more than linear work for small chunks. */
  readonly givesCopies?: boolean;
}

/** Decoders by how they decode. In Node, workers run on this thread, so that their work is counted. */
const inWorker: DecoderOptions = { workers: 1, syncBelow: 0, route: 'worker', ...(typeof Worker === 'undefined' && { createWorker: localWorker }) };
const DECODERS = {
  'at once': { route: 'page', syncBelow: Infinity },
  'in slices': { route: 'page', syncBelow: 0 },
  'with named formats': { formats: LOADERS, syncBelow: 0 },
  'in a worker': { ...inWorker, kernel: true },
  'in a worker without kernels': { ...inWorker, kernel: false },
} as const satisfies Record<string, DecoderOptions | CoreOptions>;
type How = keyof typeof DECODERS;

const opened = new Map<How, Decoder>();
/** Encoders by their limits. */
const encoders = new Map<Call['limits'], Encoder>();

function encoderOf({ limits }: Call): Encoder {
  if (!encoders.has(limits)) encoders.set(limits, createEncoder({ limits }));
  return encoders.get(limits)!;
}

function decoderOf(how: How): Decoder {
  if (!opened.has(how)) opened.set(how, how === 'with named formats' ? createCoreDecoder(DECODERS[how]) : createDecoder(DECODERS[how]));
  return opened.get(how)!;
}

/** Ends the workers. */
export function closeDecoders(): void {
  for (const decoder of opened.values()) decoder.close();
  opened.clear();
}

/** The options of a call that say what the payload is. */
function choiceOf({ payload, limits, invalidText }: Call): DecodeOptions {
  const { line, options, schema } = payload;
  return {
    format: line.id,
    options,
    ...(schema !== undefined && { schema }),
    ...(limits && { limits }),
    ...(invalidText && { invalidText }),
  } as DecodeOptions;
}

/** The options of a call that writes the payload’s value. */
function writingOf({ payload: { line, schema } }: Call): EncodeOptions {
  return { format: line.id, options: line.writing, schema } as EncodeOptions;
}

const whole = ({ payload }: Call): DecodeSource => payload.bytes;
const cut = ({ stream }: Call): DecodeSource => stream();
/** For ways without the option `invalidText`. */
const takesText = ({ invalidText }: Call): boolean => invalidText === undefined;
const isJson = ({ payload }: Call): boolean => payload.shape.beyond === undefined;
const items = (outcome: Outcome, { payload }: Call): Outcome => withItems(batchesOf(outcome, payload.path), (value) => value.items);
const withItems = (outcome: Outcome, change: (value: { items: unknown[] }) => unknown): Outcome =>
  withValue(outcome, (value) => change(value as { items: unknown[] }));

function decoding(how: How, source: (call: Call) => DecodeSource, more: (call: Call) => object = () => ({})): (call: Call) => Promise<Outcome> {
  return (call) => outcomeOf(() => decoderOf(how).decode(source(call), { ...choiceOf(call), ...more(call) }));
}

/** Ways to decode with one decoder. */
function waysOf(how: How): Way[] {
  const batching =
    (source: (call: Call) => DecodeSource, more: object) =>
    (call: Call): Promise<Outcome> =>
      batchesFrom(decoderOf(how), source(call), { ...choiceOf(call), path: call.payload.path, ...more }, call.take);
  const expects = (reference: Outcome, { payload }: Call): Outcome => batchesOf(reference, payload.path);
  const reading = (run: (call: Call) => Promise<Outcome>, read: (value: unknown) => unknown) => async (call: Call) => readBy(await run(call), read);
  const losesPath = how.startsWith('in a worker');
  const given = { expects, losesPath, givesItems: true };
  const ways: Way[] = [
    { name: `objects ${how}`, run: decoding(how, whole) },
    { name: `objects of a stream ${how}`, run: decoding(how, cut) },
    {
      name: `rows ${how}`,
      losesPath: true,
      run: reading(
        decoding(how, whole, () => ({ as: 'rows' })),
        withoutRows,
      ),
    },
    {
      name: `rows of a stream ${how}`,
      losesPath: true,
      run: reading(
        decoding(how, cut, () => ({ as: 'rows' })),
        withoutRows,
      ),
    },
    {
      name: `columns ${how}`,
      losesPath: true,
      run: reading(
        decoding(how, whole, () => ({ as: 'columns' })),
        comparableColumns,
      ),
      expects: (reference) => withValue(reference, (value) => comparableColumns(asColumns(value))),
    },
    {
      name: `picked keys ${how}`,
      run: decoding(how, cut, ({ payload }) => ({ pick: [payload.pick] })),
      expects: (reference, { payload }) => withValue(reference, (value) => pickedOf(value, payload.pick)),
    },
    { name: `batches ${how}`, run: batching(whole, {}), ...given },
    { name: `batches of a stream ${how}`, run: batching(cut, { batchSize: 97 }), ...given, endless: 'items' },
    { name: `batches of rows ${how}`, run: reading(batching(cut, { as: 'rows' }), withoutRows), ...given, losesPath: true, endless: 'items' },
  ];
  return ways.map((way) => ({ losesPath, ...way }));
}

/** The items of all batches and the rest of the document, or the error after some items. */
function batchesFrom(decoder: Decoder, source: DecodeSource, options: BatchOptions, take?: Call['take']): Promise<Outcome> {
  const batches = decoder.batches(source, options);
  return gathered(flattened(batches as AsyncIterable<Iterable<unknown>>), () => batches.rest(), take);
}

async function* flattened(lists: AsyncIterable<Iterable<unknown>>): AsyncGenerator {
  for await (const each of lists) yield* each;
}

const PREVIOUS: readonly FormatId[] = ['json', 'messagepack', 'cbor', 'bson', 'protobuf', 'avro'];
const hasPrevious = (call: Call): boolean => takesText(call) && PREVIOUS.includes(call.payload.line.id);

/** Decodes after an earlier payload, of which parts are kept. With `isAhead`, the page was idle in between. */
function again(how: How, as: 'objects' | 'rows', isAhead = false): (call: Call) => Promise<Outcome> {
  return async (call) => {
    const options = { ...choiceOf(call), as };
    const previous = await decoderOf(how).decode(call.earlier.bytes, { ...options, previous: undefined } as DecodeOptions);
    if (isAhead) holdNow(previous, call, as);
    const found = await outcomeOf(() => decoderOf(how).decode(call.stream(), { ...options, previous } as DecodeOptions));
    return readBy(found, withoutRows);
  };
}

/** Does the work that waits until the page is idle. */
function holdNow(value: unknown, { payload }: Call, as: 'objects' | 'rows'): void {
  const grammar = grammarOf(payload.line.id, payload.options, payload.compiled);
  if (!grammar || !recall(value)) return;
  const steps = holdAhead(value as object, { grammar, form: as === 'rows' ? rowsForm : undefined });
  while (!steps.next().done);
}

/** Follows the list of a refetch in a view, which shows all of its rows in their order. */
async function viewed(call: Call): Promise<Outcome> {
  const options = { ...choiceOf(call), as: 'rows' } as const;
  const { path } = call.payload;
  const listIn = (value: unknown): unknown => path.reduce((inner, key) => (isRecord(inner) ? inner[key] : undefined), value);
  const previous = await decoderOf('in slices').decode(call.earlier.bytes, { ...options, previous: undefined } as DecodeOptions);
  const before = listIn(previous);
  const found = await outcomeOf(() => decoderOf('in slices').decode(call.stream(), { ...options, previous } as DecodeOptions));
  const after = listIn(found.value);
  if (!(before instanceof Rows) || !(after instanceof Rows)) return readBy(found, withoutRows);
  const view = await before.view({ filter: () => true, sortBy: () => 0 });
  await view.update(after);
  return readBy(found, (value) => withoutRows(replaced(value, path, view.rows)));
}

/** A value with another one at a path of keys. */
function replaced(value: unknown, [key, ...path]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const record = value as Record<string, unknown>;
  return { ...record, [key]: replaced(record[key], path, by) };
}

const growing =
  (keep?: number) =>
  async (call: Call): Promise<Outcome> => {
    const options = { ...choiceOf(call), path: call.payload.path, ...(keep !== undefined && { keep }) };
    try {
      const rows = await decoderOf('in slices').growingRows(call.stream(), options as BatchOptions);
      try {
        await rows.done;
        return { value: withoutRows(rows.toArray()) };
      } catch (error) {
        return { ...failed(error), items: rows.toArray().map(withoutRows) };
      }
    } catch (error) {
      return failed(error);
    }
  };

async function* messagesOf(...messages: unknown[]): AsyncGenerator {
  yield* messages;
}

/** The chunks of a stream, which not every engine can iterate. */
async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncGenerator<Chunk> {
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
}

/** The bytes of a stream, whose error a `Response` would replace by its own. */
async function bytesOf(source: Written): Promise<Uint8Array<ArrayBuffer>> {
  if (source instanceof Uint8Array) return source;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunksOf(source)) chunks.push(chunk);
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Reads a stream to its end, and keeps none of it. */
async function taken(stream: ReadableStream<unknown>, take: (chunk: unknown) => void): Promise<void> {
  for await (const chunk of chunksOf(stream)) take(chunk);
}

/** Messages that wait together before the payload. */
const VALID = 10;

/** Messages: valid ones, the payload, and a valid one again. All arrive before the first is taken. */
function asMessages(more: object): Pick<Way, 'run' | 'expects' | 'endless'> {
  return {
    endless: 'messages',
    run: (call) => {
      const { payload, earlier, stream, take } = call;
      const target = take ? undefined : new EventTarget();
      const source = (target ?? chunksOf(stream())) as MessageSource;
      // The loop begins after all messages have come, which must not be dropped.
      const most = take && { limitBytes: 2 ** 20 };
      const values = decoderOf('at once').messages(source, { ...choiceOf(call), ...more, ...most } as object) as AsyncIterable<unknown>;
      const outcome = gathered('batch' in more ? flattened(values as AsyncIterable<Iterable<unknown>>) : values, undefined, take);
      for (const { bytes } of [...Array.from({ length: VALID }, () => earlier), payload, earlier]) {
        target?.dispatchEvent(new MessageEvent('message', { data: bytes }));
      }
      target?.dispatchEvent(new Event('close'));
      return outcome;
    },
    expects: (reference, { earlier }) => {
      const known = valueIn(earlier);
      const before = Array.from({ length: VALID }, () => known);
      return reference.error === undefined ? { value: [...before, reference.value, known] } : { ...reference, items: before };
    },
  };
}

/** JSON text in events of one chunk. The function that picks it throws after the last. */
async function inEvents(call: Call): Promise<Outcome> {
  const pieces = new TextDecoder().decode(call.payload.bytes).match(/[^]{1,500}/g)!;
  const events = [...pieces.map((piece) => JSON.stringify(piece)), 'end'].map((data) => `data: ${data}\n\n`).join('');
  const delta = ({ data }: { data: string }): string => JSON.parse(data) as string;
  const values = decoderOf('in slices').partial(messagesOf(new TextEncoder().encode(events)) as never, { ...choiceOf(call), delta } as object);
  let value: unknown;
  try {
    for await (value of values);
  } catch (error) {
    return error instanceof SyntaxError ? { value } : failed(error);
  }
  return { error: 'does not throw' };
}

/** The bytes of a stream as views of other classes than Uint8Array. */
function asOtherViews(stream: ReadableStream<Uint8Array<ArrayBuffer>>): DecodeSource {
  let at = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, ArrayBufferView | ArrayBuffer>({
      transform({ buffer, length }, controller) {
        const views = [() => buffer, () => new DataView(buffer), () => (length % 2 === 0 ? new Uint16Array(buffer) : new Int8Array(buffer))];
        controller.enqueue(views[(at += 1) % views.length]!());
      },
    }),
  ) as DecodeSource;
}

/** The value of a valid payload. */
function valueIn({ format, bytes, options, compiled, shape: { limits } }: Payload): unknown {
  return decodeSync(format, bytes, { options, schema: compiled, limits });
}

const canWrite = ({ reference, payload, invalidText }: Call): boolean =>
  reference.error === undefined && payload.shape.raw?.[payload.line.name] === undefined && invalidText === undefined;

/** Whether a list whose length is not known can be written in a form of a format. */
function takesItems({ id, writing = {} }: FormatLine): boolean {
  return id === 'json' || id === 'arrow' || 'sequence' in writing;
}

type Written = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** Written again by `write`, and read. */
function written(write: (call: Call, value: unknown) => Written | Promise<Written>): Pick<Way, 'run' | 'fits'> {
  return {
    fits: canWrite,
    run: (call) =>
      outcomeOf(async () => {
        if (call.take) return taken((await write(call, call.reference.value)) as ReadableStream<unknown>, call.take);
        const bytes = await bytesOf(await write(call, call.reference.value));
        await call.payload.format.prepare?.(bytes);
        return valueIn({ ...call.payload, bytes });
      }),
  };
}

/** Transcoded to another format, and read: as if the decoded value were encoded. */
function transcoded(to: FormatId, options: object = {}, fits: Way['fits'] = () => true): Pick<Way, 'run' | 'expects' | 'fits'> {
  const read = async (bytes: Uint8Array | ArrayBuffer, { limits }: Call): Promise<unknown> =>
    decodeSync(await loadFormat(to), bytes, { options, limits });
  return {
    fits: (call) => takesText(call) && fits(call),
    run: (call) =>
      outcomeOf(async () => {
        const stream = encoderOf(call).transcode(call.stream(), { from: choiceOf(call), to: { format: to, options } });
        return call.take ? taken(stream, call.take) : read(await bytesOf(stream), call);
      }),
    expects: async (reference, call) =>
      reference.error === undefined
        ? outcomeOf(async () => read(encodeSync(await loadWriter(to), reference.value as object, { options, limits: call.limits }), call))
        : reference,
  };
}

/** Service workers by their limits. */
const serviceWorkers = new Map<Call['limits'], Promise<ServiceWorkerDecoder>>();

async function openServiceWorker(limits: Call['limits']): Promise<ServiceWorkerDecoder> {
  const formats = await Promise.all([...FORMATS, ...NAMED_FORMS].map(async ({ id }) => [id, await loadFormat(id)] as const));
  return createServiceWorkerDecoder({ formats: Object.fromEntries(formats), limits });
}

async function answer(call: Call, respondWith: RespondWith, more: RouteOptions = {}): Promise<Response> {
  const headers = { 'Content-Type': formatEntry(call.payload.line.id)!.mediaTypes[0]! };
  const setting = { respondWith, ...choiceOf(call), bridge: false, ...more } as RouteOptions;
  const { limits } = call;
  if (!serviceWorkers.has(limits)) serviceWorkers.set(limits, openServiceWorker(limits));
  const worker = (await serviceWorkers.get(limits))!;
  const response = await worker.respond(new Request('http://localhost/payload'), new Response(call.stream(), { headers }), setting);
  if (response.headers.get('Content-Type') === 'application/problem+json') throw await response.json();
  return response;
}

const opening = (respondWith: RespondWith, as: 'objects' | 'rows') => async (call: Call) =>
  readBy(
    await outcomeOf(async () => decoderOf('in slices').decode(await answer(call, respondWith), { as, ...(call.limits && { limits: call.limits }) })),
    withoutRows,
  );

/** JSON text has 0 for −0, as `JSON.stringify` writes it. */
const throughJson = (reference: Outcome): Outcome => withValue(reference, (value) => JSON.parse(JSON.stringify(value)) as unknown);

export const WAYS: readonly Way[] = [
  {
    name: 'decodeSync',
    run: ({ payload, limits, invalidText }) =>
      outcomeOf(() => decodeSync(payload.format, payload.bytes, { options: payload.options, schema: payload.compiled, limits, invalidText })),
  },
  ...waysOf('at once'),
  ...waysOf('in slices'),
  { name: 'objects with named formats', run: decoding('with named formats', cut) },
  ...waysOf('in a worker'),
  ...waysOf('in a worker without kernels'),
  {
    name: 'fetch().json()',
    run: (call) =>
      outcomeOf(async () => {
        const url = URL.createObjectURL(new Blob([call.payload.bytes], { type: formatEntry(call.payload.line.id)!.mediaTypes[0]! }));
        try {
          const response = await decoderOf('in slices').fetch(url);
          return await response.json(choiceOf(call));
        } finally {
          URL.revokeObjectURL(url);
        }
      }),
  },
  { name: 'objects of a stream of other views in slices', run: decoding('in slices', ({ stream }) => asOtherViews(stream())) },
  { name: 'growingRows', losesPath: true, givesItems: true, run: growing(), expects: items },
  {
    name: 'growingRows that keep 10',
    losesPath: true,
    endless: 'items',
    run: growing(10),
    expects: (reference, call) => withValue(items(reference, call), (value) => (value as unknown[]).slice(-10)),
  },
  {
    name: 'createPartial',
    givesCopies: true,
    run: ({ payload, stream, limits, invalidText }) =>
      outcomeOf(async () => {
        const partial = createPartial(payload.format, { options: payload.options, schema: payload.compiled, limits, invalidText });
        for await (const chunk of stream()) {
          partial.push(chunk);
          void partial.value;
        }
        return partial.finish();
      }),
  },
  {
    name: 'createPartial, whose values in part begin the whole one',
    givesCopies: true,
    // Damage may repeat a key, and a text may turn out to be bytes.
    fits: ({ isDamaged, invalidText }) => isDamaged !== true && invalidText !== 'bytes',
    run: ({ payload: { format, bytes, options, compiled, line }, limits, invalidText }) =>
      outcomeOf(() => {
        const partial = createPartial(format, { options, schema: compiled, limits, invalidText });
        const parts: unknown[] = [];
        for (const chunk of cutEvery(bytes, Math.ceil(bytes.length / MOST_CUTS))) {
          partial.push(chunk);
          if (partial.value !== undefined) parts.push(partial.value);
        }
        const whole = partial.finish();
        const problem = parts.map((part) => notPrefix(part, whole, '$', line.isUnordered)).find((found) => found !== undefined);
        if (problem !== undefined) throw new Error(problem);
        return whole;
      }),
  },
  {
    name: 'partial',
    givesCopies: true,
    run: (call) =>
      outcomeOf(async () => {
        let last: unknown;
        for await (const value of decoderOf('in slices').partial(call.stream(), choiceOf(call) as object)) last = value;
        return last;
      }),
  },
  {
    name: 'partial of events whose delta throws',
    run: inEvents,
    fits: (call) => call.payload.line.name === 'JSON' && call.reference.error === undefined && takesText(call),
  },
  { name: 'messages', ...asMessages({}) },
  { name: 'messages in batches', ...asMessages({ batch: true }) },
  {
    name: 'receive',
    run: (call) =>
      outcomeOf(() => {
        const { line, bytes, options, schema } = call.payload;
        const request = {
          headers: new Headers({ 'Content-Type': formatEntry(line.id)!.mediaTypes[0]! }),
          method: 'POST',
          body: new Blob([bytes]).stream(),
        };
        const schemas = schema === undefined ? {} : { schemas: { matrix: { format: line.id, schema } } };
        return receive(
          request as never,
          { formats: { [line.id]: options }, ...schemas, limits: { bytes: 2 ** 27, ...call.limits }, invalidText: call.invalidText } as object,
        );
      }),
  },
  { name: 'transcode to JSON', ...transcoded('json', {}, isJson), endless: 'items' },
  {
    name: 'transcode to a MessagePack sequence',
    ...transcoded('messagepack', { sequence: true }, ({ reference }) => Array.isArray(reference.value)),
    endless: 'items',
  },
  { name: 'transcode to MessagePack', ...transcoded('messagepack') },
  {
    name: 'encode and back',
    ...written((call, value) => encoderOf(call).encode(value, writingOf(call))),
  },
  {
    name: 'a stream of an encoder and back',
    ...written((call, value) => encoderOf(call).stream(value, writingOf(call))),
  },
  {
    name: 'a stream of items that arrive',
    ...written((call, value) => encoderOf(call).stream(call.items ?? messagesOf(...(value as unknown[])), writingOf(call))),
    fits: (call) => canWrite(call) && takesItems(call.payload.line) && Array.isArray(call.reference.value),
    endless: 'values',
  },
  { name: 'a refetch', run: again('in slices', 'objects'), fits: hasPrevious },
  { name: 'a refetch of rows', losesPath: true, run: again('in a worker', 'rows'), fits: hasPrevious },
  { name: 'a refetch after idle time', run: again('in slices', 'objects', true), fits: hasPrevious },
  { name: 'a refetch of rows after idle time', losesPath: true, run: again('in slices', 'rows', true), fits: hasPrevious },
  { name: 'a refetch of rows in a view', losesPath: true, run: viewed, fits: hasPrevious },
  {
    name: 'JSON text of a service worker',
    losesPath: true,
    endless: 'items',
    run: (call) =>
      outcomeOf(async () => {
        const response = await answer(call, 'json');
        return call.take ? taken(response.body!, call.take) : response.json();
      }),
    // JSON passes through.
    fits: (call) => isJson(call) && call.payload.line.id !== 'json' && takesText(call),
    expects: throughJson,
  },
  { name: 'a block of a service worker', losesPath: true, fits: takesText, run: opening('block', 'objects') },
  { name: 'rows of a block of a service worker', losesPath: true, fits: takesText, run: opening('block', 'rows') },
  { name: 'a stream of a service worker', losesPath: true, fits: takesText, run: opening('stream', 'objects') },
  {
    // Without items before an error: an answer that fails at once is a problem.
    name: 'batches of a service worker',
    fits: takesText,
    losesPath: true,
    endless: 'items',
    run: async (call) => {
      const { path } = call.payload;
      const response = await outcomeOf(() => answer(call, 'stream', { batches: { path } }));
      return response.error === undefined
        ? batchesFrom(decoderOf('in slices'), response.value as Response, { path, ...(call.limits && { limits: call.limits }) }, call.take)
        : response;
    },
    expects: (reference, { payload }) => batchesOf(reference, payload.path),
  },
  {
    name: 'the panel',
    // Its limits are its own.
    fits: (call) => takesText(call) && call.limits === undefined,
    run: async ({ payload }) => {
      const { line, bytes, options, compiled } = payload;
      const { error } = await readSpans(bytes, { format: line.id, options, schema: compiled });
      const value = await outcomeOf(() => decodeWhole(line.id, bytes, options, compiled));
      // The tree says in its own way where it ends, and decodes a text when it is shown.
      return error && value.error === undefined ? failed(error) : value;
    },
  },
];
