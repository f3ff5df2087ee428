import { bytesIn } from '../../core/bytes/bytes-in.ts';
import { encodeJson } from '../../core/bytes/text/json-text.ts';
import { KEPT } from '../../core/kept-records.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { CORE } from '../call/decoder-state.ts';
import { newReport } from '../call/observe.ts';
import type { DecodeOptions, DecodeSettings, FormatChoice } from '../call/options/options.ts';
import { prepare, type Prepared } from '../call/prepare.ts';
import { checkCall } from '../call/options/check.ts';
import { decodeAtOnce, LATER } from '../run/at-once.ts';
import { nextTask } from '../../core/platform/platform.ts';
import { SLICE_MS } from '../../core/slicing/tuning.ts';
import { type Caller, leftLoop, VALUE_OPTIONS } from './caller.ts';
import { nextFrame } from './frames.ts';
import { Inbox, type MessageCounts, type MessagePolicy } from '../../core/messages/inbox.ts';
import { listen, type MessageSource, refuse } from '../../core/messages/listen.ts';
import { prepareKey } from './message-key.ts';
import type { MessageInbox, RemoteSource } from './remote.ts';

/** A message as it came: text, bytes, or another value that its channel has copied. */
export type MessageData = string | ArrayBuffer | ArrayBufferView | Blob | object;

/** Options of `Decoder.messages`: the format, and how messages are read. */
export type MessageOptions<F extends FormatId = FormatId, T = unknown> = MessageSettings & FormatChoice<F, T>;

/** Options of `Decoder.messages`, whatever the format. */
export interface MessageSettings extends Pick<DecodeSettings, 'as' | 'limits' | 'reviveTag' | 'invalidText' | 'signal' | 'label'> {
  /**
   * Messages that arrive while earlier ones are decoded or used:
   *
   * - `queue` keeps all of them. More than `limit` end the loop with a `LimitError`; a stream or an iterable is read no further.
   * - `drop` leaves out the oldest that wait once `limit` of them do.
   * - `latest` keeps the latest of each `key`. Those it replaces are decoded at most to read the key.
   *
   * Default `queue`.
   */
  policy?: MessagePolicy | undefined;
  /**
   * The key of a message for `policy: 'latest'`. Default: one key for all of them.
   *
   * - A path in the value, as keys joined by dots or in an array. The format is `format`, that of `schema`, or JSON.
   * - A function, which gets the message before it is decoded. Not for a `WorkerSocket`, whose worker cannot run functions of the
   *   page.
   *
   * A path needs each message decoded, which a function may avoid.
   *
   * @example
   * decoder.messages<Tick>(socket, { policy: 'latest', key: 'symbol' });
   * decoder.messages<Tick>(socket, { policy: 'latest', key: (data) => new DataView(data as ArrayBuffer).getUint32(1) });
   */
  key?: string | readonly string[] | ((data: MessageData) => unknown) | undefined;
  /** The most messages that wait. Default 10,000. */
  limit?: number | undefined;
  /** The most bytes, or characters, of messages that wait. Default 64 MiB. */
  limitBytes?: number | undefined;
  /**
   * Keeps the record structures that a message defines for those after it, as msgpackr and cbor-x write them with `sequential: true`
   * and Unspool with `keepRecords`. All messages are then decoded on this thread. Only with the policy `queue`: a message that is
   * left out may have defined structures. Default false: a record of CBOR that its message does not define is an error.
   */
  keepRecords?: boolean | undefined;
  /** Gives the values in arrays, one at most for each frame (a `WorkerSocket`: in its `batchMs`, by default 16), instead of one by one. Default false. */
  batch?: boolean | undefined;
  /**
   * Called for a message that is not a valid value, which is left out and counted in `counts.dropped`; `skip` does so without a
   * call. Default: its error ends the loop.
   */
  onError?: 'skip' | ((error: unknown, data: MessageData) => void) | undefined;
  /** An object that is kept up to date with the numbers of messages; for a `WorkerSocket`, each time that messages come from the worker. */
  counts?: Partial<MessageCounts> | undefined;
}

const NAMES = [...VALUE_OPTIONS, 'as', 'policy', 'key', 'limit', 'limitBytes', 'batch', 'onError', 'counts', 'keepRecords'];
const POLICIES: readonly MessagePolicy[] = ['queue', 'drop', 'latest'];
const encoder = new TextEncoder();
const utf8 = new TextDecoder();

/**
 * The values of messages, in order. `early` are the events of the source so far; `forget` ends their collection. See
 * `Decoder.messages`.
 */
