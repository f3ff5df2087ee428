import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Exchange, Message } from '../../adapter/adapter.ts';
import type { Glance, ReadingClient, SchemaInput } from '../../reading/protocol.ts';
import { connectionRecords } from './connection-records.ts';
import { lacksSchema, type SchemaUse } from '../schemas/schema-use.ts';

/** Size up to which a message is read for its row. */
const MAX_BYTES = 200_000;

/** Dependencies of `MessageGlances`. */
export interface MessageGlancesDependencies {
  client: ReadingClient;
  schemas: SchemaUse;
}

/** Decoded previews of messages, read in the background for the rows that are shown. */
export class MessageGlances {
  readonly #dependencies: MessageGlancesDependencies;
  /** Previews, with the name of the schema and format that they were read with. */
  readonly #known = new WeakMap<Message, { by: string; glance: Signal<Glance | undefined> }>();
  /** Streams for whose schema the page's scripts were searched. */
  readonly #searched = new WeakSet<Exchange>();

  constructor(dependencies: MessageGlancesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Preview of one of the messages of a stream; undefined until it was read, or if it cannot be. Read again once another schema is known. */
  of(message: Message, messages: readonly Message[], exchange: Exchange): ReadonlySignal<Glance | undefined> {
    const { schemas } = this.#dependencies;
    const schema = schemas.of(exchange, message.direction === 'sent' ? 'request' : 'response') ?? connectionRecords(messages, message);
    const by = `${schemas.formatFor(exchange.url) ?? ''} ${schema?.name ?? ''}`;
    const known = this.#known.get(message);
    if (known?.by === by) return known.glance;
    const glance = signal(known?.glance.peek());
    this.#known.set(message, { by, glance });
    void this.#read(message, exchange, schema, glance);
    return glance;
  }

  async #read({ bytes, isText }: Message, exchange: Exchange, schema: SchemaInput | undefined, to: Signal<Glance | undefined>): Promise<void> {
    if (bytes.length === 0 || bytes.length > MAX_BYTES) return;
    const { client, schemas } = this.#dependencies;
    const { url } = exchange;
    const request = { bytes, contentType: '', url, message: isText ? 'text' : 'binary', format: schemas.formatFor(url), schema } as const;
    to.value = await client.call('glance', request, { isBackground: true }).catch(() => undefined);
    if (schema || isText || this.#searched.has(exchange) || !lacksSchema({ format: to.value?.format }, bytes, '')) return;
    this.#searched.add(exchange);
    await schemas.found?.search();
  }
}

/** Filter of a message list. */
export interface MessageFilter {
  direction: 'all' | Message['direction'];
  text: string;
}

/** Messages that a filter keeps, by their index. Text is searched in the bytes as UTF-8, and in the names of events. */
export function filterMessages(messages: readonly Message[], { direction, text }: MessageFilter): number[] {
  const needle = text.trim().toLowerCase();
  const decoder = new TextDecoder();
  const fits = ({ bytes, name = '' }: Message): boolean =>
    name.toLowerCase().includes(needle) || decoder.decode(bytes).toLowerCase().includes(needle);
  return [...messages.keys()].filter((at) => {
    const message = messages[at]!;
    return (direction === 'all' || message.direction === direction) && (needle === '' || fits(message));
  });
}
