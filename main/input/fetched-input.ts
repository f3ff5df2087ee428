import type { FetchedBody } from './fetched-body.ts';
import { type InputOptions, type PayloadInput, progressOf } from './payload-input.ts';

/** The bytes of a response that a worker has: they are decoded there, and only copies of the first come here. */
export class FetchedInput implements PayloadInput {
  received = 0;
  endedAt: number | undefined;
  rows: () => number = () => 0;
  readonly fetched: FetchedBody;
  readonly stallTimeout: number | undefined;
  readonly progress: boolean;

  constructor(fetched: FetchedBody, { stallTimeout, onProgress }: InputOptions) {
    this.fetched = fetched;
    this.stallTimeout = stallTimeout;
    this.progress = onProgress !== undefined;
    fetched.moved = ({ received, endedAt }) => {
      this.received = received;
      this.endedAt = endedAt === undefined ? undefined : endedAt - performance.timeOrigin;
      onProgress?.(progressOf(this));
    };
  }

  get size(): number {
    return this.fetched.size;
  }

  get ended(): boolean {
    return this.endedAt !== undefined;
  }

  async head(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
    const state = await this.fetched.peek(bytes, this.stallTimeout);
    this.received = state.received;
    return state.first!;
  }

  async next(): Promise<undefined> {}

  cancel(reason: unknown): void {
    this.fetched.cancel(reason);
  }
}
