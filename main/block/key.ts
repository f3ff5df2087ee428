import { parseBlockType } from './type.ts';

// A key distinguishes blocks made by this origin's service worker from those that a server claims to send. It is part
// of their `Content-Type`. The origin stores its keys as addresses in a dedicated cache, which scripts of the origin
// can read and servers cannot; no request carries a key.

const CACHE = 'unspool-block-keys';
const ADDRESS = 'https://unspool.invalid/block-key/';
const KEY_BYTES = 16;

let own: string | undefined;

/**
 * Key for the blocks made on this thread, already visible to all threads of the origin. Undefined if it cannot be
 * stored because the storage is full or blocked.
 */
export async function ownKey(): Promise<string | undefined> {
  // Applications may clear all caches at any time.
  if (own !== undefined && (await isStored(own))) return own;
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

/** True if a response contains a block made by a service worker of this origin. */
export async function hasOwnBlock({ headers }: Response): Promise<boolean> {
  const key = parseBlockType(headers.get('content-type'))?.key;
  return key !== undefined && (await isStored(key));
}

/** True if the key is stored for all threads of the origin. Without caches, true if it is this thread's key. */
async function isStored(key: string): Promise<boolean> {
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
