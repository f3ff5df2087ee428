import { batch, computed, signal } from '@preact/signals';
import type { FormatId } from '../../../core/format/format-id.ts';
import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection, ReadingClient } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import { type Sorting, sortRows } from './columns.ts';
import type { PageLibrary } from '../page/page-library.ts';
import { operationOf } from './operation.ts';
import { filterRows } from './filter.ts';
import { type Line, linesOf, mayBeData, newRow, type Row, serviceWorkerRequests, type Shown } from './row.ts';
import { lacksSchema, type SchemaUse, typeIn } from '../schemas/schema-use.ts';
import { storedSignal } from '../shared/settings.ts';

/** Maximum number of rows; the oldest are dropped. */
const MAX_ROWS = 20_000;
/** Larger bodies are not read for the list, because their values would take many times their size in memory. */
const MAX_GLANCED = 256 * 1024;
/** Confidence above which a detected format needs no schema to confirm it. */
const SURE = 0.9;
/** Milliseconds between an arrival and the update of the list. */
const GATHERING = 60;
/** Additional milliseconds per row, because a long list takes longer to render. */
const GATHERING_EACH = 0.05;

/** Dependencies of `Requests`. */
export interface RequestsDependencies {
  client: ReadingClient;
  bodies: BodyStore;
  library: PageLibrary;
  schemas: SchemaUse;
}

/** The request list with its filters. Detects the format of each body as it arrives. */
export class Requests {
  readonly rows = signal<readonly Row[]>([]);
  /** Number of dropped rows. */
  readonly dropped = signal(0);
  readonly text = signal('');
  readonly shown = storedSignal<Shown>('shown', 'data');
  readonly formatShown = signal<FormatId | ''>('');
  readonly keepLog = storedSignal('keep-log', false);

  readonly sorting = signal<Sorting | undefined>(undefined);

  readonly visible = computed(() =>
    sortRows(filterRows(this.rows.value, { text: this.text.value, shown: this.shown.value, format: this.formatShown.value }), this.sorting.value),
  );

