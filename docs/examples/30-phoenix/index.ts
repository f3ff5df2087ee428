import { Socket, type SocketConnectOption } from 'phoenix';
import { createDecoder } from 'unspool';

const decoder = createDecoder();
const encoder = new TextEncoder();
const utf8 = new TextDecoder();

/** Fields before the payload of a binary message, by its kind: push, reply and broadcast. The event of a reply is its status. */
const FIELDS = [
  ['join_ref', 'topic', 'event'],
  ['join_ref', 'ref', 'topic', 'event'],
  ['topic', 'event'],
] as const;

/**
 * A socket of Phoenix channels that decodes large messages in slices, or in a worker, and in order. Binary payloads are MessagePack:
 * `push(socket, "ticks", {:binary, Msgpax.pack!(ticks, iodata: false)})`. `onError` is called for a message that is no value, which is left out.
 */
export function openSocket(endpoint: string, onError: (error: unknown) => void, options: Partial<SocketConnectOption> = {}): Socket {
  let before: Promise<void> = Promise.resolve();
  const decode: SocketConnectOption['decode'] = (data: string | ArrayBuffer, give) => {
    const message = typeof data === 'string' ? readText(data) : readBinary(data);
    before = Promise.all([message, before]).then(([value]) => void give(value), onError);
  };
  return new Socket(endpoint, { ...options, decode });
}

async function readText(text: string): Promise<object> {
  const [join_ref, ref, topic, event, payload] = await decoder.decode<unknown[]>(encoder.encode(text), { format: 'json' });
  return { join_ref, ref, topic, event, payload };
}

async function readBinary(data: ArrayBuffer): Promise<object> {
  const bytes = new Uint8Array(data);
  const names = FIELDS[bytes[0]!]!;
  const message: Record<string, unknown> = { join_ref: null, ref: null };
  let at = 1 + names.length;
  for (const [index, name] of names.entries()) message[name] = utf8.decode(bytes.subarray(at, (at += bytes[1 + index]!)));
  const payload: unknown = await decoder.decode(bytes.subarray(at), { format: 'messagepack' });
  return names.length < 4 ? { ...message, payload } : { ...message, event: 'phx_reply', payload: { status: message['event'], response: payload } };
}
