import type { WebSocket as ReconnectingSocket } from 'partysocket';
import { createDecoder } from 'unspool';
import { createEncoder } from 'unspool/encode';

const decoder = createDecoder();
const encoder = createEncoder();

/** A price of a symbol. */
export interface Tick {
  readonly symbol: string;
  readonly price: number;
}

/**
 * The latest price of each symbol, once a frame, from a socket that connects again whenever the connection breaks, and then
 * subscribes again. Closes the socket when the loop is left.
 */
export async function* watchTicks(socket: ReconnectingSocket, symbols: readonly string[]): AsyncGenerator<Tick[], void> {
  socket.binaryType = 'arraybuffer';
  // The loop would end with the first `close` of the socket: this target passes on its messages alone.
  const messages = new EventTarget();
  socket.addEventListener('message', ({ data }) => void messages.dispatchEvent(new MessageEvent('message', { data })));
  const subscribe = (): void => {
    // Rejects if the connection breaks first: the next one subscribes again.
    encoder.send(socket, { symbols }, { format: 'messagepack' }).catch(() => {});
  };
  socket.addEventListener('open', subscribe);
  if (socket.readyState === socket.OPEN) subscribe();
  try {
    yield* decoder.messages<Tick>(messages, { format: 'messagepack', policy: 'latest', key: symbolOf, batch: true });
  } finally {
    socket.close();
  }
}

/**
 * The symbol of a message, before it is decoded: as MessagePack, `{ symbol, price }` begins with a byte for the map and eight for
 * the key, then has the symbol's length in the low bits of a byte.
 */
function symbolOf(data: unknown): string {
  const bytes = new Uint8Array(data as ArrayBuffer);
  return String.fromCharCode(...bytes.subarray(9, 9 + (bytes[8]! & 31)));
}
