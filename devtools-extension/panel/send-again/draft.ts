import { batch, signal } from '@preact/signals';
import type { Body, Exchange, Header, PageRequest } from '../../adapter/adapter.ts';
import type { EditableBody, EditProblem, ReadRequest } from '../../reading/protocol.ts';
import { hasSentCookies, settableHeaders } from '../copy/copy-fetch.ts';
import { hexOf } from '../copy/copy.ts';

/** What is sent: nothing, the bytes as they were, the value, the bytes as text, or as hexadecimal. */
export type BodyForm = 'none' | 'same' | 'value' | 'text' | 'hex';

/** Bytes that can be edited as text or hexadecimal. */
const MOST_TEXT = 1_000_000;
const MOST_HEX = 64 * 1024;

/** Where a draft is on its way. */
export type DraftState =
  | { step: 'editing' | 'writing' }
  | { step: 'confirming'; request: PageRequest; lost: readonly string[] }
  | { step: 'sent'; /** The exchange that is the answer, once there is one. */ answer: number | undefined };

/** What is wrong with a draft, and with which field of it. */
export interface DraftProblem extends EditProblem {
  field: 'url' | 'headers' | 'body' | 'request';
}

/** A request that is edited, to be sent again. */
export class Draft {
  readonly exchange: Exchange;
  readonly method;
  readonly url;
  /** A line each, `name: value`. */
  readonly headers;
  readonly form = signal<BodyForm>('none');
  /** The body as it was sent; undefined where there was none, or until it is there. */
  readonly sent = signal<Body | undefined>(undefined);
  /** The body's value; undefined until it was read. */
  readonly editable = signal<EditableBody | undefined>(undefined);
  readonly valueText = signal('');
  readonly plainText = signal('');
  readonly hexText = signal('');
  readonly state = signal<DraftState>({ step: 'editing' });
  readonly problem = signal<DraftProblem | undefined>(undefined);
  /** What the worker reads the body with. */
  reading: ReadRequest | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.method = signal(exchange.method);
    this.url = signal(exchange.url);
    this.headers = signal(headerLines(settableHeaders(exchange.requestHeaders)));
  }

  /** Makes the request what it was. */
  reset(): void {
    const { exchange } = this;
    batch(() => {
      this.method.value = exchange.method;
      this.url.value = exchange.url;
      this.headers.value = headerLines(settableHeaders(exchange.requestHeaders));
      this.problem.value = undefined;
      this.state.value = { step: 'editing' };
      const editable = this.editable.value;
      if (this.sent.value) this.take(this.sent.value);
      if (editable) this.takeValue(editable);
    });
  }

  /** The names of headers that were sent and that the browser sets itself. */
  get ownHeaders(): string[] {
    const settable = new Set(settableHeaders(this.exchange.requestHeaders));
    return this.exchange.requestHeaders.filter((header) => !settable.has(header)).map(({ name }) => name.toLowerCase());
  }

  /** Takes in the body that was sent. */
  take(body: Body): void {
    this.sent.value = body;
    if ('missing' in body) return;
    this.form.value = 'same';
    if (body.bytes.length <= MOST_TEXT) this.plainText.value = utf8Of(body.bytes) ?? '';
    if (body.bytes.length <= MOST_HEX) this.hexText.value = hexOf(body.bytes, ' ');
  }

  /** Takes in the value of what was sent, which is what is edited unless somebody has chosen another form. */
  takeValue(editable: EditableBody): void {
    this.editable.value = editable;
    if ('reason' in editable) return;
    this.valueText.value = editable.text;
    if (this.form.value === 'same') this.form.value = 'value';
  }

  /** The forms in which a body can be sent, and why not in each of the others. */
  get forms(): Readonly<Record<BodyForm, true | string>> {
    const isBodiless = /^(?:GET|HEAD)$/.test(this.method.value);
    const none = `A page cannot send a body with ${this.method.value}.`;
    const sent = this.sent.value;
    const bytes = sent && 'bytes' in sent ? sent.bytes : undefined;
    const editable = this.editable.value;
    const of = (reason: string | undefined): true | string => (isBodiless ? none : (reason ?? true));
    return {
      none: true,
      same: of(bytes ? undefined : 'No body was sent.'),
      value: of(!bytes ? 'No body was sent.' : !editable ? 'The body is being read.' : 'reason' in editable ? editable.reason : undefined),
      text: of(bytes && (bytes.length > MOST_TEXT || utf8Of(bytes) === undefined) ? 'The body is no text, or too long.' : undefined),
      hex: of(bytes && bytes.length > MOST_HEX ? 'The body is too long.' : undefined),
    };
  }

  /** The form that is sent: the chosen one, where it can be. */
  get sentForm(): BodyForm {
    const chosen = this.form.value;
    return this.forms[chosen] === true ? chosen : 'none';
  }

  /** The text that is edited in a form. */
  textOf(form: BodyForm): typeof this.valueText | undefined {
    return { value: this.valueText, text: this.plainText, hex: this.hexText, none: undefined, same: undefined }[form];
  }

  /** The request without its body. Throws a `DraftProblem`. */
  requestHead(): Omit<PageRequest, 'body' | 'origin'> {
    return {
      method: this.method.value,
      url: checkedUrl(this.url.value.trim()),
      headers: parsedHeaders(this.headers.value),
      credentials: hasSentCookies(this.exchange) ? 'include' : 'same-origin',
    };
  }
}

function headerLines(headers: readonly Header[]): string {
  return headers.map(({ name, value }) => `${name}: ${value}`).join('\n');
}

/** A problem as an error, so that it can be thrown. */
export class DraftError extends Error {
  readonly problem: DraftProblem;

  constructor(problem: DraftProblem) {
    super(problem.reason);
    this.problem = problem;
  }
}

function checkedUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new DraftError({ field: 'url', reason: 'This is no whole address.' });
  }
  if (!/^https?:$/.test(url.protocol)) throw new DraftError({ field: 'url', reason: 'Only http: and https: can be sent to.' });
  return url.href;
}

/** The headers that lines name. Throws where a line is none, or names one that the browser sets. */
export function parsedHeaders(text: string): Header[] {
  const headers: Header[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    const end = from + line.length;
    const found = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line);
    if (!found && line.trim() !== '') throw new DraftError({ field: 'headers', reason: 'A line is a name, a colon and a value.', from, end });
    if (found) {
      const header = { name: found[1]!, value: found[2]!.trim() };
      if (settableHeaders([header]).length === 0)
        throw new DraftError({ field: 'headers', reason: `The browser sets ${header.name} itself.`, from, end });
      headers.push(header);
    }
    from = end + 1;
  }
  return headers;
}

/** The bytes of hexadecimal digits, with white space anywhere between two of them. Throws where they are none. */
export function parsedHex(text: string): Uint8Array {
  const wrong = /[^\s\da-f]/i.exec(text);
  if (wrong) throw new DraftError({ field: 'body', reason: 'This is no hexadecimal digit.', from: wrong.index, end: wrong.index + 1 });
  const digits = text.replaceAll(/\s/g, '');
  if (digits.length % 2 !== 0)
    throw new DraftError({ field: 'body', reason: 'The last byte has one digit.', from: text.trimEnd().length - 1, end: text.length });
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
