import type { FormatId } from '../../core/format/format-id.ts';
import { Assembler } from './assembler.ts';
import { BatchFeed, type BatchSupply, MAX_WAITING, noList } from './feed.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import type { Operation } from '../call/operation.ts';
import type { BatchOptions } from '../call/options/options.ts';
import { type BlockReading, located, readingOf } from '../block/open.ts';
import { readParts } from '../block/part-stream.ts';
import { parseBlockType } from '../block/type.ts';
import { BlockVerifier } from '../block/verify/verify.ts';
import { Slicer } from '../../core/slicing/slicer.ts';

export { isOwn } from '../block/open.ts';

/** Emits the batches of a payload that a service worker has decoded, as they arrive. */
export async function openBatches(core: DecoderState, operation: Operation, source: Response, options: BatchOptions): Promise<BatchFeed> {
  if (parseBlockType(source.headers.get('content-type'))?.form !== 'stream') {
    throw new TypeError("the service worker answered with a complete block: use decode, or respondWith: 'stream' on its route for batches");
  }
  const { report } = operation;
  const reading = readingOf(core, source, options);
  report.format = reading.id;
  const supply = new BlockBatches(operation, new Assembler({ as: report.as, ...reading }), reading);
  const feed = new BatchFeed(operation, supply, options.buildMs);
  void supply.begin(source, feed);
  return feed;
}

/** Batches read from a response. */
class BlockBatches implements BatchSupply {
  readonly #operation: Operation;
  readonly #assembler: Assembler;
  readonly #format: FormatId;
  readonly #verifier: BlockVerifier;
  readonly #slicer = new Slicer();
  #bytes = 0;
  #resume: (() => void) | undefined;

  constructor(operation: Operation, assembler: Assembler, { id, limits }: Pick<BlockReading, 'id' | 'limits'>) {
    this.#operation = operation;
    this.#assembler = assembler;
    this.#format = id;
    this.#verifier = new BlockVerifier(limits, true);
    operation.measure(() => ({ ...assembler.stats, bytes: this.#bytes }));
    operation.signal.addEventListener('abort', () => {
      assembler.cancel(operation.signal.reason);
      this.#resume?.();
    });
  }

  /** Reads the response for a feed. Never rejects: an error ends the feed. */
  async begin(response: Response, feed: BatchFeed): Promise<void> {
    const operation = this.#operation;
    try {
      for await (const part of readParts(response)) {
        if (operation.settled) return;
        this.#bytes += part.byteLength;
        await this.#verify(part);
        const batch = this.#assembler.push(part);
        if (batch) feed.push(batch);
        while (feed.waiting >= MAX_WAITING && !operation.settled) await new Promise<void>((resolve) => (this.#resume = resolve));
      }
      this.#verifier.end();
      if (this.#assembler.found) feed.end();
      else feed.fail(noList(this.#format, []));
    } catch (error) {
      feed.fail(located(error, this.#format));
    }
  }

  async #verify(part: ArrayBuffer): Promise<void> {
    const steps = this.#verifier.part(part, 0, part.byteLength);
    this.#slicer.begin();
    while (!steps.next().done) if (this.#slicer.due()) await this.#slicer.pause();
    this.#slicer.end();
  }

  taken(): void {
    this.#resume?.();
  }

  rest(): Promise<unknown> {
    return this.#assembler.rest();
  }
}
