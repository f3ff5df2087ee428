import { batch, computed, signal } from '@preact/signals';
import { formatEntry, type FormatId } from '../../../core/formats/registry.ts';
import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection, ReadingClient, SchemaInput } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import { type Sorting, sortRows } from './columns.ts';
import type { PageLibrary } from '../page/page-library.ts';
import { operationOf } from './operation.ts';
import { filterRows, mayBeData, newRow, type Row, type Shown } from './row.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';
import { keptSignal } from '../shared/settings.ts';

/** Rows that the list holds: of more, the oldest go. */
const MOST_ROWS = 20_000;
/** Larger bodies are not timed: their values would take many times their size. */
const TIMED_BYTES = 256 * 1024;
/** A guess that is surer than this needs nobody else's word. */
const SURE = 0.9;
/** Milliseconds for which arrivals are gathered before the list changes. */
const GATHERING = 60;
/** Milliseconds more for each row: a long list takes longer to show. */
const GATHERING_EACH = 0.05;

/** What the list of requests works with. */
export interface RequestsSetting {
  client: ReadingClient;
  bodies: BodyStore;
  library: PageLibrary;
  schemas: SchemaUse;
}

/** The list of requests, its filters, and what is found out of each request before it is opened. */
export class Requests {
  readonly rows = signal<readonly Row[]>([]);
  /** How many of the oldest were dropped. */
  readonly dropped = signal(0);
  readonly text = signal('');
  readonly shown = keptSignal<Shown>('shown', 'data');
  readonly formatShown = signal<FormatId | ''>('');
  readonly keepLog = keptSignal('keep-log', false);

  readonly sorting = signal<Sorting | undefined>(undefined);

  readonly visible = computed(() =>
    sortRows(filterRows(this.rows.value, { text: this.text.value, shown: this.shown.value, format: this.formatShown.value }), this.sorting.value),
  );

  readonly #setting: RequestsSetting;
  #arrived: Row[] = [];
  #isScheduled = false;

  constructor(setting: RequestsSetting) {
    this.#setting = setting;
  }

  find(id: number | undefined): Row | undefined {
    return this.rows.value.find(({ exchange }) => exchange.id === id);
  }

  /** Takes in a request, and looks at its body while the browser has it. */
  add(exchange: Exchange): void {
    const row = newRow(exchange);
    this.#arrived.push(row);
    this.changed();
    if (exchange.messages || !mayBeData(exchange)) return;
    // The library reports of every decode from the first reading on.
    if (!this.#setting.library.state.value) void this.#setting.library.readLater();
    void this.#look(row);
  }

  clear(): void {
    batch(() => {
      this.rows.value = [];
      this.dropped.value = 0;
      this.#setting.bodies.clear();
      this.#arrived = [];
    });
  }

  /** Shows every request again. */
  showAll(): void {
    batch(() => {
      this.text.value = '';
      this.formatShown.value = '';
      this.shown.value = 'all';
    });
  }

  /** A row has changed, or has arrived: the list is shown anew in a moment. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.flush(), GATHERING + this.rows.value.length * GATHERING_EACH);
  }

  /** Shows the list anew, with what has arrived. */
  flush(): void {
    this.#isScheduled = false;
    const rows = [...this.rows.value, ...this.#arrived];
    this.#arrived = [];
    const over = Math.max(0, rows.length - MOST_ROWS);
    batch(() => {
      this.dropped.value += over;
      this.rows.value = over > 0 ? rows.slice(over) : rows;
    });
  }

  /** Reads the body while the browser has it, and tells its format. */
  async #look(row: Row): Promise<void> {
    const { bodies, client, library, schemas } = this.#setting;
    void operationOf(row.exchange).then((operation) => {
      if (operation === undefined) return;
      row.operation = operation;
      this.changed();
    });
    const body = await bodies.read(row.exchange);
    const bytes = 'missing' in body ? undefined : body.bytes;
    if (bytes) row.size = bytes.length;
    // How a call of gRPC ended may stand in the headers alone.
    if (!bytes && !hasRpcHeaders(row.exchange)) return;
    const { url, contentType, status, responseHeaders: headers } = row.exchange;
    const request = { bytes: bytes ?? new Uint8Array(0), contentType, url, status, headers };
    const detection = await client.call('detect', request, { isBackground: true }).catch((error: unknown) => unreadable(error as Error));
    row.found = detection;
    if (!bytes) {
      row.detection = detection;
      return this.changed();
    }
    const schema = schemas.droppedFor(url);
    const override = schemas.formatFor(url);
    const format = override ?? schema?.format;
    row.detection = format ? { ...detection, format, confidence: 1, reasons: [override ? 'you chose it' : `the schema ${schema!.name}`] } : detection;
    this.changed();
    const isSure = detection.format !== undefined && detection.confidence >= SURE;
    if (format || isSure) return bytes.length <= TIMED_BYTES ? this.#time(row, bytes, schema) : undefined;
    // The page may be decoding it just now.
    await library.readLater();
    const known = schemas.ofPage(row.exchange);
    if (!known || row.decodeMs !== undefined) return;
    row.detection = { ...detection, format: known.format, confidence: 1, reasons: [`the schema ${known.name}`] };
    this.changed();
  }

  /** Measures how long a small body takes to decode, unless that is known. */
  async measure(row: Row, bytes: Uint8Array, schema: SchemaInput | undefined): Promise<void> {
    if (row.decodeMs === undefined && bytes.length <= TIMED_BYTES) await this.#time(row, bytes, schema);
  }

  /** Measures how long a body takes to decode. */
  async #time(row: Row, bytes: Uint8Array, schema: SchemaInput | undefined): Promise<void> {
    const { detection } = row;
    const format = detection?.format;
    if (!detection || !format) return;
    const { sequence } = detection;
    for (const by of schema ? [schema] : await this.#schemasToTime(detection)) {
      // What cannot be decoded takes no time.
      const time = await this.#setting.client.call('time', { bytes, format, sequence, schema: by }, { isBackground: true }).catch(() => undefined);
      if (time === undefined) continue;
      row.decodeMs ??= time;
      this.changed();
      return;
    }
  }

  /** What a body may be read with: nothing, where its format allows that, or a schema of the page. */
  async #schemasToTime(detection: Detection): Promise<(SchemaInput | undefined)[]> {
    const isAvro = detection.format === 'avro';
    if (!isAvro && formatEntry(detection.format!)?.schema !== true) return [undefined];
    const { library, schemas } = this.#setting;
    if (!library.state.value) await library.readLater();
    const found = schemas.candidates(detection);
    // Containers of Avro have their schema in them.
    return isAvro ? [undefined, ...found] : found;
  }
}

function hasRpcHeaders({ responseHeaders }: Exchange): boolean {
  return responseHeaders.some(({ name }) => name.toLowerCase() === 'grpc-status');
}

function unreadable({ message }: Error): Detection {
  return { format: undefined, confidence: 0, reasons: [message], sequence: false, wrappings: [] };
}
