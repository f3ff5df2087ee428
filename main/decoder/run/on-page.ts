import type { Limits } from '../../../core/limits.ts';
import { JsonSlices } from '../../json/slices.ts';
import { NOT_PLAIN, parseJson } from '../../json/values.ts';
import type { ItemConsumer, SlicedDecode } from '../../slicing/sliced-decode.ts';
import { assertWhole, type Payload } from '../../input/payload.ts';
import { formInSlices, resultShape } from '../../rows/form.ts';
import { Slicer } from '../../slicing/slicer.ts';
import { MINOR_GC } from '../../slicing/minor-gc.ts';
import type { Core } from '../core.ts';
import { type FormatHere, loadFormat } from '../formats.ts';
import { countRows } from '../observe.ts';
import type { Operation } from '../operation.ts';
import { type Prepared, readByEngine, settingOf } from '../prepare.ts';
import { decodeHere, LATER } from './small.ts';

/** Decodes a payload on this thread: at once where it is small, otherwise in slices, as its bytes come. */
export async function decodeOnPage(core: Core, operation: Operation, prepared: Prepared, payload: Payload): Promise<unknown> {
  operation.enter('decoding');
  const { as } = operation.report;
  // What the application makes of a tag stays as it is, lists of records in it too.
  const made = new Set<unknown>();
  const { revive } = prepared;
  const noting =
    revive &&
    ((tag: string, inner: unknown) => {
      const value = revive(tag, inner);
      made.add(value);
      return value;
    });
  const own = as === 'objects' ? prepared : { ...prepared, revive: noting };
  const isShort = !payload.input && payload.bytes.length < core.inlineBelow;
  if (isShort) return resultShape(await decodeShort(core, operation, own, payload), as, made);
  const decode = new PageDecode(core, operation, own, payload);
  // Nothing refers to anything else in what the engine parses.
  return await formInSlices(await decode.run(), as, readByEngine(own) ? undefined : made, decode.slicer);
}

/** How many bytes of JSON the engine parses in so short a time that they need not be cut. */
export function bytesAtOnce({ router }: Pick<Core, 'router'>): number {
  return router.speed('json', 'page') * AT_ONCE_MS;
}

async function decodeShort(core: Core, operation: Operation, prepared: Prepared, payload: Payload): Promise<unknown> {
  const { bytes } = payload;
  const { schema } = prepared;
  const value = schema && !schema.compiled ? LATER : decodeHere(prepared, bytes);
  if (value !== LATER) return value;
  const { format } = await readyFormat(core, operation, prepared);
  await format.prepare?.(bytes);
  operation.check();
  assertWhole(payload, prepared.entry.id);
  return decodeHere(prepared, bytes);
}

/** The format's code, once the schema is compiled by it. */
export async function readyFormat(core: Core, operation: Operation, { entry, schema }: Prepared): Promise<FormatHere> {
  const begun = performance.now();
  const here = await loadFormat(entry.id);
  if (schema) await core.schemas.compile(schema, here.format);
  const queueMs = performance.now() - begun;
  operation.measure(() => ({ queueMs }));
  operation.check();
  return here;
}

/** What decodes in slices, and says how far it is. */
type Slices = SlicedDecode & { readonly rows: number; readonly found: boolean; idle?(): Promise<void> };

/** JSON that is parsed in less time is parsed in one go, in milliseconds. */
const AT_ONCE_MS = 6;

/** How long whole items wait for more bytes before they are given out, in milliseconds; the first do not wait. */
const PATIENCE_MS = 20;

/** What the items of a list are given to by a decode that may have to begin again. */
export interface ResultConsumer extends ItemConsumer {
  /** The decode begins again: items that were taken come once more, before others. */
  restart(): void;
}

/** A decode on this thread in slices. */
export class PageDecode {
  readonly #core: Core;
  readonly #operation: Operation;
  readonly #prepared: Prepared;
  readonly #payload: Payload;
  /** Measures the work, and ends it with the operation. */
  readonly slicer: Slicer;
  readonly #items: ResultConsumer | undefined;
  /** Bytes that were read, and rows of the result. */
  #bytes = 0;
  #rows = 0;
  #decode: Slices | undefined;

