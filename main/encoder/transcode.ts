import type { EncodeSession } from '../../worker/encode.ts';
import type { AnyFormat } from '../../worker/formats/format.ts';
import type { FormatId } from '../../worker/formats/registry.ts';
import type { Writer } from '../../worker/formats/writer.ts';
import { loadFormat } from '../decoder/formats.ts';
import type { DecodeOptions, DecodeSource } from '../decoder/options.ts';
import { type Defaults, prepare, settingOf } from '../decoder/prepare.ts';
import { bytesOf } from '../input/sources.ts';
import { ReaderSlices } from '../in-place/reader-slices.ts';
import { Slicer } from '../slicing/slicer.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** How the source of a transcode is read: as `decode` has it. */
export type TranscodeSource<F extends FormatId = FormatId> = Pick<DecodeOptions<F>, 'format' | 'options' | 'schema' | 'limits' | 'revive'>;

/** What a transcode reads with. */
export interface TranscodeSetting extends Defaults {
  /** How the source is read. */
  readonly from: TranscodeSource;
  /** What writes, and the name of its format. */
  readonly writer: Writer;
  readonly format: string;
  /** Whether it writes lists whose length is not known before their end. */
  readonly takesItems: boolean;
  readonly signal: AbortSignal;
  /** The code of the source's format, where it is here. */
  readonly reads?: (id: FormatId) => AnyFormat | Promise<AnyFormat>;
}

/**
 * Reads a payload of one format and writes it in another, while its bytes come, in slices of the calling thread. The items of
 * a list at the root are written as they are read, where the format that is written can hold a list whose length is not
 * known before its end; then no more than a slice of it is in memory. Other values are read as a whole first.
 */
export async function transcodeInto(source: DecodeSource, setting: TranscodeSetting, put: (chunk: Chunk) => Promise<void>): Promise<void> {
  const { writer, signal } = setting;
  const input = chunksOf(source);
  try {
    const first = await input.next();
    const head = first.value ?? new Uint8Array(0);
    const prepared = prepare(setting, source, setting.from, head.subarray(0, 64));
    const { id } = prepared.entry;
    const format = setting.reads ? await setting.reads(id) : (await loadFormat(id)).format;
    if (prepared.schema) await setting.schemas.compile(prepared.schema, format);
    const slicer = new Slicer(signal);
    const writing = new Writing(
      writer.session(setting.format, () => slicer.due()),
      slicer,
      put,
    );
    const take = (items: unknown[]): Promise<void> => writing.add(items);
    const reader = new ReaderSlices(settingOf(prepared, format), prepared.revive, slicer, setting.takesItems ? { items: { path: [], take } } : {});
    for (let read = first; !read.done; read = await input.next()) {
      signal.throwIfAborted();
      await reader.push(read.value);
    }
    const value = await reader.end();
    await (reader.found ? writing.close() : writing.write(value));
  } finally {
    await input.return(undefined);
  }
}

/** What is written in slices, and put out as it is final. */
class Writing {
  readonly #session: EncodeSession;
  readonly #slicer: Slicer;
  readonly #put: (chunk: Chunk) => Promise<void>;

  constructor(session: EncodeSession, slicer: Slicer, put: (chunk: Chunk) => Promise<void>) {
    this.#session = session;
    this.#slicer = slicer;
    this.#put = put;
  }

  async write(value: unknown): Promise<void> {
    this.#session.write(value);
    await this.#run();
  }

  async add(items: readonly unknown[]): Promise<void> {
    this.#session.add(items);
    await this.#run();
  }

  async close(): Promise<void> {
    this.#session.close();
    await this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#session.isIdle) {
      this.#slicer.begin();
      if (this.#slicer.due()) await this.#slicer.pause();
      this.#session.run();
      for (const chunk of this.#session.take()) await this.#put(chunk);
    }
    this.#slicer.end();
  }
}

async function* chunksOf(source: DecodeSource): AsyncGenerator<Uint8Array, void> {
  const bytes = bytesOf(source);
  if (bytes !== undefined) {
    yield bytes;
    return;
  }
  const body = source instanceof ReadableStream ? source : source instanceof Blob ? source.stream() : (source as Response).body;
  const reader = body?.getReader();
  if (reader === undefined) return;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}
