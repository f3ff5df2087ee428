import { signal, type ReadonlySignal } from '@preact/signals';
import type { Damage, Encoding } from '../payloads/catalogue.ts';
import { spoil } from './damage.ts';
import { loadBlob } from '../payloads/load-blob.ts';
import { payloadUrl } from '../payloads/payload-url.ts';
import { MAX_KEPT_BYTES, type LoggedRequest, type RequestLog } from '../payloads/request-log.ts';

export interface PayloadKey {
  rows: number;
  encoding: Encoding;
}

export interface Download extends PayloadKey {
  state: 'loading' | 'ready' | 'failed';
  /** Bytes received. */
  received: number;
  /** Total bytes; undefined if unknown. */
  total: number | undefined;
  /** Duration in milliseconds, once ready. */
  ms: number | undefined;
}

/** Downloads payloads and keeps those of the last requested number of rows. */
export interface Downloads {
  /** Downloads in the order of their requests. */
  readonly list: ReadonlySignal<readonly Download[]>;
  /** The payload as a blob, downloaded once and kept outside the page's memory, so that every decode gets a new copy. */
  get(key: PayloadKey, signal: AbortSignal): Promise<Blob>;
  /** The payload with the requested damage. */
  spoilt(key: PayloadKey, damage: Damage, signal: AbortSignal): Promise<Blob>;
}

/** `load` downloads a blob; `log` receives an entry for each download. */
export function createDownloads(load: typeof loadBlob = loadBlob, log?: RequestLog): Downloads {
  const list = signal<readonly Download[]>([]);
  const blobs = new Map<string, Blob>();

  function update(key: PayloadKey, change: Partial<Download>): void {
    const others = list.peek().filter(({ rows }) => rows === key.rows);
    const index = others.findIndex(({ encoding }) => encoding === key.encoding);
    const old = others[index] ?? { ...key, state: 'loading', received: 0, total: undefined, ms: undefined };
    list.value = index < 0 ? [...others, { ...old, ...change }] : others.with(index, { ...old, ...change });
  }

  async function get(key: PayloadKey, signal: AbortSignal): Promise<Blob> {
    const url = payloadUrl(key);
    const kept = blobs.get(url);
    if (kept) return kept;
    for (const other of blobs.keys()) if (!other.endsWith(`rows=${key.rows}`)) blobs.delete(other);
    const started = performance.now();
    update(key, { state: 'loading', received: 0, total: undefined, ms: undefined });
    try {
      const blob = await load(url, signal, (received, total) => update(key, { received, total }));
      blobs.set(url, blob);
      log?.add(logged(url, blob, performance.now() - started));
      update(key, { state: 'ready', received: blob.size, total: blob.size, ms: performance.now() - started });
      return blob;
    } catch (error) {
      update(key, { state: 'failed' });
      throw error;
    }
  }

  return {
    list,
    get,
    spoilt: async (key, damage, signal) => spoil(await get(key, signal), damage),
  };
}

function logged(url: string, blob: Blob, duration: number): LoggedRequest {
  return {
    method: 'GET',
    url: new URL(url, location.href).href,
    status: 200,
    statusText: 'OK',
    headers: [{ name: 'content-type', value: blob.type }],
    time: Date.now() - duration,
    duration,
    size: blob.size,
    fromServiceWorker: false,
    body: async () => (blob.size <= MAX_KEPT_BYTES ? new Uint8Array(await blob.arrayBuffer()) : undefined),
  };
}
