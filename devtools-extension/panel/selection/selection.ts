import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { DecodeReport } from '../../../main/call/observe.ts';
import type { Adapter, Body, Exchange, Message } from '../../adapter/adapter.ts';
import type { Detection, Overflow, ReadAnswer, ReadingClient, ReadRequest, SchemaInput } from '../../reading/protocol.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { nameOf } from '../../text/address.ts';
import type { BodyStore } from '../body/body-store.ts';
import { isOfPage, otherPageMessage } from '../page/page-access.ts';
import type { Inside } from '../value/inside.ts';
import { keptBodyId, reportsOf, type PageLibrary } from '../page/page-library.ts';
import { OpenBody } from '../body/open-body.ts';
import type { Requests } from '../requests/requests.ts';
import type { Row } from '../requests/row.ts';
import { connectionRecords } from '../messages/connection-records.ts';
import { lacksSchema, type SchemaUse, typeIn } from '../schemas/schema-use.ts';
import type { Direction } from '../schemas/schemas.ts';
import { FittingTab, type TabName } from './tab.ts';
import { pathText } from '../../values/value-text.ts';

export type Side = 'response' | 'request' | 'message';

export type BodyState =
  | { status: 'none' | 'loading' }
  | { status: 'missing'; reason: string; /** True if the page or a file may have it. */ mayBeElsewhere: boolean; libraryId: number | undefined }
  /** The worker failed to read it. */
  | { status: 'failed'; reason: string }
  | { status: 'tooLarge'; overflow: Overflow; received: number }
  | { status: 'ready'; body: OpenBody };

/** A payload that contains the open one. */
export interface Layer {
  /** Label of the button that leads back. */
  label: string;
  body: OpenBody;
  /** Entry that contains the next payload, that payload's label, and the position of its bytes. */
  node: number;
  inner: string;
  placeOf: ((offset: number) => number) | undefined;
}

/** How to read a payload inside a value. */
type InsideReading = Pick<ReadRequest, 'format' | 'schema'>;

/** Confidence in a format that a page schema reads without errors. */
const FIT_CONFIDENCE = 0.7;
/** Maximum decompressed size of a payload inside a value. */
const INSIDE_BYTES = 16_000_000;

/** Dependencies of `Selection`. */
export interface SelectionDependencies {
  adapter: Adapter;
  client: ReadingClient;
  bodies: BodyStore;
  library: PageLibrary;
  schemas: SchemaUse;
  requests: Requests;
  notice: Signal<string>;
}

/** The selected request and its open body. */
export class Selection {
  readonly id = signal<number | undefined>(undefined);
  readonly side = signal<Side>('response');
  readonly tab = signal<TabName>('tree');
  readonly state = signal<BodyState>({ status: 'none' });
  readonly messages = signal<Message[]>([]);
  /** Payloads around the open one, outermost first. */
  readonly layers = signal<readonly Layer[]>([]);
  /** Body to compare with. */
  readonly base = signal<{ label: string; body: OpenBody } | undefined>(undefined);
  readonly row: ReadonlySignal<Row | undefined>;
  /** The library's decodes of the selected response. */
  readonly reports: ReadonlySignal<DecodeReport[]>;

  readonly #dependencies: SelectionDependencies;
  /** Aborts when another body is opened. */
  #opening = new AbortController();
  readonly #fittingTab = new FittingTab(this.tab);
  #message: Message | undefined;

