import type { Adapter, AdapterListener, Exchange, LibraryState, PageRequest } from './adapter.ts';

/** What a page gives the panel that it shows in itself. */
export interface PageSource {
  theme?: 'light' | 'dark' | 'system';
  readLibrary?: () => LibraryState | undefined;
  readLibraryBody?: (id: number) => Uint8Array | undefined;
  /** Makes a request. Returns why it cannot be made. Without it, nothing can be sent again. */
  send?: (request: PageRequest) => string | undefined;
}

/** The panel's surroundings in a plain page: the page says itself what there is to show. */
export interface PageAdapter extends Adapter {
  /** Shows a request. */
  add(exchange: Partial<Exchange> & Pick<Exchange, 'url'> & { bytes?: Uint8Array }): Exchange;
  navigate(url: string): void;
}

export function createPageAdapter(source: PageSource = {}): PageAdapter {
  const listeners = new Set<AdapterListener>();
  const exchanges: Exchange[] = [];
  return {
    theme: source.theme ?? 'system',
    subscribe(listener) {
      for (const exchange of exchanges) listener.exchange(exchange);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    readLibrary: () => Promise.resolve(source.readLibrary?.()),
    readLibraryBody: (id) => Promise.resolve(source.readLibraryBody?.(id)),
    copy: (text) => navigator.clipboard.writeText(text),
    pageOrigin: () => Promise.resolve(location.origin),
    ...(source.send && { send: (request) => Promise.resolve(source.send!(request)) }),
    navigate(url) {
      for (const listener of listeners) listener.navigated(url);
    },
    add({ bytes, ...given }) {
      const exchange: Exchange = {
        id: exchanges.length + 1,
        method: 'GET',
        status: 200,
        statusText: 'OK',
        contentType: '',
        initiator: 'fetch',
        time: Date.now(),
        duration: 0,
        encodedSize: bytes?.length ?? -1,
        transferred: bytes?.length ?? -1,
        fromServiceWorker: false,
        requestHeaders: [],
        responseHeaders: [],
        responseBody: () => Promise.resolve(bytes ? { bytes } : { missing: 'There is no body.' }),
        ...given,
      };
      exchanges.push(exchange);
      for (const listener of listeners) listener.exchange(exchange);
      return exchange;
    },
  };
}
