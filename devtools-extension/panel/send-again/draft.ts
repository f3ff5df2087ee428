import { batch, signal } from '@preact/signals';
import type { Body, Exchange, Header, PageRequest } from '../../adapter/adapter.ts';
import type { EditableBody, EditProblem, ReadRequest } from '../../reading/protocol.ts';
import { hasSentCookies, settableHeaders } from './settable-headers.ts';
import { hexOf, utf8Of } from '../../adapter/bytes.ts';

/** Body to send: none, the original bytes, the edited value, or edited text or hexadecimal. */
export type BodyForm = 'none' | 'same' | 'value' | 'text' | 'hex';

/** Size limits for editing as text and as hexadecimal. */
const MAX_TEXT = 1_000_000;
const MAX_HEX = 64 * 1024;

/** Progress of a draft. */
export type DraftState =
  | { step: 'editing' | 'writing' }
  | { step: 'confirming'; request: PageRequest; lost: readonly string[] }
  | { step: 'sent'; /** Exchange with the response; undefined until it arrives. */ answer: number | undefined };

/** A problem and the field that it concerns. */
export interface DraftProblem extends EditProblem {
  field: 'url' | 'headers' | 'body' | 'request';
}

/** A request being edited. */
export class Draft {
  readonly exchange: Exchange;
  readonly method;
  readonly url;
  /** One header per line: `name: value`. */
  readonly headers;
  readonly form = signal<BodyForm>('none');
  /** Original body; undefined without one, or until it is loaded. */
  readonly sent = signal<Body | undefined>(undefined);
  /** Value of the body; undefined until it was decoded. */
  readonly editable = signal<EditableBody | undefined>(undefined);
  readonly valueText = signal('');
  readonly plainText = signal('');
  readonly hexText = signal('');
  readonly state = signal<DraftState>({ step: 'editing' });
  readonly problem = signal<DraftProblem | undefined>(undefined);
  /** How the worker decodes the body. */
  reading: ReadRequest | undefined;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
    this.method = signal(exchange.method);
    this.url = signal(exchange.url);
    this.headers = signal(headerLines(settableHeaders(exchange.requestHeaders)));
  }

  /** Discards all edits. */
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
      if (editable && 'text' in editable) this.valueText.value = editable.text;
      if (editable) this.takeValue(editable);
    });
  }

  /** Names of the original headers that only the browser can set. */
  get ownHeaders(): string[] {
    const settable = new Set(settableHeaders(this.exchange.requestHeaders));
    return this.exchange.requestHeaders.filter((header) => !settable.has(header)).map(({ name }) => name.toLowerCase());
  }

  /** Stores the original body. */
  take(body: Body): void {
    this.sent.value = body;
    if ('missing' in body) return;
    this.form.value = 'same';
    if (body.bytes.length <= MAX_TEXT) this.plainText.value = utf8Of(body.bytes) ?? '';
    if (body.bytes.length <= MAX_HEX) this.hexText.value = hexOf(body.bytes);
  }

  /** Stores the value of the original body, and edits that unless the user chose another form. */
  takeValue(editable: EditableBody): void {
    const before = this.editable.value;
    const isEdited = before !== undefined && 'text' in before && before.text !== this.valueText.value;
    this.editable.value = editable;
    if ('reason' in editable) return;
    if (!isEdited) this.valueText.value = editable.text;
    if (this.form.value === 'same') this.form.value = 'value';
  }

  /** For each form, true or the reason why it is not available. */
  get forms(): Readonly<Record<BodyForm, true | string>> {
    const isBodiless = /^(?:GET|HEAD)$/.test(this.method.value);
    const none = `A page cannot send a body with ${this.method.value}.`;
    const sent = this.sent.value;
    const bytes = sent && 'bytes' in sent ? sent.bytes : undefined;
    const editable = this.editable.value;
    const loading = this.exchange.requestBody && this.exchange.messageType === undefined && !sent ? 'The body is loading.' : undefined;
    const of = (reason: string | undefined): true | string => (isBodiless ? none : (loading ?? reason ?? true));
    return {
      none: true,
      same: of(bytes ? undefined : 'The request has no body.'),
      value: of(!bytes ? 'The request has no body.' : !editable ? 'The body is loading.' : 'reason' in editable ? editable.reason : undefined),
      text: of(bytes && (bytes.length > MAX_TEXT || utf8Of(bytes) === undefined) ? 'The body is not text, or is too long.' : undefined),
      hex: of(bytes && bytes.length > MAX_HEX ? 'The body is too long.' : undefined),
    };
  }

  /** The chosen form if available, otherwise none. */
  get sentForm(): BodyForm {
    const chosen = this.form.value;
    return this.forms[chosen] === true ? chosen : 'none';
  }

  /** Editable text of a form. */
  textOf(form: BodyForm): typeof this.valueText | undefined {
    return { value: this.valueText, text: this.plainText, hex: this.hexText, none: undefined, same: undefined }[form];
  }

  /** Request without its body. Throws a `DraftError`. */
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

/** A draft problem as an exception. */
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
    throw new DraftError({ field: 'url', reason: 'This is not a full URL.' });
  }
  if (!/^https?:$/.test(url.protocol)) throw new DraftError({ field: 'url', reason: 'Only http: and https: URLs can be requested.' });
  return url.href;
}

/** Parses header lines. Throws for an invalid line, or a header that only the browser can set. */
export function parsedHeaders(text: string): Header[] {
  const headers: Header[] = [];
  let from = 0;
  for (const line of text.split('\n')) {
    const end = from + line.length;
    const found = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line);
    if (!found && line.trim() !== '') throw new DraftError({ field: 'headers', reason: 'Each line needs a name, a colon and a value.', from, end });
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

/** Parses hexadecimal digits with optional white space. Throws if invalid. */
export function parsedHex(text: string): Uint8Array {
  const wrong = /[^\s\da-f]/i.exec(text);
  if (wrong) throw new DraftError({ field: 'body', reason: 'This is not a hexadecimal digit.', from: wrong.index, end: wrong.index + 1 });
  const digits = text.replaceAll(/\s/g, '');
  if (digits.length % 2 !== 0)
    throw new DraftError({ field: 'body', reason: 'The last byte has only one digit.', from: text.trimEnd().length - 1, end: text.length });
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
