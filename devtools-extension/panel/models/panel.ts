import { batch, computed, signal } from '@preact/signals';
import type { DecodeReport } from '../../../main/decoder/observe.ts';
import { type FormatId, formatEntry, FORMATS } from '../../../worker/formats/registry.ts';
import type { Adapter, Body, Exchange, LibraryState, Message } from '../../adapter/adapter.ts';
import type { ReadingClient } from '../../reading/client.ts';
import type { Detection, ReadAnswer, ReadRequest, SchemaInput } from '../../reading/protocol.ts';
import { addressOf, nameOf } from './address.ts';
import { BodyStore } from './body-store.ts';
import { fileExchange } from './files.ts';
import { keptDecode, reportsOf } from './library.ts';
import { OpenBody } from './open-body.ts';
import { compileHint, isDoubtful, type SchemaFile, schemaFileOf } from './schema-files.ts';
import { candidatesOf, keepSchema, matchesPattern, pageSchemaFor, schemaFor, schemaMappings } from './schemas.ts';
import { keptSignal } from './settings.ts';

/** A request in the list. */
export interface Row {
  exchange: Exchange;
  /** Undefined until the body was looked at. */
  detection: Detection | undefined;
  /** What the bytes alone were taken for, where that is sure. */
  found?: Detection | undefined;
  /** Of the body, −1 where it is not known. */
  size: number;
  decodeMs: number | undefined;
}

export type Shown = 'all' | 'data' | 'binary';
export type Side = 'response' | 'request' | 'message';
export type TabName = 'tree' | 'table' | 'size' | 'whatif' | 'diff' | 'timing' | 'messages' | 'headers';

export type BodyState =
  | { status: 'none' | 'loading' }
  | { status: 'missing'; reason: string; libraryId: number | undefined }
  | { status: 'ready'; body: OpenBody };

/** A format that somebody chose for a URL. */
interface Override {
  pattern: string;
  format: FormatId;
}

const MOST_ROWS = 5_000;
/** What is looked at to tell the format in the list. */
const LOOKED_AT = 256 * 1024;
/** A guess that is surer than this needs nobody else's word. */
const SURE = 0.9;
/** How sure it makes a format that a schema of the page fits. */
const FITTING = 0.7;
/** Milliseconds after which a page has most likely decoded what it was sent. */
const LATER = 500;
const NO_DATA = /^(?:document|stylesheet|script|image|font|media|manifest|ping|preflight|texttrack)$/;

/** What the panel knows, and what can be done. Components render it. */
export class Panel {
  readonly adapter: Adapter;
  readonly client: ReadingClient;

  readonly rows = signal<readonly Row[]>([]);
  readonly text = signal('');
  readonly shown = keptSignal<Shown>('shown', 'data');
  readonly formatShown = signal<FormatId | ''>('');
  readonly keepLog = keptSignal('keep-log', false);
  readonly overrides = keptSignal<Override[]>('formats', []);
  readonly tab = signal<TabName>('tree');
  readonly selectedId = signal<number | undefined>(undefined);
  readonly side = signal<Side>('response');
  readonly state = signal<BodyState>({ status: 'none' });
  readonly messages = signal<Message[]>([]);
  /** What the page's library says; undefined where the page has none. */
  readonly library = signal<LibraryState | undefined>(undefined);
  /** The body to compare with. */
  readonly base = signal<{ label: string; body: OpenBody } | undefined>(undefined);
  readonly notice = signal('');
  readonly isSchemasOpen = signal(false);

  readonly visible = computed<readonly Row[]>(() => {
    const text = this.text.value.trim().toLowerCase();
    const format = this.formatShown.value;
    const shown = this.shown.value;
    return this.rows.value.filter(({ exchange, detection }) => {
      if (text && !`${exchange.method} ${exchange.url} ${exchange.status} ${detection?.format ?? ''}`.toLowerCase().includes(text)) return false;
      if (format && detection?.format !== format) return false;
      if (shown === 'all') return true;
      if (shown === 'binary') return detection?.format !== undefined && detection.format !== 'json';
      return detection?.format !== undefined || !NO_DATA.test(exchange.initiator);
    });
  });

