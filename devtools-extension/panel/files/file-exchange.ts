import type { Exchange } from '../../adapter/adapter.ts';

/** Wraps a file as an exchange, so that it opens like a response. */
export function fileExchange(file: File, bytes: Uint8Array, id: number): Exchange {
  return {
    id,
    method: 'FILE',
    url: `file:///${file.name}`,
    status: 0,
    statusText: '',
    contentType: file.type,
    initiator: 'file',
    time: Date.now(),
    duration: 0,
    encodedSize: bytes.length,
    transferred: bytes.length,
    fromServiceWorker: false,
    requestHeaders: [],
    responseHeaders: [],
    responseBody: () => Promise.resolve({ bytes }),
  };
}
