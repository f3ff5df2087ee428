import type { Adapter, AdapterListener, Exchange, LibraryState, PageRequest, PageScript } from './adapter.ts';

/** Callbacks of a page that embeds the panel. */
export interface PageSource {
  theme?: 'light' | 'dark' | 'system';
  readLibrary?: () => LibraryState | undefined;
  readLibraryBody?: (id: number) => Uint8Array | undefined;
  /** Sends a request. Returns an error message if it cannot be sent. Without it, the panel does not offer to send requests. */
  send?: (request: PageRequest) => string | undefined;
  /** Bytes of a response that is requested again. */
  fetchAgain?: (url: string) => Uint8Array;
  /** Scripts in which the panel looks for schemas. */
  scripts?: () => PageScript[];
}

/** Adapter for a plain page, which supplies the requests itself. */
export interface PageAdapter extends Adapter {
  /** Adds a request. */
  add(exchange: Partial<Exchange> & Pick<Exchange, 'url'> & { bytes?: Uint8Array }): Exchange;
  /** See `AdapterListener.navigated`. */
  navigate(url: string, documentStart: number | undefined): void;
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
    ...(source.fetchAgain && { fetchAgain: (url) => Promise.resolve({ bytes: source.fetchAgain!(url) }) }),
    ...(source.scripts && { scripts: () => Promise.resolve(source.scripts!()) }),
    navigate(url, documentStart) {
      for (const listener of listeners) listener.navigated(url, documentStart);
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
