import { batch, signal } from '@preact/signals';
import type { FormatId } from '../../core/format/format-id.ts';
import { FORMATS } from '../../core/formats/registry.ts';
import type { Adapter, Exchange, Message, SearchAction } from '../adapter/adapter.ts';
import type { ReadingClient } from '../reading/protocol.ts';
import { BodyStore } from './body/body-store.ts';
import { ContextMenu } from './shared/menu.ts';
import { MessageGlances } from './messages/message-glances.ts';
import { PageLibrary } from './page/page-library.ts';
import { PanelFiles } from './files/panel-files.ts';
import { Requests } from './requests/requests.ts';
import { Resend } from './send-again/resend.ts';
import { FoundSchemas } from './schemas/found-schemas.ts';
import type { Direction } from './schemas/schemas.ts';
import { SchemaUse } from './schemas/schema-use.ts';
import type { Row } from './requests/row.ts';
import { Selection } from './selection/selection.ts';
import { Session } from './session/session.ts';
import { SessionExport } from './session/session-export.ts';

/** The panel's models. Components render them. */
export class Panel {
  readonly adapter: Adapter;
  readonly client: ReadingClient;
  readonly library: PageLibrary;
  readonly schemas: SchemaUse;
  readonly requests: Requests;
  readonly selection: Selection;
  readonly files: PanelFiles;
  readonly session: Session;
  readonly sessionExport: SessionExport;
  readonly resend: Resend;
  readonly glances: MessageGlances;
  readonly menu = new ContextMenu();
  /** Looks for open streams; undefined while that happens automatically. */
  readonly lookForStreams = signal<(() => void) | undefined>(undefined);
  /** Announcement of the last action. */
  readonly notice = signal('');

  constructor(adapter: Adapter, client: ReadingClient) {
    this.adapter = adapter;
    this.client = client;
    const { notice } = this;
    const bodies = new BodyStore();
    const library = (this.library = new PageLibrary(adapter));
    const exchanges = (): Exchange[] => this.requests.rows.value.map(({ exchange }) => exchange);
    const schemas = (this.schemas = new SchemaUse(library, exchanges, new FoundSchemas({ adapter, client, exchanges })));
    const requests = (this.requests = new Requests({ client, bodies, library, schemas }));
    const selection = (this.selection = new Selection({ adapter, client, bodies, library, schemas, requests, notice }));
    this.glances = new MessageGlances({ client, schemas });
    this.session = new Session({ client, bodies, requests, schemas });
    this.resend = new Resend({ adapter, client, requests, schemas, notice });
    this.sessionExport = new SessionExport({ client, bodies, requests, schemas });
    this.files = new PanelFiles({ client, requests, selection, schemas, notice });
  }

  /** Subscribes to the adapter. Returns a function that unsubscribes. */
  start(): () => void {
    const stopSearch = this.adapter.watchSearch?.((search) => this.#search(search));
    const stop = this.adapter.subscribe({
      exchange: (exchange) => {
        this.requests.add(exchange);
        this.resend.arrived(exchange);
      },
      grown: (exchange, bytes) => this.requests.grown(exchange, bytes),
      streamsPaused: (look) => {
        this.lookForStreams.value = look;
      },
      navigated: (url, documentStart) => {
        if (documentStart !== undefined) {
          this.library.forget();
          this.schemas.found?.forget();
          if (!this.requests.keepLog.value) return this.clear(documentStart);
        }
        this.requests.navigated(url);
      },
    });
    return () => {
      stopSearch?.();
      stop();
    };
  }

  /** Forwards the search of DevTools to the open body. */
  #search(search: SearchAction): void {
    const state = this.selection.state.value;
    if (state.status !== 'ready') return;
    const { search: own } = state.body;
    if (search.action === 'next') own.go(1);
    else if (search.action === 'previous') own.go(-1);
    else void own.find({ text: search.action === 'find' ? search.text : '', isPattern: false }).then(() => own.go(1));
    if (search.action === 'find' && !['tree', 'messages'].includes(this.selection.tab.value)) this.selection.tab.value = 'tree';
  }

  /** Removes all requests, or those that began before a time. */
  clear(before = Infinity): void {
    batch(() => {
      this.requests.clear(before);
      if (!this.requests.find(this.selection.id.value)) this.selection.clear();
    });
  }

  /** Opens a request at a path in its body, or in a message of it. */
  async show({ exchange }: Row, path: readonly (string | number)[], direction: Direction = 'response', message?: Message): Promise<void> {
    await this.selection.select(exchange.id, message ? 'response' : direction);
    if (message) await this.selection.openMessage(message);
    const state = this.selection.state.value;
    if (state.status !== 'ready' || !state.body.tree) return;
    if (!message) this.selection.tab.value = 'tree';
    state.body.selectPath(path);
  }

  async copy(text: string, what: string): Promise<void> {
    try {
      await this.adapter.copy(text);
      this.notice.value = `${what} copied.`;
    } catch (error) {
      this.notice.value = (error as Error).message;
    }
  }
}

export const FORMAT_IDS: readonly FormatId[] = FORMATS.map(({ id }) => id);
