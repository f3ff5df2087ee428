import type { Source } from './source.ts';

/** The document that fetches: see `demo/public/address.js`. */
const FETCHER = 'address.html';

/** Reply of the document that fetches. */
type Reply = 'ready' | { status: number; type: string; body: ArrayBuffer } | { problem: string };

/**
 * Fetches what the visitor typed. The page's policy allows requests to its own origin only, so a sandboxed document fetches other
 * addresses. It knows the address and nothing else of the page, and is removed afterwards.
 */
export async function fetchAddress(address: string): Promise<Source> {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`${address} is no address: begin with https:// or /.`);
  const { status, type, body } = url.origin === location.origin ? await fetchHere(url) : await fetchInFrame(url);
  if (status < 200 || status > 299) throw new Error(`The server answered with status ${status}.`);
  const name = url.pathname.split('/').at(-1) || url.hostname;
  return { name, bytes: new Uint8Array(body), contentType: type };
}

async function fetchHere(url: URL): Promise<{ status: number; type: string; body: ArrayBuffer }> {
  const response = await fetch(url);
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.arrayBuffer() };
}

async function fetchInFrame({ href, hostname }: URL): Promise<{ status: number; type: string; body: ArrayBuffer }> {
  const frame = document.createElement('iframe');
  frame.className = 'visually-hidden';
  frame.title = 'Fetches an address';
  frame.inert = true;
  frame.ariaHidden = 'true';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = FETCHER;
  const replies = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const onMessage = ({ source, data }: MessageEvent<Reply>): void => {
        if (source !== frame.contentWindow || !source) return;
        // The sandbox has an origin that no other document has, and that cannot be named.
        if (data === 'ready') frame.contentWindow!.postMessage({ url: href }, '*');
        else if ('problem' in data) reject(new Error(`${data.problem} ${hostname} must be reachable, and allow other pages to read it (CORS).`));
        else resolve(data);
      };
      addEventListener('message', onMessage, { signal: replies.signal });
      frame.addEventListener('error', () => reject(new Error('The document that fetches could not be loaded.')));
      document.body.append(frame);
    });
  } finally {
    replies.abort();
    frame.remove();
  }
}
