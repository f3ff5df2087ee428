import { PART_BATCH, VERSION } from '../../../core/block/block.ts';
import { DecodeError, LimitError, NetworkError, SchemaError, WorkerCrashError } from '../../../core/errors.ts';
import type { SessionSetting } from '../../../core/format/decode-session.ts';
import type { DecodeJob } from '../../../worker/protocol.ts';
import { reviveError } from '../../pool/revive-error.ts';
import { type BridgeRequest, CANCEL, END, type FromPage, PING, READY, type ShareMessage, type ToPool, WANT } from './protocol.ts';
import type { Decode, Consumer } from '../responses/consumer.ts';
import { ReplayBody } from '../responses/replay.ts';

/**
 * Milliseconds that a page has to answer if it shares its pool, or if that is unknown, as for all pages after the
 * service worker restarts.
 */
const ANSWER_MS = 2_000;
const PROBE_MS = 100;
/**
 * Milliseconds before a page that did not answer is asked again, and between two checks whether a decoding page still
 * exists.
 */
const SILENT_MS = 30_000;
const WATCH_MS = 1_000;
/** Default number of items in a batch, about as many as a page builds in a few milliseconds. */
const BATCH_ITEMS = 4_096;

interface Client {
  readonly id: string;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

/** The used part of a service worker's scope. */
interface Scope extends EventTarget {
  readonly clients: { get(id: string): Promise<Client | undefined> };
}

/** Body to decode, and the page that requests it. */
export interface BridgeInput {
  body: ReadableStream<Uint8Array>;
  setting: SessionSetting;
  /** Form of the pieces. */
  form: Pick<DecodeJob, 'batches' | 'text'>;
  /** Unique name of the schema. */
  schemaKey: string | undefined;
  size: number;
  signal: AbortSignal | undefined;
  clientId: string | undefined;
}

/** Lets pages decode large bodies in their pools, since a service worker cannot start workers. */
export class Bridge {
  readonly #scope = globalThis as unknown as Scope;
  /** Pages that share their pools, and pages that did not answer, with the time. */
  readonly #sharing = new Set<string>();
  readonly #silent = new Map<string, number>();