  /** The library's decodes of the selected response. */
  readonly reports = computed<DecodeReport[]>(() => {
    const exchange = this.selectedRow.value?.exchange;
    const state = this.library.value;
    return state && exchange ? reportsOf(state, exchange, this.#exchanges()) : [];
  });

  readonly selectedRow = computed(() => this.rows.value.find(({ exchange }) => exchange.id === this.selectedId.value));

  readonly #bodies = new BodyStore();
  #arrived: Row[] = [];
  #isScheduled = false;
  #opening = 0;
  #reading: Promise<void> | undefined;
  #nextFileId = -1;

  constructor(adapter: Adapter, client: ReadingClient) {
    this.adapter = adapter;
    this.client = client;
  }

  /** Begins to listen. Returns what ends it. */
  start(): () => void {
    return this.adapter.subscribe({
      exchange: (exchange) => this.#add(exchange),
      navigated: () => {
        this.library.value = undefined;
        if (!this.keepLog.value) this.clear();
      },
    });
  }

  clear(): void {
    batch(() => {
      this.rows.value = [];
      this.selectedId.value = undefined;
      this.state.value = { status: 'none' };
      this.#bodies.clear();
      this.#arrived = [];
    });
  }

  async select(id: number, side: Side = 'response'): Promise<void> {
    const row = this.rows.value.find(({ exchange }) => exchange.id === id);
    if (!row) return;
    batch(() => {
      this.selectedId.value = id;
      this.side.value = side;
      if (this.tab.value === 'messages' && !row.exchange.messages) this.tab.value = 'tree';
      if (row.exchange.messages && side === 'response') this.tab.value = 'messages';
    });
    if (row.exchange.messages && side === 'response') {
      this.state.value = { status: 'none' };
      await this.refreshMessages();
      return;
    }
    const opening = ++this.#opening;
    this.state.value = { status: 'loading' };
    const body = side === 'request' ? await row.exchange.requestBody?.() : await this.#bodies.read(row.exchange);
    if (opening !== this.#opening) return;
    await this.#open(row, body ?? { missing: 'The request has no body.' }, opening);
  }

  async refreshMessages(): Promise<void> {
    const row = this.selectedRow.value;
    const messages = (await row?.exchange.messages?.()) ?? [];
    if (row === this.selectedRow.value) this.messages.value = [...messages];
  }

  async openMessage(message: Message): Promise<void> {
    const row = this.selectedRow.value;
    if (!row) return;
    batch(() => {
      this.side.value = 'message';
      this.tab.value = 'tree';
    });
    await this.#open(row, { bytes: message.bytes }, ++this.#opening);
  }

  /** Reads the selected body again, as the format given. It is kept for this address. */
  async setFormat(format: FormatId | ''): Promise<void> {
    const row = this.selectedRow.value;
    if (!row) return;
    const pattern = addressOf(row.exchange.url);
    const others = this.overrides.value.filter((override) => override.pattern !== pattern);
    this.overrides.value = format === '' ? others : [...others, { pattern, format }];
    await this.select(row.exchange.id, this.side.value);
  }

  /** Opens files: schemas are kept, others are shown like responses. */
  async openFiles(files: readonly File[]): Promise<void> {
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const schema = schemaFileOf(file.name, bytes);
      if (schema && (await this.#takeSchema(schema, bytes))) continue;
      const id = this.#nextFileId--;
      this.#add(fileExchange(file, bytes, id));
      this.#flush();
      this.notice.value = compileHint(file.name) ?? '';
      await this.select(id);
    }
  }

  /** Keeps a schema. False where the file is none after all. */
  async #takeSchema(schema: SchemaFile, bytes: Uint8Array): Promise<boolean> {
    try {
      if (schema.base64 !== undefined) schema.types = await this.client.call('schemaTypes', { format: schema.format, bytes });
    } catch (error) {
      if (isDoubtful(schema.name)) return false;
      this.notice.value = `${schema.name} is no schema: ${(error as Error).message}.`;
      return true;
    }
    keepSchema(schema);
    this.isSchemasOpen.value = true;
    this.notice.value = `${schema.name} was added to the schemas.`;
    return true;
  }

  /** Forgets the format that was chosen for an address. */
  async forgetFormat(pattern: string): Promise<void> {
    this.overrides.value = this.overrides.value.filter((override) => override.pattern !== pattern);
    if (this.selectedId.value !== undefined) await this.select(this.selectedId.value, this.side.value);
  }

  /** Sets for which addresses a schema is, and reads the selected body with it. */
  async mapSchema(pattern: string, file: string, type: string): Promise<void> {
    const others = schemaMappings.value.filter((mapping) => mapping.pattern !== pattern);
    schemaMappings.value = file === '' ? others : [...others, { pattern, file, type }];
    if (this.selectedId.value !== undefined) await this.select(this.selectedId.value, this.side.value);
  }

  /** Keeps the body that is open, to compare others with it. */
  keepBase(): void {
    const state = this.state.value;
    const row = this.selectedRow.value;
    if (state.status === 'ready' && row) this.base.value = { label: nameOf(row.exchange.url), body: state.body };
  }

  async readLibrary(): Promise<void> {
    this.library.value = await this.adapter.readLibrary();
  }

  /** Takes a body over from the library on the page. */
  async takeOver(libraryId: number): Promise<void> {
    const row = this.selectedRow.value;
    if (!row) return;
    const opening = ++this.#opening;
    this.state.value = { status: 'loading' };
    const bytes = await this.adapter.readLibraryBody(libraryId);
    if (opening !== this.#opening) return;
    if (bytes) await this.#give(row, bytes, opening);
    else this.state.value = { status: 'missing', reason: 'The page has not kept this body any longer.', libraryId: undefined };
  }

  /** Opens a file as the body of the selected response. */
  async openFor(file: File): Promise<void> {
    const row = this.selectedRow.value;
    const opening = ++this.#opening;
    if (row) await this.#give(row, new Uint8Array(await file.arrayBuffer()), opening);
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await this.adapter.copy(text);
      this.notice.value = `${what} copied.`;
    } catch (error) {
      this.notice.value = (error as Error).message;
    }
  }

  #add(exchange: Exchange): void {
    const row: Row = { exchange, detection: undefined, size: exchange.encodedSize, decodeMs: undefined };
    this.#arrived.push(row);
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setTimeout(() => this.#flush(), 60);
    }
    if (exchange.messages || NO_DATA.test(exchange.initiator)) return;
    // The library reports of every decode from the first reading on.
    if (!this.library.value) void this.#readLibraryLater();
    void this.#look(row);
  }

  #flush(): void {
    this.#isScheduled = false;
    if (this.#arrived.length === 0) {
      this.rows.value = [...this.rows.value];
      return;
    }
    const rows = [...this.rows.value, ...this.#arrived];
    this.#arrived = [];
    this.rows.value = rows.length > MOST_ROWS ? rows.slice(-MOST_ROWS) : rows;
  }

  #changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.#flush(), 60);
  }

