import { DecodeError, LimitError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import type { Sink } from '../../reading/sink.ts';
import { JsonReader } from '../json/reader.ts';
import type { ProtobufSchema } from '../protobuf/schema/schema.ts';
import type { ProtoJsonOptions } from './options.ts';
import { MessageSink } from './read/message-sink.ts';

/** Reads JSON, whose events a `MessageSink` turns into those of messages. */
export class ProtoJsonReader extends JsonReader {
  readonly #messages: MessageSink;

  constructor(sink: Sink, options: ProtoJsonOptions, limits: Limits, schema: ProtobufSchema | undefined) {
    const messages = new MessageSink(sink, options, limits, schema);
    super(messages, { bigints: 'bigint', sequence: options.sequence }, limits);
    this.#messages = messages;
  }

  /** The text of a cut string is shown only where it is the value: a timestamp, bytes or an enum are not text. */
  override cutTextStart(token: Uint8Array): number {
    const start = super.cutTextStart(token);
    return start > 0 && token.length > start && this.#messages.opensText() ? start : 0;
  }

  protected override read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    try {
      return super.read(bytes, view, from, to, last);
    } catch (error) {
      this.#messages.settle();
      throw error;
    }
  }

  protected override fail(code: DecodeError['code'], reason: string, position: number): never {
    throw new DecodeError(code, reason, { offset: this.base + position, path: this.#messages.path() });
  }

  protected override exceed(limit: LimitError['limit'], position: number): never {
    const place = { offset: this.base + position, path: this.#messages.path() };
    throw new LimitError(limit, `${limit} limit exceeded (${this.limits[limit as keyof Limits]})`, place);
  }
}
