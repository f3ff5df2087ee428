import type { Body, Header } from './adapter.ts';
import { bodyOfText, fromBase64 } from './bytes.ts';

/** Milliseconds without any answer, including to later requests, after which none will come. */
const PATIENCE = 5_000;
/** Maximum body size that DevTools delivers. */
const MAX_BODY = 14_999_936;
const TOO_LARGE = 'DevTools delivers bodies of up to 15 MB; this one is larger.';

/** The parts of a DevTools request that are needed here. */
export interface Entry {
  request: { method: string };
  response: { status: number; headers?: readonly Header[]; content: { size: number }; bodySize?: number; _error?: string | null };
  /** After a navigation, called back without content. */
  getContent(callback: (content?: string | null, encoding?: string) => void): void;
}

let requestCount = 0;
let answeredCount = 0;
let answeredAt = 0;

/** Body of a response, or the reason why it is missing. DevTools never answers for a body that the page does not read. */
export function readContent(entry: Entry): Promise<Body> {
  const { response } = entry;
  const none = whyNone(entry);
  if (none) return Promise.resolve({ missing: none });
  if (response.status > 0 && lengthOf(entry) === 0) return Promise.resolve({ bytes: new Uint8Array(0) });
  if (response._error) return Promise.resolve(whyFailed(entry, response._error));
  // DevTools would read and transfer the body, only to refuse it.
  if (response.content.size > MAX_BODY) return Promise.resolve({ missing: TOO_LARGE, mayBeElsewhere: true });
  const turn = ++requestCount;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => {
        // DevTools is busy: it is still answering earlier requests.
        if (answeredCount < turn && performance.now() - answeredAt < PATIENCE) wait();
        else resolve({ missing: 'The page did not read this body, so the browser did not keep it.', mayBeElsewhere: true });
      }, PATIENCE);
    };
    wait();
    entry.getContent((content, encoding) => {
      clearTimeout(timer);
      answeredCount = Math.max(answeredCount, turn);
      answeredAt = performance.now();
      resolve(bodyOf(entry, content, encoding));
    });
  });
}

/** Body of a response from what DevTools keeps of its URL; undefined if that is missing or has another size. */
export async function readResource(entry: Entry, resource: Pick<Entry, 'getContent'>): Promise<Body | undefined> {
  const { request, response } = entry;
  const body = await readContent({ request, response, getContent: (callback) => resource.getContent(callback) });
  return 'bytes' in body && body.bytes.length === response.content.size ? body : undefined;
}

/** Validates the browser's answer. */
function bodyOf(entry: Entry, content: unknown, encoding: unknown): Body {
  const { size } = entry.response.content;
  if (typeof content !== 'string' || (content === '' && Math.max(size, lengthOf(entry) ?? 0) > 0)) return whyMissing(entry);
  if (encoding !== 'base64' && !isBase64Of(content, encoding, size)) return bodyOfText(content, size);
  try {
    return { bytes: fromBase64(content) };
  } catch {
    return { missing: 'The browser returned invalid base64.', mayBeElsewhere: true };
  }
}

/** Firefox passes the media type instead of the encoding. Base64 is then recognized by its decoded length. */
function isBase64Of(content: string, encoding: unknown, size: number): boolean {
  if (typeof encoding !== 'string' || !encoding.includes('/') || size <= 0) return false;
  const padding = /={0,2}$/.exec(content)![0].length;
  return content.length % 4 === 0 && (content.length / 4) * 3 - padding === size && /^[A-Za-z\d+/]+={0,2}$/.test(content);
}

/** Length of the body as sent, according to the server; undefined if it does not tell. */
function lengthOf({ response: { headers = [] } }: Entry): number | undefined {
  const length = headers.find(({ name }) => name.toLowerCase() === 'content-length')?.value;
  return length === undefined ? undefined : Number(length);
}

/** Why a response that arrived has no body; undefined if it may have one. */
function whyNone(entry: Entry): string | undefined {
  const { method } = entry.request;
  const { status } = entry.response;
  if (status === 0) return undefined;
  if (method === 'HEAD') return 'The response to a HEAD request has no body.';
  if (status < 200 || status === 204 || status === 205) return `A response with the status ${status} has no body.`;
  return undefined;
}

function whyFailed({ response: { status } }: Entry, error: string): Body {
  if (error === 'net::ERR_BLOCKED_BY_CLIENT') return { missing: 'An extension blocked this request.' };
  if (error !== 'net::ERR_ABORTED') return { missing: `The request failed: ${error}.` };
  if (status === 0) return { missing: 'The page cancelled this request before a response arrived.' };
  return { missing: 'DevTools has no body: the page cancelled this request, or did not read the body to its end.', mayBeElsewhere: true };
}

function whyMissing({ response }: Entry): Body {
  if (response.status >= 300 && response.status < 400) return { missing: 'A redirect has no body.' };
  return {
    missing: 'The browser no longer has this body: the request was cancelled, the page navigated, or DevTools evicted it.',
    mayBeElsewhere: true,
  };
}
