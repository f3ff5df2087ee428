import type { Body } from './adapter.ts';
import { bodyOfText, fromBase64 } from './bytes.ts';

/** Without an answer for so long, and none to a later question, there will be none. */
const PATIENCE = 5_000;
/** What DevTools hands over at most. */
const LARGEST_BODY = 14_999_936;
const TOO_LARGE = 'DevTools hands over bodies of up to 15 MB, and this one is larger.';

/** What is asked of a request of DevTools. */
export interface Entry {
  request: { method: string };
  response: { status: number; content: { size: number }; _error?: string | null };
  /** After a navigation it calls back with nothing. */
  getContent(callback: (content?: string | null, encoding?: string) => void): void;
}

let asked = 0;
let answered = 0;
let answeredAt = 0;

/** The body of a response, or why the browser has none. DevTools never answers for a body that the page does not read. */
export function readContent(entry: Entry): Promise<Body> {
  const { response } = entry;
  if (response._error) return Promise.resolve({ missing: whyFailed(response._error) });
  // It would be read and carried over, to be refused at the end.
  if (response.content.size > LARGEST_BODY) return Promise.resolve({ missing: TOO_LARGE, mayBeElsewhere: true });
  const turn = ++asked;
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(() => {
        // DevTools is behind: those that were asked for before this one are still being answered.
        if (answered < turn && performance.now() - answeredAt < PATIENCE) wait();
        else resolve({ missing: 'The page has not read this body, so the browser has not kept it.', mayBeElsewhere: true });
      }, PATIENCE);
    };
    wait();
    entry.getContent((content, encoding) => {
      clearTimeout(timer);
      answered = Math.max(answered, turn);
      answeredAt = performance.now();
      resolve(bodyOf(entry, content, encoding));
    });
  });
}

/** What the browser has given, whatever that is. */
function bodyOf(entry: Entry, content: unknown, encoding: unknown): Body {
  const { size } = entry.response.content;
  if (typeof content !== 'string' || (content === '' && size > 0)) return whyMissing(entry);
  if (encoding !== 'base64' && !isBase64Of(content, encoding, size)) return bodyOfText(content, size);
  try {
    return { bytes: fromBase64(content) };
  } catch {
    return { missing: 'The browser has given something that is no base64.', mayBeElsewhere: true };
  }
}

/** Firefox says the media type in place of the encoding. What is base64 then tells by the length that it stands for. */
function isBase64Of(content: string, encoding: unknown, size: number): boolean {
  if (typeof encoding !== 'string' || !encoding.includes('/') || size <= 0) return false;
  const padding = /={0,2}$/.exec(content)![0].length;
  return content.length % 4 === 0 && (content.length / 4) * 3 - padding === size && /^[A-Za-z\d+/]+={0,2}$/.test(content);
}

function whyFailed(error: string): string {
  if (error === 'net::ERR_ABORTED') return 'The page cancelled this request before its body was there.';
  if (error === 'net::ERR_BLOCKED_BY_CLIENT') return 'An extension has blocked this request.';
  return `The request failed: ${error}.`;
}

function whyMissing({ response, request }: Entry): Body {
  if (response.status >= 300 && response.status < 400) return { missing: 'A redirect has no body.' };
  if (request.method === 'HEAD' || response.status === 204) return { missing: 'This response has no body.' };
  return {
    missing: 'The browser has not kept this body: the request was cancelled, the page has navigated, or DevTools has dropped it.',
    mayBeElsewhere: true,
  };
}
