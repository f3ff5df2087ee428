import { batch, signal } from '@preact/signals';
import { type FormatId, FORMATS } from '../../../worker/formats/registry.ts';
import type { Adapter, Exchange } from '../../adapter/adapter.ts';
import type { ReadingClient } from '../../reading/protocol.ts';
import { BodyStore } from './body-store.ts';
import { PageLibrary } from './page-library.ts';
import { PanelFiles } from './panel-files.ts';
import { Requests } from './requests.ts';
import { SchemaUse } from './schema-use.ts';
import { Selection } from './selection.ts';

/** The panel's models, joined. Components render them. */
export class Panel {
  readonly adapter: Adapter;
  readonly client: ReadingClient;
  readonly library: PageLibrary;
  readonly schemas: SchemaUse;
  readonly requests: Requests;
  readonly selection: Selection;
  readonly files: PanelFiles;
  /** Looks for open streams; undefined where that is done by itself. */
  readonly lookForStreams = signal<(() => void) | undefined>(undefined);
  /** What was done last, in words. */
  readonly notice = signal('');

  constructor(adapter: Adapter, client: ReadingClient) {
    this.adapter = adapter;
    this.client = client;
    const { notice } = this;
    const bodies = new BodyStore();
    const library = (this.library = new PageLibrary(adapter));
    const exchanges = (): Exchange[] => this.requests.rows.value.map(({ exchange }) => exchange);
    const schemas = (this.schemas = new SchemaUse(library, exchanges));
    const requests = (this.requests = new Requests({ client, bodies, library, schemas }));
    const selection = (this.selection = new Selection({ client, bodies, library, schemas, requests }));
    this.files = new PanelFiles({ client, requests, selection, schemas, notice });
  }

  /** Begins to listen. Returns what ends it. */
  start(): () => void {
    return this.adapter.subscribe({
      exchange: (exchange) => this.requests.add(exchange),
      streamsPaused: (look) => {
        this.lookForStreams.value = look;
      },
      navigated: () => {
        this.library.forget();
        if (!this.requests.keepLog.value) this.clear();
      },
    });
  }

  clear(): void {
    batch(() => {
      this.requests.clear();
      this.selection.clear();
    });
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
