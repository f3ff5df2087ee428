import { LimitError } from '../errors.ts';

/** Treatment of messages that arrive faster than they are taken. */
export type MessagePolicy = 'queue' | 'drop' | 'latest';

/** Numbers of messages, kept up to date while a loop runs. */
export interface MessageCounts {
  /** Messages that arrived. */
  received: number;
  /** Messages that were left out, by the policy or, with `onError`, since they are no values. */
  dropped: number;
  /** Messages that wait to be taken. */
  waiting: number;
}

/** Settings of an inbox. */
export interface InboxSetting {
  readonly policy: MessagePolicy;
  readonly key: ((data: unknown) => unknown) | undefined;
  /** The most messages, and bytes or characters of messages, that wait. */
  readonly limit: number;
  readonly limitBytes: number;
  readonly counts: MessageCounts;
}

/** The page, if this is one: an inbox may also be in a worker. */
const page = globalThis as { readonly document?: { readonly hidden: boolean } };

/** Messages that wait to be taken, in the order of their arrival. */
export class Inbox {
  readonly #setting: InboxSetting;
  /** By key, or by number if messages do not replace each other. */
  readonly #waiting = new Map<unknown, unknown>();
  /** An iterator that stays: a new one would pass the places of all messages taken before. */
  #next = this.#waiting.entries();
  #number = 0;
  #bytes = 0;
  #end: { error?: unknown } | undefined;
  #wake = (): void => {};
  #room = (): void => {};
  #hurry = (): void => {};
  /** True if the source is read no further while the inbox is full. */
  #canWait = false;

  constructor(setting: InboxSetting) {
    this.#setting = setting;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get #isFull(): boolean {
    return this.#holds(1);
  }

  /** True at the end, and once a queue is half full, unless its source waits for the frames of a page that draws them. */
  get #isUrgent(): boolean {
    if (this.#end) return true;
    if (this.#setting.policy !== 'queue' || (this.#canWait && !page.document?.hidden)) return false;
    return this.#holds(0.5);
  }

  /** True if the messages that wait take this part of the room, or more. */
  #holds(part: number): boolean {
    const { limit, limitBytes } = this.#setting;
    return this.#waiting.size >= limit * part || this.#bytes >= limitBytes * part;
  }

  /** Takes a message in. */
  add(data: unknown): void {
    if (this.#end) return;
    const { policy, key, counts } = this.#setting;
    counts.received += 1;
    const isLatest = policy === 'latest';
    const place = isLatest ? key?.(data) : (this.#number += 1);
    if (isLatest && this.#waiting.has(place)) {
      this.#remove(place, this.#waiting.get(place));
      counts.dropped += 1;
    }
    if (this.#isFull) {
      if (policy === 'queue') {
        this.end(new LimitError('queue', `${this.#waiting.size} messages wait: take them faster, or set the option policy to drop or latest`));
        return;
      }
      // A large message may take the room of many small ones.
      while (this.#isFull && this.take()) counts.dropped += 1;
    }
    this.#waiting.set(place, data);
    this.#bytes += sizeOf(data);
    counts.waiting = this.#waiting.size;
    this.#wake();
    if (this.#isUrgent) this.#hurry();
  }

  /** The oldest message, in a list of one; undefined if none waits. */
  take(): [data: unknown] | undefined {
    if (this.#waiting.size === 0) return undefined;
    let next = this.#next.next();
    if (next.done) {
      this.#next = this.#waiting.entries();
      next = this.#next.next();
    }
    const [place, data] = next.value!;
    this.#remove(place, data);
    if (!this.#isFull) this.#room();
    return [data];
  }

  /** Ends the messages, with an error if one is given. Those that wait can still be taken. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#release();
  }

  /** Resolves once a message waits, to true; or at the end, to false. Rejects at an end with an error. */
  async some(): Promise<boolean> {
    while (this.#waiting.size === 0) {
      if (this.#end && 'error' in this.#end) throw this.#end.error;
      if (this.#end) return false;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return true;
  }

  /** Resolves once there is room for one more message, for a source that can wait. */
  async room(): Promise<void> {
    this.#canWait = true;
    while (this.#setting.policy === 'queue' && this.#isFull && !this.#end) await new Promise<void>((resolve) => (this.#room = resolve));
  }

  /**
   * Calls `go` as soon as the next batch should not wait for a frame: at the end, or before a queue is full. A hidden page draws no
   * frames, and its timers may run once a minute.
   */
  whenUrgent(go: () => void): void {
    this.#hurry = go;
    if (this.#isUrgent) go();
  }

  /** Ends, and drops the messages that wait. */
  close(error: unknown): void {
    this.#waiting.clear();
    this.#setting.counts.waiting = 0;
    this.#bytes = 0;
    this.#end = { error };
    this.#release();
  }

  /** Ends all waiting for this inbox. */
  #release(): void {
    this.#wake();
    this.#room();
    this.#hurry();
  }

  #remove(place: unknown, data: unknown): void {
    this.#waiting.delete(place);
    this.#bytes -= sizeOf(data);
    this.#setting.counts.waiting = this.#waiting.size;
  }
}

/** Bytes, or characters, of a message. */
function sizeOf(data: unknown): number {
  const { length, byteLength, size } = data as { length?: number; byteLength?: number; size?: number };
  return byteLength ?? (typeof data === 'string' ? length! : typeof size === 'number' ? size : 0);
}
