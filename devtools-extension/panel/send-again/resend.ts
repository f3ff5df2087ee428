import { sentBody } from '../../adapter/connect-get.ts';
import { signal, type Signal } from '@preact/signals';
import type { Adapter, Exchange, PageRequest } from '../../adapter/adapter.ts';
import type { ReadingClient, ReadRequest, WrittenBody } from '../../reading/protocol.ts';
import { Draft, DraftError, parsedHex } from './draft.ts';
import { isOfPage, otherPageMessage } from '../page/page-access.ts';
import type { Requests } from '../requests/requests.ts';
import { lacksSchema, type SchemaUse } from '../schemas/schema-use.ts';

/** Maximum number of drafts; the oldest are dropped. */
const MAX_DRAFTS = 20;
/** Milliseconds by which the browser's request clock may be behind. */
const CLOCK = 50;

/** Dependencies of `Resend`. */
export interface ResendDependencies {
  adapter: Adapter;
  client: ReadingClient;
  requests: Requests;
  schemas: SchemaUse;
  notice: Signal<string>;
}

/** Drafts of requests, and sending them from the inspected page. */
export class Resend {
  /** Requests sent from the panel, each with the request it was edited from, by id. */
  readonly answers = signal<ReadonlyMap<number, number>>(new Map());
  readonly #dependencies: ResendDependencies;
  readonly #drafts = new Map<number, Draft>();
  #waiting: { draft: Draft; method: string; url: string; since: number }[] = [];

  constructor(dependencies: ResendDependencies) {
    this.#dependencies = dependencies;
  }

  /** True if the inspected page can repeat the request: HTTP only. */
  canSend({ method, url, messages }: Exchange): boolean {
    return this.#dependencies.adapter.send !== undefined && method !== 'FILE' && messages === undefined && /^https?:/i.test(url);
  }

  /** Draft of a request; created on first use. */
  draftOf(exchange: Exchange): Draft {
    let draft = this.#drafts.get(exchange.id);
    if (!draft) {
      this.#drafts.set(exchange.id, (draft = new Draft(exchange)));
      for (const oldest of this.#drafts.keys()) {
        if (this.#drafts.size <= MAX_DRAFTS) break;
        this.#drafts.delete(oldest);
      }
      void this.#open(draft);
    }
    return draft;
  }

  /** Loads the original body and its value. */
  async #open(draft: Draft): Promise<void> {
    const { exchange } = draft;
    const sent = await sentBody(exchange);
    if (!sent) return;
    draft.take(sent);
    if ('missing' in sent) return;
    const { url } = exchange;
    const contentType = exchange.requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
    await this.#readValue(draft, { bytes: sent.bytes, contentType, url });
  }

  /** Reads the value again after a change of schemas or formats. An edited value stays, and is encoded by the new schema. */
  async refresh(draft: Draft): Promise<void> {
    const { schemas } = this.#dependencies;
    const { reading, exchange } = draft;
    if (!reading) return;
    const isSame = reading.schema?.name === schemas.of(exchange, 'request')?.name && reading.format === schemas.formatFor(exchange.url);
    if (!isSame) await this.#readValue(draft, { bytes: reading.bytes, contentType: reading.contentType, url: exchange.url });
  }

  async #readValue(draft: Draft, request: Pick<ReadRequest, 'bytes' | 'contentType'> & { url: string }): Promise<void> {
    const { client, schemas } = this.#dependencies;
    const { exchange } = draft;
    const { url } = request;
    draft.reading = { ...request };
    try {
      const detected = await client.call('detect', request);
      if (lacksSchema(detected, request.bytes, request.contentType) && !schemas.of(exchange, 'request')) await schemas.found?.search();
      const reading: ReadRequest = { ...request, detected, format: schemas.formatFor(url), schema: schemas.of(exchange, 'request') };
      // A type that does not read the body is not its type.
      if (reading.schema?.isClaim && (await client.call('glance', reading)).format !== reading.schema.format) reading.schema = undefined;
      const editable = await client.call('editable', reading);
      draft.reading = reading;
      draft.takeValue(editable);
    } catch (error) {
      draft.takeValue({ reason: (error as Error).message });
    }
  }

  /** Encodes the request and asks for confirmation. */
  async prepare(draft: Draft): Promise<void> {
    draft.problem.value = undefined;
    draft.state.value = { step: 'writing' };
    try {
      const head = draft.requestHead();
      const { bytes: body, lost } = await this.#bodyOf(draft);
      const origin = await this.#dependencies.adapter.pageOrigin?.();
      if (origin === undefined) throw new Error('The page did not answer. Wait until it has loaded.');
      if (!isOfPage(draft.exchange, origin)) throw new Error(otherPageMessage(draft.exchange, origin));
      draft.state.value = { step: 'confirming', request: { origin, ...head, body }, lost };
    } catch (error) {
      draft.problem.value = error instanceof DraftError ? error.problem : { field: 'request', reason: (error as Error).message };
      draft.state.value = { step: 'editing' };
    }
  }

  /** Returns to editing. */
  cancel(draft: Draft): void {
    draft.state.value = { step: 'editing' };
  }

  /** Sends the confirmed request from the page. */
  async send(draft: Draft, request: PageRequest): Promise<void> {
    this.#waiting.push({ draft, method: request.method, url: withoutHash(request.url), since: Date.now() - CLOCK });
    draft.state.value = { step: 'sent', answer: undefined };
    const problem = await this.#dependencies.adapter.send!(request);
    if (problem === undefined) {
      this.#dependencies.notice.value = `Sent ${request.method} ${request.url}.`;
      return;
    }
    this.#waiting = this.#waiting.filter((waiting) => waiting.draft !== draft);
    draft.problem.value = { field: 'request', reason: problem };
    draft.state.value = { step: 'editing' };
  }

  /** Recognizes the response to a sent draft among new requests. */
  arrived({ id, method, url, time }: Exchange): void {
    const found = this.#waiting.find((waiting) => waiting.method === method && waiting.url === withoutHash(url) && time >= waiting.since);
    if (!found) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting !== found);
    const { draft } = found;
    // Makes the row selectable immediately.
    this.#dependencies.requests.flush();
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
        // An unchanged value is sent with its original bytes, not as this library would encode it.
        if (editable && 'text' in editable && editable.text === draft.valueText.value) return { bytes: before, lost: [] };
        const written: WrittenBody = await this.#dependencies.client.call('writeBody', { ...draft.reading!, text: draft.valueText.value });
        if ('problem' in written) throw new DraftError({ field: 'body', ...written.problem });
        return written;
      }
    }
  }
}

/** URLs in the browser's log have no fragment. */
function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '');
}