  constructor() {
    this.#scope.addEventListener?.('message', (event) => {
      const { data, source } = event as MessageEvent<ShareMessage | undefined>;
      if (data?.unspool !== 'share') return;
      const { id } = source as unknown as Client;
      this.#sharing.add(id);
      this.#silent.delete(id);
    });
  }

  /**
   * Asks the requesting page to decode. Resolves to a port to it; undefined if the page does not share its pool, or is
   * busy.
   */
  async connect({ clientId, setting, form, schemaKey, size }: BridgeInput): Promise<BridgePort | undefined> {
    const silent = this.#silent.get(clientId ?? '') ?? -Infinity;
    if (!clientId || performance.now() - silent < SILENT_MS) return undefined;
    const client = await this.#scope.clients?.get(clientId);
    if (!client) return undefined;
    const { port1, port2 } = new MessageChannel();
    const { id: format, options, limits, schema: compiled } = setting;
    const schema = schemaKey === undefined ? undefined : { key: schemaKey, compiled };
    const job = { format, options, limits, ...form };
    const request: BridgeRequest = { unspool: 'decode', version: VERSION, port: port2, job, schema, size };
    const port = new BridgePort(port1, async () => (await this.#scope.clients.get(clientId)) !== undefined);
    client.postMessage(request, [port2]);
    if (await port.answered(this.#sharing.has(clientId) ? ANSWER_MS : PROBE_MS)) return port;
    this.#sharing.delete(clientId);
    this.#silent.set(clientId, performance.now());
    port.close();
    return undefined;
  }
}

/** One decode by a page. */
export class BridgePort {
  readonly #port: MessagePort;
  readonly #pageExists: () => Promise<boolean>;
  #listener: ((message: FromPage) => void) | undefined;

  constructor(port: MessagePort, pageExists: () => Promise<boolean>) {
    this.#port = port;
    this.#pageExists = pageExists;
    port.onmessage = ({ data }: MessageEvent<FromPage>) => this.#listener?.(data);
  }

  /** Resolves to true if the page accepts within `patience` milliseconds. */
  answered(patience: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patience);
      this.#listener = (message) => {
        if (message !== READY) return;
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /**
   * Sends a body to the page chunk by chunk on request, and emits the pieces. Rejects with a WorkerCrashError if the
   * page is closed.
   */
  async decode({ body, form, signal }: BridgeInput, take: Consumer['take']): Promise<void> {
    const reader = body.getReader();
    const emit = async (piece: ArrayBuffer): Promise<void> => {
      await take(piece);
      if (form.batches && isBatch(piece)) this.#post({ items: form.batches.items ?? BATCH_ITEMS });
    };
    let received = 0;
    let taking = Promise.resolve();
    let done: (() => void) | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const stop = (): void => reject(signal!.reason as Error);
        signal?.addEventListener('abort', stop);
        const watch = setInterval(() => {
          this.#post(PING);
          this.#pageExists().then((exists) => {
            if (!exists) reject(new WorkerCrashError('the decoding page was closed'));
          }, reject);
        }, WATCH_MS);
        done = () => {
          signal?.removeEventListener('abort', stop);
          clearInterval(watch);
        };
        const send = async (): Promise<void> => {
          await taking;
          const { value } = await reader.read();
          received += value?.length ?? 0;
          this.#send(value);
        };
        const fail = (error: unknown): void => {
          const { message } = (error ?? {}) as Partial<Error>;
          reject(new NetworkError(`the payload could not be read to its end: ${message}`, received, { cause: error }));
        };
        this.#listener = (message) => {
          if (message === WANT) send().catch(fail);
          else if (message instanceof ArrayBuffer) {
            taking = taking.then(() => emit(message));
            taking.catch(reject);
          } else if (typeof message === 'object') {
            // Pieces received before an error are valid.
            taking.then(() => (message.error ? reject(reviveError(message.error)) : resolve()), reject);
          }
        };
      });
    } catch (error) {
      reader.cancel(error).catch(() => {});
      this.#post(CANCEL);
      throw error;
    } finally {
      done?.();
      this.close();
    }
  }

  close(): void {
    this.#port.close();
  }

  #send(chunk: Uint8Array | undefined): void {
    if (!chunk) {
      this.#post(END);
      return;
    }
    // A view of a part of a buffer cannot be transferred on its own.
    const ownsBuffer = chunk.byteLength === chunk.buffer.byteLength;
    const own = (ownsBuffer ? chunk : chunk.slice()) as Uint8Array<ArrayBuffer>;
    this.#post(own, [own.buffer]);
  }

  #post(message: ToPool, transfers: Transferable[] = []): void {
    this.#port.postMessage(message, transfers);
  }
}

/**
 * Decodes in a page's pool. Falls back to this thread if the page is closed or cannot decode before anything was
 * emitted; until then, the bytes are kept.
 */
export function decodeInPage(port: BridgePort, input: BridgeInput, onThisThread: (body: ReadableStream<Uint8Array>) => Decode): Decode {
  return async (consumer) => {
    const body = new ReplayBody(input.body);
    const take = (piece: ArrayBuffer): Promise<void> | undefined => {
      const taken = consumer.take(piece);
      if (consumer.begun) body.forget();
      return taken;
    };
    try {
      await port.decode({ ...input, body: body.open() }, take);
    } catch (error) {
      if (consumer.begun || isPayloadError(error) || input.signal?.aborted) {
        body.cancel(error);
        throw error;
      }
      consumer.drop();
      const restarted = body.open();
      body.forget();
      await onThisThread(restarted)(consumer);
    }
  };
}

function isBatch(part: ArrayBuffer): boolean {
  const [, , flags] = new Int32Array(part, 0, 3);
  return (flags! & PART_BATCH) !== 0;
}

/** True if an error is about the payload, so that decoding it elsewhere would fail as well. */
function isPayloadError(error: unknown): boolean {
  return (
    error instanceof DecodeError ||
    (error instanceof LimitError && error.limit !== 'queue') ||
    error instanceof SchemaError ||
    error instanceof NetworkError
  );
}