  /** Reads the body while the browser has it, and tells its format. */
  async #look(row: Row): Promise<void> {
    const body = await this.#bodies.read(row.exchange);
    if ('missing' in body) return;
    row.size = body.bytes.length;
    const whole = body.bytes.length <= LOOKED_AT;
    const bytes = whole ? body.bytes : body.bytes.slice(0, LOOKED_AT);
    const { url, contentType } = row.exchange;
    const detection = await this.client.call('detect', { bytes, contentType, whole });
    const schema = schemaFor(url);
    const override = this.#override(url);
    const format = override ?? schema?.format;
    row.detection = format ? { ...detection, format, confidence: 1, reasons: [override ? 'you chose it' : `the schema ${schema!.name}`] } : detection;
    this.#changed();
    const isSure = detection.format !== undefined && detection.confidence >= SURE;
    if (isSure) row.found = detection;
    if (format || isSure) return whole ? this.#time(row, bytes, schema) : undefined;
    // The page may be decoding it just now.
    await this.#readLibraryLater();
    const known = pageSchemaFor(this.library.value, row.exchange, this.#exchanges());
    if (!known || row.decodeMs !== undefined) return;
    row.detection = { ...detection, format: known.format, confidence: 1, reasons: [`the schema ${known.name}`] };
    this.#changed();
  }

