import { signal, type Signal } from '@preact/signals';
import type { Adapter, Exchange, PageRequest } from '../../adapter/adapter.ts';
import type { ReadingClient, ReadRequest, WrittenBody } from '../../reading/protocol.ts';
import { Draft, DraftError, parsedHex } from './draft.ts';
import { isOfPage, otherPage } from '../page/page-of.ts';
import type { Requests } from '../requests/requests.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';

/** Drafts that are kept, the latest. */
const MOST_DRAFTS = 20;
/** Milliseconds by which the browser's clock for requests may be behind. */
const CLOCK = 50;

/** What sending again works with. */
export interface ResendSetting {
  adapter: Adapter;
  client: ReadingClient;
  requests: Requests;
  schemas: SchemaUse;
  notice: Signal<string>;
}

/** Requests that are edited and sent again, by the inspected page. */
export class Resend {
  /** The requests that are answers to what was sent from here, each with the request that was edited. */
  readonly answers = signal<ReadonlyMap<number, number>>(new Map());
  readonly #setting: ResendSetting;
  readonly #drafts = new Map<number, Draft>();
  #waiting: { draft: Draft; method: string; url: string; since: number }[] = [];

  constructor(setting: ResendSetting) {
    this.#setting = setting;
  }

  /** Whether a request can be sent again: the page makes those of HTTP, and there must be a page. */
  canSend({ method, url, messages }: Exchange): boolean {
    return this.#setting.adapter.send !== undefined && method !== 'FILE' && messages === undefined && /^https?:/i.test(url);
  }

  /** The draft of a request, begun where there is none. */
  draftOf(exchange: Exchange): Draft {
    let draft = this.#drafts.get(exchange.id);
    if (!draft) {
      this.#drafts.set(exchange.id, (draft = new Draft(exchange)));
      for (const oldest of this.#drafts.keys()) {
        if (this.#drafts.size <= MOST_DRAFTS) break;
        this.#drafts.delete(oldest);
      }
      void this.#open(draft);
    }
    return draft;
  }

  /** Reads what was sent, and its value. */
  async #open(draft: Draft): Promise<void> {
    const { client, schemas } = this.#setting;
    const { exchange } = draft;
    const sent = await exchange.requestBody?.();
    if (!sent) return;
    draft.take(sent);
    if ('missing' in sent) return;
    const { url } = exchange;
    const contentType = exchange.requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
    const request = { bytes: sent.bytes, contentType, url };
    try {
      const detected = await client.call('detect', request);
      const reading: ReadRequest = { ...request, detected, format: schemas.formatFor(url), schema: schemas.droppedFor(url) };
      const editable = await client.call('editable', reading);
      draft.reading = reading;
      draft.takeValue(editable);
    } catch (error) {
      draft.takeValue({ reason: (error as Error).message });
    }
  }

  /** Writes the request as it is to be sent, and asks whether to send it. */
  async prepare(draft: Draft): Promise<void> {
    draft.problem.value = undefined;
    draft.state.value = { step: 'writing' };
    try {
      const head = draft.requestHead();
      const { bytes: body, lost } = await this.#bodyOf(draft);
      const origin = await this.#setting.adapter.pageOrigin?.();
      if (origin === undefined) throw new Error('The page did not answer. Wait until it has loaded.');
      if (!isOfPage(draft.exchange, origin)) throw new Error(otherPage(draft.exchange, origin));
      draft.state.value = { step: 'confirming', request: { origin, ...head, body }, lost };
    } catch (error) {
      draft.problem.value = error instanceof DraftError ? error.problem : { field: 'request', reason: (error as Error).message };
      draft.state.value = { step: 'editing' };
    }
  }

  /** Goes back to editing. */
  cancel(draft: Draft): void {
    draft.state.value = { step: 'editing' };
  }

  /** Has the page send what was confirmed. */
  async send(draft: Draft, request: PageRequest): Promise<void> {
    this.#waiting.push({ draft, method: request.method, url: withoutHash(request.url), since: Date.now() - CLOCK });
    draft.state.value = { step: 'sent', answer: undefined };
    const problem = await this.#setting.adapter.send!(request);
    if (problem === undefined) {
      this.#setting.notice.value = `${request.method} ${request.url} was sent.`;
      return;
    }
    this.#waiting = this.#waiting.filter((waiting) => waiting.draft !== draft);
    draft.problem.value = { field: 'request', reason: problem };
    draft.state.value = { step: 'editing' };
  }

  /** A request has arrived, which may be the answer to what was sent. */
  arrived({ id, method, url, time }: Exchange): void {
    const found = this.#waiting.find((waiting) => waiting.method === method && waiting.url === withoutHash(url) && time >= waiting.since);
    if (!found) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== found);
    const { draft } = found;
    // It can be gone to at once.
    this.#setting.requests.flush();
    this.answers.value = new Map([...this.answers.value, [id, draft.exchange.id]]);
    if (draft.state.value.step === 'sent') draft.state.value = { step: 'sent', answer: id };
  }

  async #bodyOf(draft: Draft): Promise<{ bytes: Uint8Array | undefined; lost: readonly string[] }> {
    const sent = draft.sent.value;
    const editable = draft.editable.value;
    const before = sent && 'bytes' in sent ? sent.bytes : undefined;
    switch (draft.sentForm) {
      case 'none':
        return { bytes: undefined, lost: [] };
      case 'same':
        return { bytes: before, lost: [] };
      case 'text':
        return { bytes: new TextEncoder().encode(draft.plainText.value), lost: [] };
      case 'hex':
        return { bytes: parsedHex(draft.hexText.value), lost: [] };
      default: {
        // What was not changed is sent as it was, and not as a writer would have it.
        if (editable && 'text' in editable && editable.text === draft.valueText.value) return { bytes: before, lost: [] };
        const written: WrittenBody = await this.#setting.client.call('writeBody', { ...draft.reading!, text: draft.valueText.value });
        if ('problem' in written) throw new DraftError({ field: 'body', ...written.problem });
        return written;
      }
    }
  }
}

/** The browser's log has no fragments. */
function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '');
}
