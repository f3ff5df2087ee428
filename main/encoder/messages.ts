import { checkNames } from '../../core/check-names.ts';
import { NetworkError } from '../../core/errors.ts';
import { KEPT, type KeepsRecords } from '../../core/kept-records.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { EncodableValue } from './encodable.ts';
import type { EncodeOptions } from './options.ts';
import { orAborted } from './encode-slices.ts';

/** A socket that takes messages: a WebSocket, an RTCDataChannel, or a socket of the package `ws`. */
export interface MessageSocket {
  /** As numbers for a WebSocket, and as names for an RTCDataChannel. */
  readonly readyState: number | string;
  /** Bytes that were sent and have not left yet. */
  readonly bufferedAmount: number;
  bufferedAmountLowThreshold?: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  addEventListener(type: string, listener: () => void): void;
  removeEventListener(type: string, listener: () => void): void;
}

/** Options of `Encoder.messages`: those of an encode, and the kind of the messages. */
export type EncodeMessageOptions<Id extends FormatId = FormatId, T = unknown> = EncodeOptions<Id, T> & MessageKind;

/** Options of `Encoder.send`. */
export type SendOptions<Id extends FormatId = FormatId, T = unknown> = EncodeMessageOptions<Id, T> & {
  /**
   * Bytes that the socket may buffer (`bufferedAmount`): while it buffers more, messages wait. Default 1 MiB. A data channel gets
   * it as its `bufferedAmountLowThreshold`.
   */
  limitBytes?: number | undefined;
};

/** Kind of the messages. */
export interface MessageKind {
  /** Makes text messages. Default: true for JSON that is not compressed; only this can be text. */
  text?: boolean | undefined;
}

/** An encoder's part that messages use. */
interface Encodes {
  encode(value: unknown, options: EncodeOptions): Promise<Uint8Array<ArrayBuffer>>;
}

const LIMIT_BYTES = 2 ** 20;
/** Milliseconds between two looks at what a WebSocket buffers: it has no event for that. */
const LOOK_MS = 10;
const NAMES = ['format', 'schema', 'options', 'signal', 'compression', 'onProgress', 'text'];
const SEND_NAMES = [...NAMES, 'limitBytes'];
const decoder = new TextDecoder();
/** End of the last message of each socket: sent, or failed. */
const turns = new WeakMap<MessageSocket, Promise<unknown>>();

/** Encodes a value into a message for `receiver`. */
export async function message(
  encoder: Encodes,
  value: EncodableValue<unknown>,
  { text, ...options }: EncodeMessageOptions,
  receiver: object,
): Promise<string | Uint8Array<ArrayBuffer>> {
  const isText = options.format?.endsWith('json') === true && options.compression === undefined;
  if (text && !isText) throw new TypeError('invalid option text: true; only JSON that is not compressed is text');
  const given: EncodeOptions & KeepsRecords = Object.assign({ ...options }, { [KEPT]: receiver });
  const bytes = await encoder.encode(value, given);
  return (text ?? isText) ? decoder.decode(bytes) : bytes;
}

/** Puts a value into the stream of messages. */
export async function put(
  encoder: Encodes,
  stream: TransformStreamDefaultController<string | Uint8Array<ArrayBuffer>>,
  value: EncodableValue<unknown>,
  options: EncodeMessageOptions,
): Promise<void> {
  checkNames(options, NAMES);
  stream.enqueue(await message(encoder, value, options, stream));
}

/**
 * Sends a value after those before it, once the socket is open and buffers at most `limitBytes`. `closed` aborts with the encoder.
 * `later` calls a function after a while, and returns one that cancels. See `Encoder.send`.
 */
export async function send(
  encoder: Encodes,
  closed: AbortSignal,
  socket: MessageSocket,
  value: EncodableValue<unknown>,
  options: SendOptions,
  later: (look: () => void) => () => void = inAWhile,
): Promise<void> {
  const turn = turns.get(socket) ?? Promise.resolve();
  const sent = sendIn(turn);
  // A message that fails leaves its turn to the next one.
  turns.set(socket, Promise.allSettled([turn, sent]));
  await sent;

  async function sendIn(before: Promise<unknown>): Promise<void> {
    const { limitBytes = LIMIT_BYTES, ...encoding } = options;
    checkNames(options, SEND_NAMES);
    // A signal of its own, so that many messages that wait are not many listeners of one.
    const signal = AbortSignal.any(encoding.signal ? [closed, encoding.signal] : [closed]);
    await orAborted(before, signal);
    checkOpen(socket);
    const data = await message(encoder, value, encoding, socket);
    const isLow = (): boolean => !isConnecting(socket) && socket.bufferedAmount <= limitBytes;
    if ('bufferedAmountLowThreshold' in socket) socket.bufferedAmountLowThreshold = limitBytes;
    while (isLive(socket) && !isLow()) await change(socket, signal, later);
    signal.throwIfAborted();
    checkOpen(socket);
    socket.send(data);
  }
}

function isConnecting({ readyState }: MessageSocket): boolean {
  return readyState === 0 || readyState === 'connecting';
}

function isLive(socket: MessageSocket): boolean {
  return isConnecting(socket) || socket.readyState === 1 || socket.readyState === 'open';
}

function checkOpen(socket: MessageSocket): void {
  if (!isLive(socket)) throw new NetworkError('the socket is closed: the message was not sent', 0);
}

/** Resolves once the socket has opened, closed or may have sent what it buffers. Rejects with the signal's reason. */
async function change(socket: MessageSocket, signal: AbortSignal, later: (look: () => void) => () => void): Promise<void> {
  const hasEvent = 'bufferedAmountLowThreshold' in socket;
  const types = ['open', 'close', 'error', ...(hasEvent ? ['bufferedamountlow'] : [])];
  let changed = (): void => {};
  const change = new Promise<void>((resolve) => (changed = resolve));
  for (const type of types) socket.addEventListener(type, changed);
  const cancel = hasEvent || isConnecting(socket) ? undefined : later(changed);
  try {
    await orAborted(change, signal);
  } finally {
    cancel?.();
    for (const type of types) socket.removeEventListener(type, changed);
  }
}

function inAWhile(look: () => void): () => void {
  const timer = setTimeout(look, LOOK_MS);
  return () => clearTimeout(timer);
}