  constructor(dependencies: SelectionDependencies) {
    this.#dependencies = dependencies;
    const { requests, library } = dependencies;
    this.row = computed(() => requests.rows.value.find(({ exchange }) => exchange.id === this.id.value));
    this.reports = computed(() => {
      const exchange = this.row.value?.exchange;
      const state = library.state.value;
      return state && exchange ? reportsOf(state, exchange, this.#exchanges()) : [];
    });
  }

  clear(): void {
    this.#begin();
    batch(() => {
      this.id.value = undefined;
      this.state.value = { status: 'none' };
    });
  }

  /** Selects a request, and opens one of its bodies or its messages; of a body, up to `part` bytes. */
  async select(id: number, side: Side = 'response', part?: number): Promise<void> {
    const row = this.#dependencies.requests.find(id);
    if (!row) return;
    batch(() => {
      this.id.value = id;
      this.side.value = side;
      if (this.tab.value === 'messages' && !row.exchange.messages) this.tab.value = 'tree';
      if (row.exchange.messages && side === 'response') this.tab.value = 'messages';
    });
    if (row.exchange.messages && side === 'response') {
      this.state.value = { status: 'none' };
      await this.refreshMessages();
      return;
    }
    const opening = this.#begin();
    this.state.value = { status: 'loading' };
    const body = await this.#bodyOf(row, side);
    if (!opening.aborted) await this.#open(row, body, opening, part);
  }

  /** Reads the selection again, after a change of format or schema. */
  async reopen(): Promise<void> {
    if (this.id.value !== undefined) await this.select(this.id.value, this.side.value);
  }

  /** Reads the selection again if a schema concerns it, after a schema file was added or removed. */
  async reopenForSchema(): Promise<void> {
    const row = this.row.value;
    const state = this.state.value;
    if (!row || state.status !== 'ready' || this.layers.value.length > 0) return;
    if (state.body.schema ?? this.#dependencies.schemas.of(row.exchange, this.#direction)) await this.reopen();
  }

  /** Reads the selected body in a format, and remembers it for the address. */
  async setFormat(format: FormatId | ''): Promise<void> {
    const row = this.row.value;
    if (!row) return;
    const state = this.state.value;
    if (this.layers.value.length > 0 && state.status === 'ready') {
      const layers = this.layers.value;
      return this.#show(layers, state.body.bytes, { format: format === '' ? undefined : format }, this.#begin(), layers);
    }
    this.#dependencies.schemas.setFormat(row.exchange.url, format);
    await this.reopen();
  }

  async refreshMessages(): Promise<void> {
    const row = this.row.value;
    const messages = (await row?.exchange.messages?.()) ?? [];
    if (!row || row !== this.row.value) return;
    this.messages.value = [...messages];
    // The size of a stream is that of its messages, with those that were dropped.
    const size = messages.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (row.size >= size) return;
    row.size = size;
    this.#dependencies.requests.changed();
  }

  /** Opens a message below the message list. */
  async openMessage(message: Message): Promise<void> {
    const row = this.row.value;
    if (!row) return;
    this.side.value = 'message';
    this.#message = message;
    await this.#open(row, { bytes: message.bytes }, this.#begin());
  }

  /** Keeps the open body as the base of comparisons. */
  keepBase(): void {
    const state = this.state.value;
    const row = this.row.value;
    if (state.status === 'ready' && row) this.base.value = { label: nameOf(row.exchange.url), body: state.body };
  }

  /** Opens a payload inside a value, in the given format or the detected one. */
  async openInside(node: number, inside: Inside, how: InsideReading = {}): Promise<void> {
    const state = this.state.value;
    if (state.status !== 'ready') return;
    const outer = this.layers.value;
    const opening = this.#begin();
    const { body } = state;
    const path = pathText(body.tree!, node);
    const layer = { label: outer.at(-1)?.inner ?? 'Body', body, node, inner: `${path}, ${inside.how}`, placeOf: inside.placeOf };
    await this.#show([...outer, layer], inside.bytes(), how, opening, outer);
  }

  /** Returns to an enclosing payload; 0 is the body. */
  back(depth: number): void {
    const layer = this.layers.value[depth];
    if (!layer) return;
    const outer = this.layers.value.slice(0, depth);
    this.#begin();
    batch(() => {
      this.layers.value = outer;
      this.state.value = { status: 'ready', body: layer.body };
      layer.body.select(layer.node);
    });
  }

  async #show(layers: readonly Layer[], bytes: Uint8Array, how: InsideReading, opening: AbortSignal, before: readonly Layer[]): Promise<void> {
    try {
      const { client } = this.#dependencies;
      const answer = await client.call('read', { bytes, contentType: '', ...how, part: INSIDE_BYTES }, { signal: opening });
      const open = new OpenBody(answer, { lossy: false, received: bytes.length, schema: how.schema, client });
      batch(() => {
        this.layers.value = layers;
        this.state.value = { status: 'ready', body: open };
        if (this.tab.value !== 'messages') this.tab.value = 'tree';
      });
    } catch (error) {
      if (opening.aborted) return;
      this.layers.value = before;
      this.#dependencies.notice.value = (error as Error).message;
    }
  }

  /** Transfers a body from the library on the page. */
  async takeOver(libraryId: number): Promise<void> {
    const row = this.row.value;
    if (!row) return;
    const opening = this.#begin();
    this.state.value = { status: 'loading' };
    const bytes = await this.#dependencies.library.readBody(libraryId);
    if (opening.aborted) return;
    if (bytes) await this.#give(row, bytes, opening);
    else this.state.value = { status: 'missing', reason: 'The page no longer keeps this body.', mayBeElsewhere: true, libraryId: undefined };
  }

  /** True if the page can request the selected response again. */
  get canFetchAgain(): boolean {
    const exchange = this.row.value?.exchange;
    const isGet = exchange?.method === 'GET' && /^https?:/i.test(exchange.url) && exchange.messages === undefined;
    return isGet && this.side.value === 'response' && this.#dependencies.adapter.fetchAgain !== undefined;
  }

  /** Makes the page request the selected response again, and opens its bytes. */
  async fetchAgain(): Promise<void> {
    const row = this.row.value;
    const { adapter, notice } = this.#dependencies;
    if (!row) return;
    const origin = await adapter.pageOrigin?.();
    if (origin === undefined || !isOfPage(row.exchange, origin)) {
      notice.value = origin === undefined ? 'The page did not answer. Wait until it has loaded.' : otherPageMessage(row.exchange, origin);
      return;
    }
    const opening = this.#begin();
    this.state.value = { status: 'loading' };
    const body = await adapter.fetchAgain!(row.exchange.url, origin);
    if (opening.aborted) return;
    if ('bytes' in body) await this.#give(row, body.bytes, opening);
    else this.state.value = { status: 'missing', reason: body.missing, mayBeElsewhere: true, libraryId: undefined };
  }

  /** Opens a file as the body of the selected response. */
  async openFor(file: File): Promise<void> {
    const row = this.row.value;
    const opening = this.#begin();
    if (row) await this.#give(row, new Uint8Array(await file.arrayBuffer()), opening);
  }

  /** Opens the beginning of a body that is too large. */
  async openPart(bytes: number): Promise<void> {
    const row = this.row.value;
    const opening = this.#begin();
    const body = row && (await this.#bodyOf(row, this.side.value));
    if (row && body && !opening.aborted) await this.#open(row, body, opening, bytes);
  }

  /** Cancels what is being opened. */
  #begin(): AbortSignal {
    this.#opening.abort();
    this.#opening = new AbortController();
    this.layers.value = [];
    return this.#opening.signal;
  }

  async #bodyOf(row: Row, side: Side): Promise<Body> {
    if (side === 'message') return this.#message ? { bytes: this.#message.bytes } : { missing: 'The message was dropped.' };
    const body = side === 'request' ? await row.exchange.requestBody?.() : await this.#dependencies.bodies.read(row.exchange);
    return body ?? { missing: 'The request has no body.' };
  }

