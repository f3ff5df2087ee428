import type { Message } from './adapter.ts';

/** Limits of the messages kept of a stream. */
const MAX_MESSAGES = 50_000;
const MAX_BYTES = 64 * 1024 * 1024;

/** The last messages of a stream; the oldest ones go, so that a stream that never ends takes a bounded amount of memory. */
export class MessageLog {
  messages: Message[] = [];
  /** Number of dropped messages. */
  dropped = 0;
  #bytes = 0;

  push(message: Message): void {
    this.messages.push(message);
    this.#bytes += message.bytes.length;
    if (this.messages.length <= MAX_MESSAGES && this.#bytes <= MAX_BYTES) return;
    // A tenth goes at once, because moving the others takes time.
    let over = Math.ceil(this.messages.length / 10);
    for (let at = 0; at < over; at += 1) this.#bytes -= this.messages[at]!.bytes.length;
    while (this.#bytes > MAX_BYTES && over < this.messages.length - 1) this.#bytes -= this.messages[over++]!.bytes.length;
    this.messages = this.messages.slice(over);
    this.dropped += over;
  }
}
