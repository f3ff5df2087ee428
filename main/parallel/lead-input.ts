import type { Limits } from '../../worker/limits.ts';
import type { Joint, JointQuery, Splice } from '../../worker/thread/protocol.ts';
import { copies, type MemoryBytes } from '../input/memory-input.ts';
import type { WorkerInput } from '../pool/task.ts';
import type { Segment } from './segment.ts';

type Step = Uint8Array<ArrayBuffer> | JointQuery | Splice;

/**
 * What the worker that leads gets: the bytes up to the first segment, the question whether an item of a list begins
 * there, and then, if so and if the segment is good, what the segment has read; else the bytes themselves. And so on.
 */
export class LeadInput implements WorkerInput {
  readonly size: number;
  readonly #source: MemoryBytes;
  readonly #segments: readonly Segment[];
  readonly #drop: (segment: Segment) => void;
  /** How deep the list may lie, and how many values there may be. */
  readonly #most: Pick<Limits, 'depth' | 'values'>;
  readonly #steps: AsyncGenerator<Step, void, undefined>;
  #answer: (joint: Joint) => void = () => {};

  /** `drop` is called for each segment that is not used. */
  constructor(source: MemoryBytes, segments: readonly Segment[], most: Pick<Limits, 'depth' | 'values'>, drop: (segment: Segment) => void) {
    this.#source = source;
    this.#segments = segments;
    this.#most = most;
    this.#drop = drop;
    this.size = segments[0]?.piece.start ?? source.bytes.length;
    this.#steps = this.#run();
  }

  async next(): Promise<Step | undefined> {
    return (await this.#steps.next()).value ?? undefined;
  }

  /** The worker stands where it was asked about. */
  reached(joint: Joint): void {
    this.#answer(joint);
  }

  cancel(): void {
    for (const segment of this.#segments) this.#drop(segment);
  }

  async *#run(): AsyncGenerator<Step, void, undefined> {
    const source = this.#source;
    let at = 0;
    for (const segment of this.#segments) {
      const { start } = segment.piece;
      if (start >= at) {
        yield* copies(source, at, start);
        at = start;
        const answer = new Promise<Joint>((resolve) => (this.#answer = resolve));
        yield { cut: start };
        const { itemDepth, tally } = await answer;
        const splice = itemDepth >= 0 && itemDepth <= this.#most.depth ? await segment.found : undefined;
        // Beyond a limit, the error is that of one worker.
        if (splice && tally.values + splice.values <= this.#most.values) {
          yield splice;
          at += splice.bytes;
          continue;
        }
      }
      this.#drop(segment);
    }
    yield* copies(source, at, source.bytes.length);
  }
}