  /** Stores and opens a body that did not come from the browser. */
  async #give(row: Row, bytes: Uint8Array, opening: AbortSignal): Promise<void> {
    this.#dependencies.bodies.keep(row.exchange, bytes);
    row.size = bytes.length;
    row.found = undefined;
    await this.#open(row, { bytes }, opening);
  }

  async #open(row: Row, body: Body, opening: AbortSignal, part?: number): Promise<void> {
    try {
      await this.#read(row, body, opening, part);
    } catch (error) {
      if (!opening.aborted) this.state.value = { status: 'failed', reason: (error as Error).message };
    }
  }

  async #read(row: Row, body: Body, opening: AbortSignal, part: number | undefined): Promise<void> {
    const { client, library, requests, schemas } = this.#dependencies;
    const { url, status, responseHeaders: headers } = row.exchange;
    const isResponse = this.side.value === 'response';
    if ('missing' in body) {
      const mayBeElsewhere = isResponse && body.mayBeElsewhere === true;
      if (mayBeElsewhere) await library.read();
      const libraryId = mayBeElsewhere && library.state.value ? keptBodyId(library.state.value, row.exchange, this.#exchanges()) : undefined;
      if (!opening.aborted) this.state.value = { status: 'missing', reason: body.missing, mayBeElsewhere, libraryId };
      return;
    }
    const direction = this.#direction;
    let schema = schemas.chosen(row.exchange, direction);
    if (!schema) {
      if (isResponse) await library.read();
      if (opening.aborted) return;
      schema = schemas.known(row.exchange, direction);
      if (this.side.value === 'message' && this.#message) schema ??= connectionRecords(this.messages.value, this.#message);
    }
    const request: Omit<ReadRequest, 'schema'> = {
      bytes: body.bytes,
      contentType: this.side.value === 'message' ? '' : typeIn(row.exchange, direction),
      url,
      ...(this.side.value === 'message' && { message: this.#message?.isText ? 'text' : 'binary' }),
      ...(isResponse && { status, headers }),
      format: schemas.formatFor(url),
      detected: isResponse ? row.found : undefined,
      part,
    };
    let answer = await client.call('read', { ...request, schema }, { signal: opening });
    const { overflow } = answer.detection;
    if (isResponse) row.found = request.detected ?? answer.detection;
    if (overflow && !answer.isPart) {
      this.state.value = { status: 'tooLarge', overflow, received: body.bytes.length };
      return;
    }
    if (!schema && isResponse && !request.format) {
      const found = await this.#tryPageSchemas(request, answer.detection, opening);
      if (found) ({ answer, schema } = found);
    }
    const wasTried = schema?.isClaim === true;
    if (schema?.isClaim && answer.detection.format !== schema.format) schema = undefined;
    const { contentType: type } = request;
    const open = new OpenBody(answer, { lossy: body.lossy === true, received: body.bytes.length, schema, contentType: type, client });
    if (isResponse) row.detection = answer.detection;
    batch(() => {
      this.state.value = { status: 'ready', body: open };
      if (isResponse) this.#fittingTab.fit(open);
      requests.flush();
    });
    // A type that did not read the body before does not read it now.
    if (!schema && !wasTried && this.layers.value.length === 0 && lacksSchema(open, body.bytes, request.contentType))
      void this.#awaitSchemas(row, opening);
  }

  /** Reads the body again once its schema was found in the page's scripts. */
  async #awaitSchemas(row: Row, opening: AbortSignal): Promise<void> {
    const { found } = this.#dependencies.schemas;
    await found?.search();
    if (opening.aborted || !found?.of(row.exchange, this.#direction)) return;
    if (this.side.value === 'message' && this.#message) await this.openMessage(this.#message);
    else await this.reopen();
  }

  /** Tries the page's schemas on a body of uncertain format. Returns the first that reads it to the last byte. */
  async #tryPageSchemas(
    request: Omit<ReadRequest, 'schema'>,
    detection: Detection,
    signal: AbortSignal,
  ): Promise<{ answer: ReadAnswer; schema: SchemaInput } | undefined> {
    const { client, schemas } = this.#dependencies;
    for (const schema of schemas.candidates(detection)) {
      const answer = await client.call('read', { ...request, schema }, { signal });
      if (answer.error) continue;
      const sure = { ...answer.detection, confidence: FIT_CONFIDENCE, reasons: [`schema ${schema.name} reads it to the last byte`] };
      return { answer: { ...answer, detection: sure }, schema };
    }
    return undefined;
  }

  /** Direction of the open body. */
  get #direction(): Direction {
    const isSent = this.side.value === 'message' ? this.#message?.direction === 'sent' : this.side.value === 'request';
    return isSent ? 'request' : 'response';
  }

  #exchanges(): Exchange[] {
    return this.#dependencies.requests.rows.value.map(({ exchange }) => exchange);
  }
}
