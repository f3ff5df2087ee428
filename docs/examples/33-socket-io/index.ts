import { Emitter } from '@socket.io/component-emitter';
import { createDecoder } from 'unspool';
import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';

const decoder = createDecoder();

/**
 * A parser of socket.io, for a server with `socket.io-msgpack-parser`: `io(url, { parser: { Encoder, Decoder } })`. Both write packets as
 * MessagePack.
 */
export class Encoder {
  encode(packet: object): Uint8Array[] {
    return [encodeSync(messagepack, packet)];
  }
}

/** Decodes large packets in slices, or in a worker, and gives all in order. */
export class Decoder extends Emitter<object, object, { decoded: (packet: unknown) => void }> {
  #before: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #connection = 0;

  /** Throws the error of the packet before, if it was invalid: socket.io then closes the connection, and connects again. */
  add(data: ArrayBuffer | Uint8Array): void {
    if (this.#failure) throw this.#failure.error;
    const connection = this.#connection;
    const packet = decoder.decode(data, { format: 'messagepack' });
    this.#before = Promise.all([packet, this.#before]).then(
      ([value]) => {
        if (connection === this.#connection) this.emitReserved('decoded', value);
      },
      (error: unknown) => {
        if (connection === this.#connection) this.#failure = { error };
      },
    );
  }

  /** Forgets the packets of a connection that has ended. The next one is read by the same decoder. */
  destroy(): void {
    this.#connection += 1;
    this.#before = Promise.resolve();
    this.#failure = undefined;
  }
}
