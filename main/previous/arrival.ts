import { ArrivingBytes } from '../../core/previous/arriving.ts';
import { UNKNOWN } from '../../core/previous/grammars/grammar.ts';
import type { Limits } from '../../core/limits.ts';
import type { Operation } from '../call/operation.ts';
import type { Payload } from '../call/input/payload.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';
import { COMPARE_MS } from '../../core/previous/tuning.ts';
import { MORE_ROOM, MORE_SHARE } from './tuning.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** A source of uncompressed chunks. */
interface Chunks {
  next(): Promise<Chunk | undefined>;
}

/** The uncompressed chunks of a payload; undefined if it has arrived. */
export async function chunksOf({ input, compression }: Payload, limits: Limits): Promise<Chunks | undefined> {
  if (!input || !compression) return input && { next: input.next.bind(input) };
  const { unpacked } = await import('../call/input/unpack.ts');
  return await unpacked(input, limits);
}

/** A payload that is compared while it arrives. */
export class Arrival {
  readonly bytes: ArrivingBytes;
  readonly #operation: Operation;
  readonly #source: Chunks;
  readonly #slicer: Slicer;
  /** A chunk that had no room. */
  #left: Chunk | undefined;
  #taskStart = performance.now();

  /** `before`: bytes of the earlier payload, which is usually about as long. `size`: those that are announced; 0 if unknown. */
  constructor(operation: Operation, source: Chunks, slicer: Slicer, before: number, size: number) {
    const room = before + before * MORE_SHARE + MORE_ROOM;
    this.bytes = new ArrivingBytes(Math.ceil(size > 0 ? Math.min(size, room) : room));
    this.#operation = operation;
    this.#source = source;
    this.#slicer = slicer;
  }

  /** Runs a comparison in slices. Throws `UNKNOWN` if there is no room for the payload. */
  async run<Result>(steps: Generator<undefined, Result>): Promise<Result> {
    const slicer = this.#slicer;
    try {
      for (;;) {
        slicer.begin();
        const { done, value } = steps.next();
        if (performance.now() - this.#taskStart >= COMPARE_MS) {
          await slicer.pause();
          this.#taskStart = performance.now();
        }
        if (done) return value;
        if (!this.bytes.lacks) continue;
        slicer.end();
        if (!(await this.#take())) throw UNKNOWN;
      }
    } finally {
      slicer.end();
    }
  }

  /** All bytes, some of which may not have arrived. */
  async rest(join: (chunks: readonly Chunk[]) => Promise<Chunk>): Promise<Chunk> {
    while (this.bytes.awaits && (await this.#take()));
    if (!this.bytes.awaits) return this.bytes.bytes;
    const chunks = [this.#arrived(), this.#left!];
    for (let chunk = await this.#source.next(); chunk; chunk = await this.#source.next()) chunks.push(chunk);
    return await join(chunks);
  }

  /** The payload as if nothing of it had been read. */
  resume(payload: Payload): Payload {
    const input = payload.input!;
    const first = [this.#arrived().slice()];
    input.next = async () => first.pop() ?? (await this.#source.next());
    return { ...payload, compression: undefined };
  }

  /** Adds the next chunk, or the end. Returns false if there is no room. */
  async #take(): Promise<boolean> {
    if (this.#left) return false;
    const chunk = await this.#source.next();
    this.#operation.check();
    if (!chunk) this.bytes.end();
    else if (!this.bytes.add(chunk)) this.#left = chunk;
    return this.#left === undefined;
  }

  #arrived(): Chunk {
    return this.bytes.bytes.subarray(0, this.bytes.ready);
  }
}