  /** Lines of the list: in the order of arrival, with the addresses to which the page navigated. */
  readonly lines = computed<readonly Line[]>(() => {
    const visible = this.visible.value;
    return this.sorting.value ? [...visible.keys()] : linesOf(this.rows.value, visible, this.#navigatedTo.value);
  });

  /** Requests made by a service worker, with the ids of the requests that they answer. */
  readonly byServiceWorker = computed(() => serviceWorkerRequests(this.rows.value));

  readonly #dependencies: RequestsDependencies;
  #arrived: Row[] = [];
  /** Address of the page, if it changed after the last request. */
  readonly #navigatedTo = signal<string | undefined>(undefined);
  #isScheduled = false;

  constructor(dependencies: RequestsDependencies) {
    this.#dependencies = dependencies;
  }

  find(id: number | undefined): Row | undefined {
    return this.rows.value.find(({ exchange }) => exchange.id === id);
  }

  /** Adds a request, and reads its body while the browser still has it. */
  add(exchange: Exchange): void {
    const row = newRow(exchange);
    row.navigatedTo = this.#navigatedTo.peek();
    this.#navigatedTo.value = undefined;
    this.#arrived.push(row);
    this.changed();
    if (exchange.messages || !mayBeData(exchange)) return;
    // The library reports decodes only after it was read once.
    if (!this.#dependencies.library.state.value) void this.#dependencies.library.readLater();
    void this.#look(row);
  }

  /** Marks the change of the page's address. Of several without a request between them, the last one counts. */
  navigated(url: string): void {
    if (this.rows.peek().length + this.#arrived.length > 0) this.#navigatedTo.value = url;
  }

  /** Updates the size of an open stream, which is that of its messages. */
  grown({ id }: Exchange, bytes: number): void {
    const row = this.find(id);
    if (!row || bytes <= row.size) return;
    row.size = bytes;
    this.changed();
  }

  /** Removes all requests, or those that began before a time, in milliseconds since the epoch. */
  clear(before = Infinity): void {
    const isKept = ({ exchange }: Row): boolean => exchange.time >= before;
    batch(() => {
      this.rows.value = this.rows.peek().filter(isKept);
      this.dropped.value = 0;
      this.#dependencies.bodies.clear(before);
      this.#arrived = this.#arrived.filter(isKept);
      this.#navigatedTo.value = undefined;
    });
  }

  /** Clears all filters. */
  showAll(): void {
    batch(() => {
      this.text.value = '';
      this.formatShown.value = '';
      this.shown.value = 'all';
    });
  }

  /** Schedules an update of the list. */
  changed(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setTimeout(() => this.flush(), GATHERING + this.rows.value.length * GATHERING_EACH);
  }

  /** Updates the list immediately. */
  flush(): void {
    this.#isScheduled = false;
    const rows = [...this.rows.value, ...this.#arrived];
    this.#arrived = [];
    const over = Math.max(0, rows.length - MAX_ROWS);
    batch(() => {
      this.dropped.value += over;
      this.rows.value = over > 0 ? rows.slice(over) : rows;
    });
  }

  /** Reads the body while the browser still has it, and detects its format. */
  async #look(row: Row): Promise<void> {
    const { bodies, client, library, schemas } = this.#dependencies;
    const named = operationOf(row.exchange).then((operation) => {
      if (operation === undefined) return;
      row.operation = operation;
      this.changed();
      if (operation.includes('/')) void this.#findSent(row);
    });
    const body = await bodies.read(row.exchange);
    const bytes = 'missing' in body ? undefined : body.bytes;
    if (bytes) row.size = bytes.length;
    // A gRPC status may be in the headers of a response without a body.
    if (!bytes && !hasRpcHeaders(row.exchange)) return;
    const { url, contentType, status, responseHeaders: headers } = row.exchange;
    const request = { bytes: bytes ?? new Uint8Array(0), contentType, url, status, headers };
    const detection = await client.call('detect', request, { isBackground: true }).catch((error: unknown) => unreadable(error as Error));
    row.found = detection;
    if (!bytes) {
      row.detection = detection;
      return this.changed();
    }
    const schema = schemas.chosen(row.exchange, 'response');
    const override = schemas.formatFor(url);
    const format = override ?? schema?.format;
    row.detection = format ? { ...detection, format, confidence: 1, reasons: [override ? 'chosen by you' : `schema ${schema!.name}`] } : detection;
    this.changed();
    if (format === undefined && detection.format === 'json') void named.then(() => this.#findErrors(row, bytes));
    if (!schema && lacksSchema(detection, bytes, contentType)) void this.#findSchemas(row, bytes);
    const isSure = detection.format !== undefined && detection.confidence >= SURE;
    if (format || isSure) return;
    // The page may be decoding it at this moment.
    await library.readLater();
    const known = schemas.ofPage(row.exchange);
    if (!known) return;
    row.detection = { ...detection, format: known.format, confidence: 1, reasons: [`schema ${known.name}`] };
    this.changed();
  }

  /** Reads the first values of a call's request, which tell calls of one method apart. */
  async #findSent(row: Row): Promise<void> {
    const { client, schemas } = this.#dependencies;
    const { exchange } = row;
    const body = await exchange.requestBody?.();
    if (!body || 'missing' in body || body.bytes.length > MAX_GLANCED) return;
    const request = { bytes: body.bytes, contentType: typeIn(exchange, 'request'), url: exchange.url, schema: schemas.of(exchange, 'request') };
    const glance = await client.call('glance', request, { isBackground: true }).catch(() => undefined);
    if (!glance?.text) return;
    row.sent = glance.text;
    this.changed();
  }

  /** Marks the response to a GraphQL operation that has errors, whatever its status. */
  async #findErrors(row: Row, bytes: Uint8Array): Promise<void> {
    if (row.operation === undefined || row.detection?.rpc) return;
    const request = { bytes, contentType: row.exchange.contentType, path: ['errors', 0, 'message'] };
    const found = await this.#dependencies.client.call('pick', request, { isBackground: true }).catch(() => undefined);
    if (!found) return;
    row.problem = found.text;
    this.changed();
  }

  /** Looks for the schema of a request in the page's scripts. */
  async #findSchemas(row: Row, bytes: Uint8Array): Promise<void> {
    const { client, schemas } = this.#dependencies;
    await schemas.found?.search();
    const schema = schemas.found?.of(row.exchange, 'response');
    const { detection } = row;
    if (!schema || !detection) return;
    if (detection.format !== schema.format && bytes.length <= MAX_GLANCED) {
      const { url, contentType } = row.exchange;
      const glance = await client.call('glance', { bytes, contentType, url, schema }, { isBackground: true }).catch(() => undefined);
      if (glance?.format === schema.format)
        row.detection = { ...detection, format: schema.format, confidence: 1, reasons: [`schema ${schema.name}`] };
    }
    this.changed();
  }
}

function hasRpcHeaders({ responseHeaders }: Exchange): boolean {
  return responseHeaders.some(({ name }) => name.toLowerCase() === 'grpc-status');
}

function unreadable({ message }: Error): Detection {
  return { format: undefined, confidence: 0, reasons: [message], sequence: false, wrappings: [] };
}
