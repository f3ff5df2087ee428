import { effect, type ReadonlySignal } from '@preact/signals';
import type { LibraryState, PageAdapter } from '../../devtools-extension/index.ts';
import { formatBytes } from '../ui/numbers.ts';
import { type LoggedRequest, MAX_KEPT_BYTES, type RequestLog } from '../payloads/request-log.ts';
import { askForSamples } from './samples.ts';
import type { Theme } from '../site/theme.ts';

/** Part of the state that the library keeps on a page for developer tools: the part that the panel shows. */
interface Registry {
  everything: boolean;
  readonly decodes: LibraryState['decodes'];
  readonly schemas: LibraryState['schemas'];
  readonly bodies: ReadonlyMap<number, ArrayBuffer>;
}

/** A panel that is shown or loading. */
export interface PanelView {
  readonly ready: Promise<void>;
  close(): void;
}

/** Shows the panel with the requests of a log, and requests samples if the log is empty. */
export function showPanel(place: Element, log: RequestLog, theme: ReadonlySignal<Theme>): PanelView {
  const ends: (() => void)[] = [];
  let isClosed = false;

  async function show(): Promise<void> {
    // Loaded on demand, as only this page needs its code.
    const { createPageAdapter, embedPanel } = await import('../../devtools-extension/index.ts');
    if (isClosed) return;
    const adapter = createPageAdapter({ readLibrary, readLibraryBody });
    let count = 0;
    ends.push(
      log.subscribe((request) => {
        count += 1;
        addTo(adapter, request);
      }),
    );
    const panel = embedPanel(place, adapter);
    ends.push(
      () => panel.close(),
      effect(() => panel.setTheme(theme.value)),
    );
    if (count === 0) await askForSamples(log);
  }

  return {
    ready: show(),
    close() {
      isClosed = true;
      for (const end of ends) end();
    },
  };
}

function addTo(adapter: PageAdapter, request: LoggedRequest): void {
  const { method, url, status, statusText, headers, time, duration, size, fromServiceWorker, body } = request;
  const contentType = headers.find(({ name }) => name === 'content-type')?.value ?? '';
  adapter.add({
    method,
    url,
    status,
    statusText,
    contentType,
    time,
    duration,
    fromServiceWorker,
    encodedSize: size,
    transferred: size,
    responseHeaders: headers,
    responseBody: async () => {
      const bytes = await body();
      if (bytes) return { bytes };
      const isLarge = size > MAX_KEPT_BYTES || size < 0;
      return { missing: isLarge ? `This page keeps bodies of up to ${formatBytes(MAX_KEPT_BYTES)} for the panel.` : 'The response has no body.' };
    },
  });
}

function registry(): Registry | undefined {
  return (globalThis as { [key: symbol]: unknown })[Symbol.for('unspool')] as Registry | undefined;
}

function readLibrary(): LibraryState | undefined {
  const found = registry();
  if (!found) return undefined;
  found.everything = true;
  const { decodes, schemas, bodies } = found;
  const state = { decodes: [...decodes], schemas: [...schemas], bodies: [...bodies.keys()], timeOrigin: performance.timeOrigin };
  return state;
}

function readLibraryBody(id: number): Uint8Array | undefined {
  const body = registry()?.bodies.get(id);
  return body && new Uint8Array(body);
}
