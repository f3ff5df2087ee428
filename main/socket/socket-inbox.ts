import { reviveError } from '../pool/revive-error.ts';
import type { MessageCounts } from '../../core/messages/inbox.ts';
import type { MessageInbox } from '../live/remote.ts';
import type { Take, Taken } from '../../worker/socket/protocol.ts';

/** How a loop takes messages out of a worker. */
export interface TakeSetting {
  readonly most: number;
  readonly mostBytes: number;
  readonly everyMs: number;
  readonly counts: MessageCounts;
}

/** The messages that one loop takes out of a worker: some at a time, when the ones before are used up. */
export class SocketInbox implements MessageInbox {
  readonly #port: MessagePort;
  readonly #setting: TakeSetting;
  readonly #left: (isEnd: boolean) => void;
  #messages: (Taken & { kind: 'messages' }) | undefined;
  #next = 0;
  /** Messages that the worker has dropped, and those that wait there. */
  #dropped = 0;
  #waiting = 0;
  #end: { readonly error?: unknown } | undefined;
  #isAsked = false;
  #wake = (): void => {};

  /** `left` is called once: with true if no more messages follow, with false if none are wanted. */
  constructor(port: MessagePort, setting: TakeSetting, left: (isEnd: boolean) => void) {
    this.#port = port;
    this.#setting = setting;
    this.#left = left;
    port.onmessage = ({ data }: MessageEvent<Taken>) => this.#receive(data);
  }

  /** Number of messages that are here. */
  get size(): number {
    return this.#messages ? this.#messages.ends.length - this.#next : 0;
  }

  /** Resolves once a message is here, to true; or at the end, to false. Rejects at an end with an error. */
  async some(): Promise<boolean> {
    while (this.size === 0) {
      if (this.#end && 'error' in this.#end) throw this.#end.error;
      if (this.#end) return false;
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      this.#ask();
      await woken;
    }
    return true;
  }

  /** The next message: its bytes, and true for a text. Undefined if none is here. */
  take(): [data: Uint8Array<ArrayBuffer>, isText: boolean] | undefined {
    if (this.size === 0) return undefined;
    const { bytes, ends, texts } = this.#messages!;
    const index = this.#next;
    this.#next += 1;
    this.#setting.counts.waiting = this.#waiting + this.size;
    return [bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index]), texts[index] === 1];
  }

  /** Ends, and drops the messages that are here. Those in the worker are kept for the next loop. */
  close(error: unknown): void {
    this.#messages = undefined;
    this.#setting.counts.waiting = 0;
    this.#finish({ error }, false);
  }

  /** Ends because the worker has ended, with an error if one is given. The messages that are here can still be taken. */
  lose(error: Error | undefined): void {
    this.#finish(error ? { error } : {}, true);
  }

  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    const { most, mostBytes, everyMs } = this.#setting;
    const message: Take = { most, mostBytes, everyMs };
    this.#port.postMessage(message);
  }

  #receive(taken: Taken): void {
    const { counts } = this.#setting;
    this.#isAsked = false;
    this.#waiting = taken.counts.waiting;
    counts.received = taken.counts.received;
    // The loop counts those that are no values itself.
    counts.dropped += taken.counts.dropped - this.#dropped;
    this.#dropped = taken.counts.dropped;
    if (taken.kind === 'messages') {
      this.#messages = taken;
      this.#next = 0;
    }
    counts.waiting = this.#waiting + this.size;
    if (taken.kind === 'end') this.lose(taken.error && reviveError(taken.error));
    this.#wake();
  }

  #finish(end: { readonly error?: unknown }, isEnd: boolean): void {
    if (this.#end) return;
    this.#end = end;
    this.#port.close();
    this.#left(isEnd);
    this.#wake();
  }
}
