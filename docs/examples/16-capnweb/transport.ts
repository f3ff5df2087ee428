import type { RpcTransportWithCustomEncoding } from 'capnweb';
import { createDecoder } from 'unspool';
import messagepackEncoder from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';

const decoder = createDecoder();

/** Carries the messages of Cap'n Web as MessagePack over an open WebSocket, on the page and in Node. */
export class MessagePackTransport implements RpcTransportWithCustomEncoding {
  /** Messages may contain what JSON may, and bytes. */
  readonly encodingLevel = 'jsonCompatibleWithBytes';
  readonly #socket: WebSocket;
  readonly #messages: AsyncIterator<unknown>;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    this.#messages = decoder.messages(socket, { format: 'messagepack' })[Symbol.asyncIterator]();
  }

  send(message: unknown): number {
    const bytes = encodeSync(messagepackEncoder, message);
    this.#socket.send(bytes);
    return bytes.length;
  }

  /** Large messages are decoded in slices. The order is kept. */
  async receive(): Promise<unknown> {
    const { done, value } = await this.#messages.next();
    if (done) throw new Error('The connection was closed.');
    return value;
  }

  abort(): void {
    this.#socket.close();
  }
}