  /** Tells how long a small body takes to decode, before it is opened. */
  async #time(row: Row, bytes: Uint8Array, schema: SchemaInput | undefined): Promise<void> {
    const { detection } = row;
    if (!detection?.format) return;
    const { format, sequence } = detection;
    for (const by of schema ? [schema] : await this.#schemasToTime(detection)) {
      // What cannot be decoded takes no time.
      const time = await this.client.call('time', { bytes, format, sequence, schema: by }).catch(() => undefined);
      if (time === undefined) continue;
      row.decodeMs ??= time;
      this.#changed();
      return;
    }
  }

  /** What a body may be read by: nothing, where its format allows that, or a schema of the page. */
  async #schemasToTime(detection: Detection): Promise<(SchemaInput | undefined)[]> {
    const isAvro = detection.format === 'avro';
    if (!isAvro && formatEntry(detection.format!)?.schema !== true) return [undefined];
    if (!this.library.value) await this.#readLibraryLater();
    const schemas = candidatesOf(this.library.value, detection);
    // Containers of Avro have their schema in them.
    return isAvro ? [undefined, ...schemas] : schemas;
  }

  /** Reads what the library says in a moment, once for all who ask until then. */
  #readLibraryLater(): Promise<void> {
    this.#reading ??= new Promise<void>((resolve) => setTimeout(resolve, LATER))
      .then(() => this.readLibrary())
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  #override(url: string): FormatId | undefined {
    return this.overrides.value.find(({ pattern }) => matchesPattern(pattern, url))?.format;
  }

  /** Reads a body that does not tell its format by the schemas of the page, as far as one of them fits to the last byte. */
  async #tryPageSchemas(request: Omit<ReadRequest, 'schema'>, detection: Detection): Promise<{ answer: ReadAnswer; schema: SchemaInput } | undefined> {
    for (const schema of candidatesOf(this.library.value, detection)) {
      const answer = await this.client.call('read', { ...request, schema });
      if (answer.error) continue;
      const sure = { ...answer.detection, confidence: FITTING, reasons: [`it reads by the schema ${schema.name}`] };
      return { answer: { ...answer, detection: sure }, schema };
    }
    return undefined;
  }

  /** Opens and keeps a body that the browser did not give. */
  async #give(row: Row, bytes: Uint8Array, opening: number): Promise<void> {
    this.#bodies.keep(row.exchange, bytes);
    row.size = bytes.length;
    row.found = undefined;
    await this.#open(row, { bytes }, opening);
  }

  #exchanges(): Exchange[] {
    return this.rows.value.map(({ exchange }) => exchange);
  }

  async #open(row: Row, body: Body, opening: number): Promise<void> {
    const { url, contentType } = row.exchange;
    if ('missing' in body) {
      await this.readLibrary();
      const libraryId = this.library.value && keptDecode(this.library.value, row.exchange, this.#exchanges());
      if (opening === this.#opening) this.state.value = { status: 'missing', reason: body.missing, libraryId };
      return;
    }
    let schema = schemaFor(url);
    if (!schema && this.side.value === 'response') {
      await this.readLibrary();
      if (opening !== this.#opening) return;
      schema = pageSchemaFor(this.library.value, row.exchange, this.#exchanges());
    }
    const request = {
      bytes: body.bytes,
      contentType: this.side.value === 'response' ? contentType : requestType(row.exchange, this.side.value),
      whole: true,
      format: this.#override(url),
      detected: this.side.value === 'response' ? row.found : undefined,
    };
    let answer = await this.client.call('read', { ...request, schema });
    if (opening !== this.#opening) return;
    if (!schema && this.side.value === 'response' && !request.format) {
      const found = await this.#tryPageSchemas(request, answer.detection);
      if (opening !== this.#opening) return;
      if (found) ({ answer, schema } = found);
    }
    const open = new OpenBody(answer, { lossy: body.lossy === true, received: body.bytes.length, schema });
    row.decodeMs = answer.milliseconds;
    if (this.side.value === 'response') row.detection = answer.detection;
    batch(() => {
      this.state.value = { status: 'ready', body: open };
      this.rows.value = [...this.rows.value];
    });
  }
}

function requestType({ requestHeaders }: Exchange, side: Side): string {
  return side === 'message' ? '' : (requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '');
}

export const FORMAT_IDS: readonly FormatId[] = FORMATS.map(({ id }) => id);
