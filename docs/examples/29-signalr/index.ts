import { createDecoder } from 'unspool';
import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';

const decoder = createDecoder();

/** Types of messages (https://github.com/dotnet/aspnetcore/blob/main/src/SignalR/docs/specs/HubProtocol.md#messagepack-msgpack-encoding). */
const STREAM_ITEM = 2;
const COMPLETION = 3;
const STREAM_INVOCATION = 4;
const PING = 6;
const CLOSE = 7;
/** A server ends a connection from which it has heard nothing for 30 seconds. */
const PING_MS = 15_000;
/** Ends the handshake, which is text. */
const RECORD_SEPARATOR = 0x1e;

/**
 * The items that a method of a SignalR hub streams, over a socket that is connecting to it: `wss://example.com/hub`, without negotiation.
 * Closes the socket at the end.
 */
export async function* streamHub<T>(socket: WebSocket, method: string, ...args: readonly unknown[]): AsyncGenerator<T, void> {
  const send = (message: readonly unknown[]): void => {
    const bytes = encodeSync(messagepack, message);
    socket.send(Uint8Array.of(...lengthPrefix(bytes.length), ...bytes));
  };
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('open', () => socket.send('{"protocol":"messagepack","version":1}\u001e'));
  // A message of the socket has several messages of the hub: this target passes on each.
  const messages = new EventTarget();
  let isReady = false;
  socket.addEventListener('message', ({ data }) => {
    let bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data as ArrayBuffer);
    if (!isReady) {
      isReady = true;
      const end = bytes.indexOf(RECORD_SEPARATOR);
      const { error } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as { error?: string };
      if (error) messages.dispatchEvent(Object.assign(new Event('close'), { code: 1002, reason: error }));
      else send([STREAM_INVOCATION, {}, '1', method, args]);
      bytes = bytes.subarray(end + 1);
    }
    for (const message of messagesIn(bytes)) messages.dispatchEvent(new MessageEvent('message', { data: message }));
  });
  socket.addEventListener('close', ({ code, reason }) => messages.dispatchEvent(Object.assign(new Event('close'), { code, reason })));
  const timer = setInterval(() => isReady && send([PING]), PING_MS);
  try {
    for await (const [type, ...rest] of decoder.messages<readonly unknown[]>(messages, { format: 'messagepack' })) {
      if (type === STREAM_ITEM) yield rest[2] as T;
      else if (type === COMPLETION) {
        if (rest[2] === 1) throw new Error(String(rest[3]));
        return;
      } else if (type === CLOSE) throw new Error(`the server closes the connection: ${(rest[0] as string | null) ?? 'no reason is given'}`);
    }
    throw new Error('the connection was closed before the stream ended');
  } finally {
    clearInterval(timer);
    socket.close();
  }
}

/** A length in groups of seven bits, the lowest first. */
function lengthPrefix(length: number): number[] {
  const bytes: number[] = [];
  for (; length > 127; length >>>= 7) bytes.push((length & 127) | 128);
  return [...bytes, length];
}

/** The messages in bytes, each of which follows its length. */
function* messagesIn(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    let length = 0;
    let byte = 128;
    for (let shift = 0; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      length += (byte & 127) * 2 ** shift;
    }
    yield bytes.subarray(at, (at += length));
  }
}
