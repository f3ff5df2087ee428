import { bytesIn } from '../../core/bytes/bytes-in.ts';
import { WorkerCrashError } from '../../core/errors.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { NotServed, ServeRequest } from '../../worker/load-service.ts';
import type { FromSocket, LoopSetting, SentData, ToSocket } from '../../worker/socket/protocol.ts';
import { checkCall } from '../call/options/check.ts';
import type { RemoteLoop } from '../live/remote.ts';
import { FILES } from '../pool/code-files.ts';
import { addFiles, codeFile } from '../pool/code-requests.ts';
import { createWorker } from '../pool/create-worker.ts';
import { WorkerHandle } from '../pool/handle.ts';
import type { PageWorker } from '../pool/page-worker.ts';
import { reviveError } from '../pool/revive-error.ts';
import { SocketInbox } from './socket-inbox.ts';

/** Options of a `WorkerSocket`. */
export interface WorkerSocketOptions {
  /** Starts the worker. Default: the library's `worker.js`. See `DecoderOptions.createWorker`. */
  createWorker?: (() => PageWorker) | undefined;
  /**
   * The least milliseconds between two arrays of a loop with `batch`. Default 16, about a frame. To receive a batch takes a page
   * some of its time, so that a table that is read by people may do with 50.
   */
  batchMs?: number | undefined;
}

const NAMES = ['createWorker', 'batchMs'];
/** Bytes of messages that are fetched at a time for a loop without `batch`. */
const AHEAD_BYTES = 2 ** 20;
/**
 * Milliseconds between two batches by default. The worker waits, since waiting for a frame makes a page draw one that may show nothing new,
 * and a hidden page's timers are slowed down. Benchmark: --live --case messages.
 */
const FRAME_MS = 16;
const LOST = 'the worker of the socket ended: the connection is closed, and messages that waited in the worker are lost';

/**
 * A WebSocket in a worker of its own: messages reach the page only when `decoder.messages` takes them, and those that its policy
 * drops never do. Has the interface of a `WebSocket`, except for `message` events, and `encoder.send` takes it too.
 *
 * Until a loop takes messages, the worker keeps the last 10,000 of them, or 64 MiB. The worker ends once the socket is closed and a
 * loop has taken its messages, or `close` was called. If the worker dies, the socket dispatches `error` and `close`, and a loop
 * throws a `WorkerCrashError`.
 *
 * @example
 * const socket = new WorkerSocket('wss://example.com/ticks');
 * await encoder.send(socket, { subscribe: 'all' }, { format: 'json' });
 * for await (const ticks of decoder.messages<Tick>(socket, { policy: 'latest', key: 'symbol', batch: true })) table.update(ticks);
 */
export class WorkerSocket extends EventTarget {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  /** URL of the server. */
  readonly url: string;
  readonly #port: MessagePort;
  readonly #worker: Worker;
  readonly #handle: WorkerHandle;
  readonly #batchMs: number;
  #readyState: 0 | 1 | 2 | 3 = 0;
  #protocol = '';
  #extensions = '';
  /** Size of all messages that were sent, of those that the socket in the worker was given, and bytes that it buffers. */
  #sent = 0;
  #given = 0;
  #buffered = 0;
  #loop: SocketInbox | undefined;
  /** True once nobody wants the messages that wait in the worker of a closed socket. */
  #isDone = false;
  /** True once the worker has ended; why, if it failed. */
  #isOver = false;
  #failure: Error | undefined;

