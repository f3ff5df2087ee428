import { parseBlockType } from './type.ts';

// A key tells the blocks of this origin's service worker from those that a server claims to send. It stands in their
// `Content-Type`. The origin keeps its keys as addresses in a cache of their own. Scripts of the origin read that cache,
// servers do not, and no request carries a key.

const CACHE = 'unspool-block-keys';
const ADDRESS = 'https://unspool.invalid/block-key/';
const KEY_BYTES = 16;

let own: string | undefined;

/**
 * The key of the blocks that this thread makes, which any thread of the origin can look up by now. Undefined where it cannot be
 * kept: the storage is full, or blocked.
 */
export async function ownKey(): Promise<string | undefined> {
  // Applications may clear all caches at any time.
  if (own !== undefined && (await isKept(own))) return own;
  try {
    const keys = await globalThis.caches?.open(CACHE);
    const [first] = (await keys?.keys()) ?? [];
    const key = first ? first.url.slice(ADDRESS.length) : (own ?? newKey());
    if (!first) await keys?.put(ADDRESS + key, new Response());
    return (own = key);
  } catch {
    return undefined;
  }
}

/** Whether a response has a block that a service worker of this origin has made. */
export async function hasOwnBlock({ headers }: Response): Promise<boolean> {
  const key = parseBlockType(headers.get('content-type'))?.key;
  return key !== undefined && (await isKept(key));
}

/** Whether a key is kept where every thread of the origin finds it; without such a place, whether this thread knows it. */
async function isKept(key: string): Promise<boolean> {
  try {
    const { caches } = globalThis;
    return caches ? (await caches.match(ADDRESS + key, { cacheName: CACHE })) !== undefined : key === own;
  } catch {
    return false;
  }
}

function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