export async function* messages(
  decoder: Caller,
  source: MessageSource,
  options: MessageOptions = {},
  early: readonly Event[] = [],
  forget: () => void = () => {},
): AsyncGenerator<unknown, void> {
  const { policy = 'queue', key, limit = 10_000, limitBytes = 2 ** 26, batch = false, onError, signal, keepRecords } = options;
  const operation = decoder.operation(newReport(options), signal);
  operation.promise.catch(() => {});
  const counts = Object.assign(options.counts ?? {}, { received: 0, dropped: 0, waiting: 0 });
  operation.measure(() => ({ rows: counts.received - counts.dropped - counts.waiting }));
  let stop = (): void => refuse(source);
  try {
    operation.check();
    checkCall(options, NAMES);
    if (!POLICIES.includes(policy)) throw new TypeError(`invalid option policy: ${String(policy)}; expected one of ${POLICIES.join(', ')}`);
    for (const [name, most] of Object.entries({ limit, limitBytes })) {
      // The rest of Infinity is NaN.
      if (!(most >= 1) || most % 1 > 0) throw new TypeError(`invalid option ${name}: ${most}; expected a whole number from 1`);
    }
    if (typeof onError === 'string' && onError !== 'skip')
      throw new TypeError(`invalid option onError: ${String(onError)}; expected skip or a function`);
    if (keepRecords && policy !== 'queue')
      throw new TypeError(`invalid option keepRecords: messages that the policy ${policy} leaves out may define records`);
    const remote = source as Partial<RemoteSource>;
    let inbox: MessageInbox;
    let own: Inbox | undefined;
    if (remote.takeMessages) {
      if (typeof key === 'function') throw new TypeError('invalid option key: a function cannot run in the worker of a WorkerSocket; pass a path');
      const prepared = key === undefined ? undefined : (await prepareKey(decoder[CORE], operation, options, key)).setting;
      const { plainCopy } = await import('../pool/pool.ts');
      inbox = remote.takeMessages({ policy, key: plainCopy(prepared), limit, limitBytes, batch, counts });
    } else {
      const isRead = key !== undefined && typeof key !== 'function';
      const read = (isRead ? (await prepareKey(decoder[CORE], operation, options, key)).read : key) as ((data: unknown) => unknown) | undefined;
      own = new Inbox({ policy, key: read, limit, limitBytes, counts });
      stop = listen(source, own, early);
      inbox = own;
    }
    operation.signal.addEventListener('abort', () => inbox.close(operation.signal.reason));
    forget();
    const decode = messageDecoder(decoder, options);
    let since = performance.now();
    while (await inbox.some()) {
      const values: unknown[] = [];
      /** Error of a message, thrown once the messages before it are given. */
      let failure: { readonly error: unknown } | undefined;
      if (batch) since = performance.now();
      for (let left = batch ? inbox.size : 1; left > 0 && !failure; left -= 1) {
        const taken = inbox.take();
        if (!taken) break;
        try {
          try {
            values.push(await decode(...taken));
          } catch (error) {
            operation.check();
            if (!onError) throw error;
            counts.dropped += 1;
            if (onError !== 'skip') onError(error, (taken[1] ? utf8.decode(taken[0] as Uint8Array) : taken[0]) as MessageData);
          }
        } catch (error) {
          failure = { error };
        }
        if (performance.now() - since >= SLICE_MS) {
          await nextTask();
          since = performance.now();
        }
        operation.check();
      }
      if (values.length > 0) yield batch ? values : values[0];
      operation.check();
      if (failure) throw failure.error;
      // A worker waits itself between two batches.
      if (batch && own) await nextFrame((go) => own?.whenUrgent(go));
    }
    operation.resolve(undefined);
  } catch (error) {
    operation.reject(error);
    throw error;
  } finally {
    stop();
    forget();
    operation.leave(leftLoop());
  }
}

/** Returns a function that decodes one message: in the present task if it is small, otherwise as `decode` does. */
function messageDecoder(decoder: Caller, given: MessageOptions): (data: unknown, isText?: boolean) => unknown {
  const core = decoder[CORE];
  const { format, schema, as, limits, reviveTag, invalidText, keepRecords } = given;
  const options = { ...given.options, [KEPT]: keepRecords ? new Map() : undefined };
  const forBytes = { format, options, schema, as, limits, reviveTag, invalidText, route: keepRecords ? 'page' : undefined } as DecodeOptions;
  const forText = schema === undefined && format === undefined ? ({ ...forBytes, format: 'json' } as DecodeOptions) : forBytes;
  const isJson = forText.format === 'json';
  const isPlain = as === undefined || as === 'objects';
  /** With a format or a schema, all messages are prepared alike. */
  let prepared: Prepared | undefined;
  const decodeBytes = (bytes: Uint8Array<ArrayBuffer>, setting: DecodeOptions): unknown => {
    if (isPlain && bytes.length < core.syncBelow && (setting.format ?? schema) !== undefined) {
      prepared ??= prepare(core, bytes, setting, bytes);
      const value = decodeAtOnce(prepared, bytes);
      if (value !== LATER) return value;
    }
    return decoder.decode(bytes, setting);
  };
  return (data, isText) => {
    if (isText) return decodeBytes(data as Uint8Array<ArrayBuffer>, forText);
    if (typeof data === 'string') return decodeBytes(isJson ? encodeJson(data) : encoder.encode(data), forText);
    const bytes = bytesIn(data);
    if (bytes) return decodeBytes(bytes, forBytes);
    return typeof (data as Blob | null)?.arrayBuffer === 'function' ? decoder.decode(data as Blob, forBytes) : data;
  };
}
