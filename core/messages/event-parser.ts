import { LimitError } from '../errors.ts';

/** One event of an event stream. */
export interface StreamEvent<Data = string> {
  /** The event's type; `message` if the stream names none. */
  type: string;
  data: Data;
  /** The last id that the stream has given, for the header `Last-Event-ID` of a request that resumes; '' before the first. */
  lastEventId: string;
  /** The last reconnection time that the stream has given, in milliseconds. */
  retry: number | undefined;
}

/** A line's end, or a carriage return of which the line feed may be in the next chunk. */
const LINE_END = /\r\n?|\n/g;

/**
 * Parses an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream) from chunks
 * that are cut anywhere. An event that is not ended by an empty line is dropped, as the standard says.
 */
export class EventParser {
  readonly #decoder = new TextDecoder();
  readonly #longest: number;
  #started = false;
  /** Pieces of the line that is not complete. */
  #line = '';
  /** True if the last chunk ended with a carriage return: a line feed that begins the next one belongs to it. */
  #returned = false;
  #type = '';
  #data: string[] = [];
  #length = 0;
  #id = '';
  #retry: number | undefined;

  /** `longest` is the limit of an event's data, in characters. */
  constructor(longest: number) {
    if (!(longest >= 0)) throw new TypeError(`invalid option stringLength: ${longest}`);
    this.#longest = longest;
  }

  /** The events that a chunk ends. Throws a LimitError after those before it. */
  *read(chunk: string | Uint8Array): Generator<StreamEvent, void> {
    let text = typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true });
    if (text === '') return;
    // The decoder leaves out that of bytes.
    if (!this.#started && typeof chunk === 'string' && text.startsWith('\ufeff')) text = text.slice(1);
    this.#started = true;
    let from = this.#returned && text.startsWith('\n') ? 1 : 0;
    this.#returned = text.endsWith('\r');
    for (;;) {
      LINE_END.lastIndex = from;
      const end = LINE_END.exec(text);
      if (!end) break;
      const line = this.#line + text.slice(from, end.index);
      this.#line = '';
      from = LINE_END.lastIndex;
      const event = this.#take(line);
      if (event) yield event;
    }
    this.#line += text.slice(from);
    this.#check(this.#line.length);
  }

  /** Takes a line. Returns the event that it ends. */
  #take(line: string): StreamEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.#data.push(value);
      this.#length += value.length + 1;
      this.#check(this.#length);
    } else if (field === 'event') this.#type = value;
    else if (field === 'id') {
      if (!value.includes('\0')) this.#id = value;
    } else if (field === 'retry' && /^\d+$/.test(value)) this.#retry = Number(value);
    return undefined;
  }

  #dispatch(): StreamEvent | undefined {
    const type = this.#type || 'message';
    const data = this.#data;
    this.#type = '';
    this.#data = [];
    this.#length = 0;
    return data.length > 0 ? { type, data: data.join('\n'), lastEventId: this.#id, retry: this.#retry } : undefined;
  }

  #check(length: number): void {
    if (length > this.#longest) throw new LimitError('stringLength', `stringLength limit exceeded: an event of over ${this.#longest} characters`);
  }
}
