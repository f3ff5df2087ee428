import { DecodeError } from '../../core/errors.ts';
import { encodeJson } from '../../core/bytes/text/json-text.ts';
import type { Limits } from '../../core/limits.ts';
import { CORE } from '../call/decoder-state.ts';
import { newReport } from '../call/observe.ts';
import { checkCall } from '../call/options/check.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import { type Caller, leftLoop } from './caller.ts';
import { type ChunkOptions, type ChunkSource, chunksOf } from './chunks.ts';
import { EventParser, type StreamEvent } from '../../core/messages/event-parser.ts';

const NAMES = ['data', 'end', 'limits', 'signal', 'label', 'stallTimeout'];

/** Options of `Decoder.events`. */
export interface EventOptions extends ChunkOptions, Pick<DecodeOptions, 'signal' | 'label'> {
  /** The data of events: decoded as JSON, without the events that have none, or as text. Default `json`. */
  data?: 'json' | 'text' | undefined;
  /** Data of an event that ends the loop and is not decoded, such as `[DONE]`. Default: none. */
  end?: string | undefined;
  /** Limits that replace the decoder's. `stringLength` is the most characters of an event's data. */
  limits?: Partial<Limits> | undefined;
}

/** The events of a stream. See `Decoder.events`. */
export async function* events(decoder: Caller, source: ChunkSource, options: EventOptions = {}): AsyncGenerator<StreamEvent<unknown>, void> {
  const { data = 'json', end, signal, limits } = options;
  const operation = decoder.operation(newReport(options), signal);
  operation.promise.catch(() => {});
  let rows = 0;
  operation.measure(() => ({ rows }));
  try {
    operation.opens(source);
    // An error from here on cancels the source.
    const chunks = chunksOf(source, options, operation.signal);
    operation.check();
    checkCall(options, NAMES);
    if (data !== 'json' && data !== 'text') throw new TypeError(`invalid option data: ${String(data)}; expected one of json, text`);
    const type = (source as Partial<Response>).headers?.get('content-type');
    if (type && !/^text\/event-stream\b/i.test(type)) {
      if (!(source as Response).ok) operation.head = (await chunks.next()).value as Uint8Array | undefined;
      throw new DecodeError('unknown-format', `the response is not an event stream: its type is ${type}`);
    }
    const parser = new EventParser(limits?.stringLength ?? decoder[CORE].limits.stringLength);
    for await (const chunk of chunks) {
      for (const event of parser.read(chunk)) {
        if (event.data === end) return;
        // An event without data keeps a connection alive, or has an id alone.
        if (data === 'json' && event.data === '') continue;
        rows += 1;
        yield data === 'text' ? event : { ...event, data: await decoder.decode(encodeJson(event.data), { format: 'json', limits }) };
        operation.check();
      }
    }
    operation.check();
  } catch (error) {
    operation.reject(error);
    throw error;
  } finally {
    operation.leave(leftLoop());
  }
}