  /** `items` takes the items of a list, which are then not in the result. */
  constructor(core: Core, operation: Operation, prepared: Prepared, payload: Payload, items?: ResultConsumer) {
    this.#core = core;
    this.#operation = operation;
    this.#prepared = prepared;
    this.#payload = payload;
    this.#items = items;
    // Left to itself, V8 collects what is made here in shorter pauses than where it is made to collect, and in half the
    // time; but for lists of many small values, which are counted.
    this.slicer = new Slicer(operation.signal, { building: MINOR_GC });
    operation.measure(() => ({ ...this.stats, ...(payload.input && { bytes: this.#bytes }) }));
  }

  /** Rows so far, and the time of this thread. */
  get stats(): { rows: number; decodeMs: number; mainMs: number; longestSliceMs: number } {
    const { total, longest } = this.slicer;
    return { rows: Math.max(this.#rows, this.#decode?.rows ?? 0), decodeMs: total, mainMs: total, longestSliceMs: longest };
  }

  /** Whether the list was there whose items are given out. */
  get found(): boolean {
    return this.#decode?.found ?? false;
  }

  /** Decodes all of it. */
  async run(): Promise<unknown> {
    try {
      const value = await this.#run();
      this.#rows = countRows(value);
      return value;
    } catch (error) {
      // What a buffer gives that was transferred away is no error of the payload's.
      assertWhole(this.#payload, this.#prepared.entry.id);
      throw error;
    }
  }

  async #run(): Promise<unknown> {
    if (!readByEngine(this.#prepared)) return await this.#read(await this.#chunks());
    const { limits, options } = this.#prepared;
    const value = this.#parseAtOnce();
    if (value !== NOT_PLAIN) return value;
    return await this.#parse(limits, options);
  }

  /** What `JSON.parse` gives in well under a frame is parsed in one go. */
  #parseAtOnce(): unknown {
    const { input, bytes } = this.#payload;
    const { options, limits } = this.#prepared;
    if (input || this.#items || bytes.length > bytesAtOnce(this.#core) || (options as { sequence?: boolean }).sequence) return NOT_PLAIN;
    this.slicer.begin();
    const value = parseJson(bytes, limits);
    this.slicer.end();
    return value;
  }

  async #parse(limits: Limits, options: object): Promise<unknown> {
    const isSequence = (options as { sequence?: boolean }).sequence === true;
    // Few payloads are sequences, and those that are go on arriving meanwhile.
    const Sequence = isSequence ? (await import('../../json/sequence.ts')).SequenceReader : undefined;
    const json = new JsonSlices(limits, this.slicer, { items: this.#items, Sequence });
    const value = await this.#feed(json, await this.#chunks());
    if (value !== NOT_PLAIN) return value;
    // The reader says what is wrong with it, and where.
    this.#items?.restart();
    return await this.#read(json.chunks);
  }

  async #read(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<unknown> {
    const items = this.#items;
    const { format, readers } = await readyFormat(this.#core, this.#operation, this.#prepared);
    const slices = new readers.ReaderSlices(settingOf(this.#prepared, format), this.#prepared.revive, this.slicer, items && { items });
    return await this.#feed(slices, chunks);
  }

  async #feed(decode: Slices, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<unknown> {
    this.#decode = decode;
    this.#bytes = 0;
    const bytes = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
    for (;;) {
      const coming = bytes.next();
      // Items that are whole do not wait for bytes that are late.
      if (this.#items && coming instanceof Promise && (await isLate(coming, decode.rows > 0 ? PATIENCE_MS : 0))) await decode.idle?.();
      const { done, value: chunk } = await coming;
      this.#operation.check();
      if (done) return await decode.end();
      this.#bytes += chunk.length;
      await decode.push(chunk);
    }
  }

  async #chunks(): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
    const { input, bytes, compression } = this.#payload;
    if (!input) return [bytes];
    if (!compression) return each(input);
    const { unpacked } = await import('../../input/unpack.ts');
    return each(await unpacked(input, this.#prepared.limits));
  }
}

/** Whether a promise does not settle within some milliseconds. */
async function isLate(promise: Promise<unknown>, patience: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), patience)));
  const inTime = (): boolean => false;
  try {
    return await Promise.race([promise.then(inTime, inTime), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function* each(input: { next(): Promise<Uint8Array | undefined> }): AsyncGenerator<Uint8Array, void> {
  for (let chunk = await input.next(); chunk; chunk = await input.next()) yield chunk;
}
