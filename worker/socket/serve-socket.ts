import type { AnyFormat } from '../../core/format/format.ts';
import { keyReader } from '../../core/messages/key-reader.ts';
import { readAtOnce } from '../../core/slicing/reader-slices.ts';
import { recordError } from '../../core/error-record.ts';
import { Inbox, type MessageCounts } from '../../core/messages/inbox.ts';
import { closeError } from '../../core/messages/listen.ts';
import type { LoadModule } from '../load-service.ts';
import { packMessages } from './pack-messages.ts';
import type { FromSocket, KeySetting, LoopSetting, SentData, Take, Taken, ToSocket } from './protocol.ts';

/** Milliseconds between two looks at what the socket buffers: it has no event for that. */
const LOOK_MS = 10;
/** Treatment of the messages that arrive while no loop takes them. */
const BETWEEN_LOOPS: Omit<LoopSetting, 'key'> = { policy: 'drop', limit: 10_000, limitBytes: 2 ** 26 };

/** Opens the socket that a page asks for over a port, and hands over its messages. */
export function serve(port: MessagePort, load: LoadModule): void {
  let socket: ServedSocket | undefined;
  port.onmessage = ({ data }: MessageEvent<ToSocket>) => {
    if (data.kind !== 'open') socket?.receive(data);
    else {
      try {
        socket = new ServedSocket(new WebSocket(data.url, data.protocols), port, load);
      } catch (error) {
        port.postMessage({ kind: 'refused', error: recordError(error) } satisfies FromSocket);
      }
    }
  };
}

/** One socket. Its messages wait in an inbox, from which a loop of the page takes them. */
class ServedSocket {
  readonly #socket: WebSocket;
  readonly #port: MessagePort;
  readonly #load: LoadModule;
  #counts: MessageCounts = { received: 0, dropped: 0, waiting: 0 };
  #inbox = new Inbox({ ...BETWEEN_LOOPS, key: undefined, counts: this.#counts });
  /** The loop that takes messages. */
  #loop: MessagePort | undefined;
  /** Time of the last answer to the loop. */
  #answered = 0;
  #given = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed: { readonly error: Error | undefined } | undefined;

  constructor(socket: WebSocket, port: MessagePort, load: LoadModule) {
    this.#socket = socket;
    this.#port = port;
    this.#load = load;
    socket.binaryType = 'arraybuffer';
    socket.addEventListener('open', () => this.#say({ kind: 'opened', protocol: socket.protocol, extensions: socket.extensions }));
    socket.addEventListener('message', ({ data }) => this.#inbox.add(data));
    socket.addEventListener('close', (event) => {
      const { code, reason, wasClean } = event;
      this.#closed = { error: closeError(event) };
      this.#inbox.end(this.#closed.error);
      this.#say({ kind: 'closed', code, reason, wasClean });
    });
  }

  receive(message: Exclude<ToSocket, { kind: 'open' }>): void {
    switch (message.kind) {
      case 'begin':
        void this.#begin(message.setting, message.port);
        break;
      case 'leave':
        this.#leave();
        break;
      case 'send':
        this.#given += message.size;
        this.#send(message.data);
        break;
      default:
        this.#socket.close(message.code, message.reason);
    }
  }

  async #begin({ key: keySetting, ...setting }: LoopSetting, port: MessagePort): Promise<void> {
    this.#loop = port;
    try {
      const key = keySetting && (await loadKeyReader(keySetting, this.#load));
      if (this.#loop !== port) return;
      this.#renew({ ...setting, key });
      port.onmessage = ({ data }: MessageEvent<Take>) => void this.#answer(port, this.#inbox, data);
    } catch (error) {
      this.#end(port, error);
    }
  }

  #leave(): void {
    this.#loop?.close();
    this.#loop = undefined;
    this.#renew({ ...BETWEEN_LOOPS, key: undefined });
  }

  /** Begins another inbox, with the messages that wait. Those that were dropped while no loop took messages count for the next loop. */
  #renew(setting: Omit<LoopSetting, 'key'> & { key: ((data: unknown) => unknown) | undefined }): void {
    const before = this.#inbox;
    const dropped = this.#loop ? this.#counts.dropped : 0;
    this.#counts = { received: dropped, dropped, waiting: 0 };
    this.#inbox = new Inbox({ ...setting, counts: this.#counts });
    for (let taken = before.take(); taken; taken = before.take()) this.#inbox.add(taken[0]);
    if (this.#closed) this.#inbox.end(this.#closed.error);
  }

  async #answer(port: MessagePort, inbox: Inbox, { most, mostBytes, everyMs }: Take): Promise<void> {
    try {
      const early = this.#answered + everyMs - performance.now();
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
      const hasSome = await inbox.some();
      if (this.#loop !== port) return;
      if (!hasSome) return this.#end(port);
      this.#answered = performance.now();
      const packed = packMessages(inbox, most, mostBytes);
      const message: Taken = { kind: 'messages', ...packed, counts: this.#counts };
      port.postMessage(message, [packed.bytes.buffer]);
    } catch (error) {
      if (this.#loop === port) this.#end(port, error);
    }
  }

  #end(port: MessagePort, error?: unknown): void {
    const message: Taken = { kind: 'end', error: error === undefined ? undefined : recordError(error), counts: this.#counts };
    port.postMessage(message);
  }

  #send(data: SentData): void {
    this.#socket.send(data as string);
    this.#look();
  }

  /** Tells the page what the socket buffers, until it is nothing. */
  #look(): void {
    clearTimeout(this.#timer);
    const { bufferedAmount } = this.#socket;
    this.#say({ kind: 'sent', given: this.#given, buffered: bufferedAmount });
    if (bufferedAmount > 0 && !this.#closed) this.#timer = setTimeout(() => this.#look(), LOOK_MS);
  }

  #say(message: FromSocket): void {
    this.#port.postMessage(message);
  }
}

/** Loads the code that reads the keys of messages. */
async function loadKeyReader({ path, format: id, url, ...setting }: KeySetting, load: LoadModule): Promise<(data: unknown) => unknown> {
  if (url === undefined) return keyReader(path);
  const { default: format } = (await load(id, url)) as { default: AnyFormat };
  return keyReader(path, (bytes) => readAtOnce({ id, format, ...setting }, bytes, undefined));
}