  /**
   * Connects. `url` and `protocols` are those of a `WebSocket`; a relative `url` is resolved against the page's. Throws a
   * TypeError for an invalid URL or option, or if there are no workers. What else is refused, such as a forbidden port, closes the
   * socket.
   */
  constructor(url: string | URL, protocols: string | string[] = [], options: WorkerSocketOptions = {}) {
    super();
    checkCall(options as object, NAMES);
    const { createWorker: create = createWorker, batchMs = FRAME_MS } = options;
    if (typeof create !== 'function') throw new TypeError(`invalid option createWorker: ${String(create)}; expected a function`);
    if (!(batchMs >= 0)) throw new TypeError(`invalid option batchMs: ${batchMs}`);
    this.#batchMs = batchMs;
    if (typeof protocols !== 'string' && !Array.isArray(protocols)) {
      throw new TypeError('invalid protocols; expected a string or an array of strings, and options as the third argument');
    }
    if (create === createWorker && typeof Worker === 'undefined') throw new TypeError('no workers here: use a WebSocket instead of a WorkerSocket');
    const resolved = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
    resolved.protocol = resolved.protocol.replace('http', 'ws');
    this.url = resolved.href;
    const ignore = (): void => {};
    const events = {
      ready: ignore,
      free: ignore,
      crashed: (_: unknown, error: () => Error) => this.#fail(new WorkerCrashError(LOST, { cause: error() }), false),
    };
    addFiles(FILES);
    let worker!: Worker;
    this.#handle = new WorkerHandle(() => (worker = create()), events, false);
    this.#worker = worker;
    const { port1, port2 } = new MessageChannel();
    const request: ServeRequest = { kind: 'serve', name: 'socket-worker', url: new URL('./socket-worker.js', import.meta.url).href, port: port2 };
    worker.postMessage(request, [port2]);
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<FromSocket | NotServed>) => this.#receive(data);
    this.#say({ kind: 'open', url: this.url, protocols: [protocols].flat() });
  }

  /** 0 while it connects, 1 while it is open, 2 while it closes, then 3. */
  get readyState(): number {
    return this.#readyState;
  }

  /** Subprotocol that the server has chosen; empty before the socket is open, or if none was chosen. */
  get protocol(): string {
    return this.#protocol;
  }

  /** Extensions that the server has chosen; empty before the socket is open. */
  get extensions(): string {
    return this.#extensions;
  }

  /** Bytes, or characters, that were sent and have not left yet. */
  get bufferedAmount(): number {
    return this.#sent - this.#given + this.#buffered;
  }

  /** Sends text or bytes, which are copied. Throws an `InvalidStateError` before the socket is open. */
  send(data: SentData): void {
    if (this.#readyState === 0) throw new DOMException('the socket is not open yet', 'InvalidStateError');
    // A socket takes no shared memory.
    const sent = bytesIn(data) ?? (data as string | Blob);
    const size = typeof sent === 'string' ? sent.length : 'size' in sent ? sent.size : sent.length;
    this.#sent += size;
    if (this.#readyState === 1) this.#say({ kind: 'send', data: sent, size });
  }

  /**
   * Closes the connection, and ends the worker after that. A loop still gets the messages that were received. Throws for a code or
   * reason that a `WebSocket` does not take.
   */
  close(code?: number, reason?: string): void {
    if (code !== undefined && code !== 1000 && !(code >= 3000 && code <= 4999)) {
      throw new DOMException(`invalid code ${code}; expected 1000, or 3000 to 4999`, 'InvalidAccessError');
    }
    if (reason !== undefined && new TextEncoder().encode(reason).length > 123) throw new DOMException('the reason exceeds 123 bytes', 'SyntaxError');
    this.#isDone = true;
    this.#stopIfDone();
    if (this.#readyState >= 2) return;
    this.#readyState = 2;
    this.#say({ kind: 'close', code, reason });
  }

  /** @internal Begins a loop of `decoder.messages`, which alone takes messages until it ends. */
  takeMessages({ key, policy, limit, limitBytes, batch, counts }: RemoteLoop): SocketInbox {
    if (this.#loop) throw new TypeError('the messages of this WorkerSocket are taken by another loop');
    const { port1, port2 } = new MessageChannel();
    const isAll = batch || policy === 'queue';
    const taking = { most: isAll ? Infinity : 1, mostBytes: batch ? Infinity : AHEAD_BYTES, everyMs: batch ? this.#batchMs : 0, counts };
    const inbox: SocketInbox = new SocketInbox(port1, taking, (isEnd) => {
      this.#loop = undefined;
      this.#say({ kind: 'leave' });
      this.#isDone ||= isEnd;
      this.#stopIfDone();
    });
    if (this.#isOver) inbox.lose(this.#failure);
    else {
      this.#loop = inbox;
      const setting: LoopSetting = { policy, key: key && { ...key, url: keyFile(key.format, this.#worker) }, limit, limitBytes };
      this.#say({ kind: 'begin', setting, port: port2 }, [port2]);
    }
    return inbox;
  }

  #receive(message: FromSocket | NotServed): void {
    switch (message.kind) {
      case 'opened':
        this.#protocol = message.protocol;
        this.#extensions = message.extensions;
        if (this.#readyState === 0) this.#readyState = 1;
        this.dispatchEvent(new Event('open'));
        break;
      case 'sent':
        this.#given = message.given;
        this.#buffered = message.buffered;
        break;
      case 'closed':
        this.#close(message);
        break;
      case 'refused':
        this.#fail(reviveError({ ...message.error, reason: `the socket could not be created: ${message.error.reason}` }));
        break;
      default:
        this.#fail(new WorkerCrashError('the code of sockets could not be loaded in the worker'));
    }
  }

  #close(how: { code: number; reason: string; wasClean: boolean }): void {
    this.#readyState = 3;
    if (!how.wasClean) this.dispatchEvent(new Event('error'));
    this.dispatchEvent(new CloseEvent('close', how));
    this.#stopIfDone();
  }

  /** Ends the connection because the worker failed, or the socket could not be created. */
  #fail(error: Error, isAlive = true): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#stop(isAlive);
    this.#loop?.lose(error);
    if (this.#readyState < 3) this.#close({ code: 1006, reason: '', wasClean: false });
  }

  #stopIfDone(): void {
    if (this.#readyState === 3 && this.#isDone && !this.#loop) this.#stop();
  }

  #stop(isAlive = true): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (isAlive) this.#handle.terminate();
    this.#port.close();
  }

  #say(message: ToSocket, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

/** URL of the code that reads keys of a format in the worker. */
function keyFile(format: FormatId, worker: Worker): string | undefined {
  return format === 'messagepack' ? new URL('./formats/messagepack.js', import.meta.url).href : codeFile(format, worker);
}
