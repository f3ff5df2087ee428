import type { ReadonlySignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Adapter } from '../adapter/adapter.ts';
import { createPageAdapter } from '../adapter/page.ts';
import type { ReadingClient, SchemaInput } from '../reading/protocol.ts';
import { addressOf } from '../text/address.ts';
import { fileExchange } from './files/panel-files.ts';
import { BodyApp } from './body-app.tsx';
import { App } from './app.tsx';
import { mountPanel } from './mount.tsx';
import type { Panel } from './panel.ts';
import type { BodyState } from './selection/selection.ts';
import styles from './styles/index.css?inline';

/** Panel embedded in a page. */
export interface EmbeddedPanel {
  setTheme(theme: 'light' | 'dark' | 'system'): void;
  close(): void;
}

/** A payload of an embedding page. */
export interface EmbeddedPayload {
  name: string;
  bytes: Uint8Array;
  /** Content-Type; empty if unknown. */
  contentType: string;
  schema?: SchemaInput | undefined;
  /** Maximum number of bytes to show. */
  part?: number | undefined;
}

/** The view of one payload, without a list of requests. */
export interface EmbeddedBody extends EmbeddedPanel {
  /** The open payload. Changes too when the user chooses another format. */
  readonly state: ReadonlySignal<BodyState>;
  /** The worker that reads the payload, for other calls. */
  readonly client: ReadingClient;
  /** Opens a payload instead of the current one. */
  open(payload: EmbeddedPayload): Promise<void>;
}

/** Embeds the panel in an element and fills it. A shadow tree keeps the style sheets of page and panel apart. */
export function embedPanel(element: Element, adapter: Adapter): EmbeddedPanel {
  return embed(element, adapter, App);
}

/** Embeds the views of one payload: tree and bytes, text, table and size. */
export function embedBody(element: Element): EmbeddedBody {
  const { panel, ...embedded } = embed(element, createPageAdapter(), BodyApp);
  let nextId = -1;
  const { client, schemas, requests, selection } = panel;
  return {
    ...embedded,
    state: selection.state,
    client,
    async open({ name, bytes, contentType, schema, part }) {
      // A format that was chosen for an earlier payload of this name.
      schemas.forgetFormat(addressOf(`file:///${name}`));
      schemas.given.value = schema;
      const exchange = fileExchange({ name, type: contentType }, bytes, nextId--);
      requests.clear();
      requests.add(exchange);
      requests.flush();
      await selection.select(exchange.id, 'response', part);
    },
  };
}

function embed(element: Element, adapter: Adapter, View: (props: { panel: Panel }) => JSX.Element): EmbeddedPanel & { panel: Panel } {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  const place = document.createElement('div');
  place.id = 'panel';
  root.append(place);
  element.append(host);
  const mounted = mountPanel(place, adapter, View);
  return {
    panel: mounted.panel,
    setTheme(theme) {
      if (theme === 'system') delete host.dataset['theme'];
      else host.dataset['theme'] = theme;
    },
    close() {
      mounted.close();
      host.remove();
    },
  };
}
