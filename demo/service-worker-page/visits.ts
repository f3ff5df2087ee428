import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Decoder } from 'unspool';
import { type AnyEncoding, choicesOf } from '../payloads/encodings.ts';
import type { FrameMonitor } from '../frames/frame-monitor.ts';
import { ConnectionError, HttpError } from '../payloads/load-blob.ts';
import { apiUrl } from '../payloads/payload-url.ts';
import type { RequestLog } from '../payloads/request-log.ts';
import { type RowSource, tripsOf } from '../payloads/trips.ts';

export const VISIT_ENCODINGS = choicesOf('messagepack', 'cbor', 'avro');
export const VISIT_SIZES = [10_000, 100_000, 1_000_000] as const;
/** The service worker's cache of blocks. */
export const BLOCK_CACHE = 'blocks';

/** Measurements of one visit. */
export interface Visit {
  rows: number;
  encoding: AnyEncoding;
  /** True if the block was cached. */
  fromCache: boolean;
  /** True if the page was reloaded for the visit. */
  afterReload: boolean;
  /** Milliseconds from the request to the first row read. */
  readyMs: number;
  longestBlock: number;
}

export type VisitState = { phase: 'idle' } | { phase: 'running' } | { phase: 'done' } | { phase: 'failed'; error: unknown };

/** Cached blocks of this site. */
export interface Kept {
  blocks: number;
  /** Total size. Counted here, as the browser's estimate shrinks only after all blocks are closed. */
  bytes: number;
}

export interface Visits {
  readonly rows: Signal<number>;
  readonly encoding: Signal<AnyEncoding>;
  readonly state: ReadonlySignal<VisitState>;
  /** Newest first. */
  readonly list: ReadonlySignal<readonly Visit[]>;
  readonly shown: ReadonlySignal<RowSource | undefined>;
  readonly kept: ReadonlySignal<Kept>;
  visit(): Promise<void>;
  /** True if the page was reloaded for a visit that has not begun. */
  isDue(): boolean;
  /** Reloads the page, which then visits. */
  reload(): void;
  clear(): Promise<void>;
  /** Updates `kept`. */
  look(): Promise<void>;
}

const LIST_KEY = 'unspool-visits';
const AGAIN_KEY = 'unspool-visit-again';
const MAX_VISITS = 6;

interface Memory {
  get(key: string): string | null;
  set(key: string, value: string): void;
}

/** Storage that survives a reload: session storage, if it is available. */
const session: Memory = {
  get(key) {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      sessionStorage.setItem(key, value);
    } catch {
      return;
    }
  },
};

export function createVisits(decoder: Decoder, monitor: FrameMonitor, log: RequestLog, memory: Memory = session): Visits {
  const list = signal<readonly Visit[]>(JSON.parse(memory.get(LIST_KEY) ?? '[]') as Visit[]);
  const last = list.peek()[0];
  const rows = signal<number>(last?.rows ?? 100_000);
  const encoding = signal<AnyEncoding>(last?.encoding ?? 'messagepack');
  const state = signal<VisitState>({ phase: 'idle' });
  const shown = signal<RowSource>();
  const kept = signal<Kept>({ blocks: 0, bytes: 0 });
  let isReloaded = memory.get(AGAIN_KEY) === 'yes';
  memory.set(AGAIN_KEY, '');

  const remember = (visits: readonly Visit[]): void => {
    list.value = visits;
    memory.set(LIST_KEY, JSON.stringify(visits));
  };

  async function look(): Promise<void> {
    if (!('caches' in globalThis)) return;
    const cache = await caches.open(BLOCK_CACHE);
    const blocks = await cache.matchAll();
    const sizes = await Promise.all(blocks.map(async (block) => (await block.blob()).size));
    kept.value = { blocks: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async function visit(): Promise<void> {
    if (state.peek().phase === 'running') return;
    const query = { rows: rows.peek(), encoding: encoding.peek() };
    const afterReload = isReloaded;
    isReloaded = false;
    batch(() => {
      state.value = { phase: 'running' };
      shown.value = undefined;
    });
    const url = apiUrl(query);
    const fromCache = await hasBlock(url);
    const recorder = monitor.record();
    try {
      const time = Date.now();
      const started = performance.now();
      recorder.watchBlocks();
      const { response, trips } = await load(url);
      trips.at(0);
      const readyMs = performance.now() - started;
      await recorder.blocksSeen();
      const { longestBlock } = recorder.stop(started);
      log.add(logged(response, time, readyMs));
      batch(() => {
        shown.value = trips;
        remember([{ ...query, fromCache, afterReload, readyMs, longestBlock }, ...list.peek()].slice(0, MAX_VISITS));
        state.value = { phase: 'done' };
      });
    } catch (error) {
      recorder.stop(0);
      state.value = { phase: 'failed', error };
    }
    await look();
  }

  async function load(url: string): Promise<{ response: Response; trips: RowSource }> {
    const response = await decoder.fetch(url).catch(() => {
      throw new ConnectionError(url);
    });
    if (!response.ok) throw new HttpError(response.status, url, await response.text());
    return { response, trips: tripsOf(await response.rows()) };
  }

  return {
    rows,
    encoding,
    state,
    list,
    shown,
    kept,
    visit,
    isDue: () => isReloaded,
    look,
    reload() {
      memory.set(AGAIN_KEY, 'yes');
      location.reload();
    },
    async clear() {
      // Deletes entries one by one: the browser frees a deleted cache only after it is closed everywhere.
      const cache = await caches.open(BLOCK_CACHE);
      for (const request of await cache.keys()) await cache.delete(request);
      batch(() => {
        remember([]);
        shown.value = undefined;
        state.value = { phase: 'idle' };
      });
      await look();
    },
  };
}

async function hasBlock(url: string): Promise<boolean> {
  if (!('caches' in globalThis)) return false;
  return (await (await caches.open(BLOCK_CACHE)).keys(url)).length > 0;
}

function logged(response: Response, time: number, duration: number): Parameters<RequestLog['add']>[0] {
  return {
    method: 'GET',
    url: response.url,
    status: response.status,
    statusText: response.statusText,
    headers: Array.from(response.headers, ([name, value]) => ({ name, value })),
    time,
    duration,
    size: -1,
    fromServiceWorker: true,
    body: () => Promise.resolve(undefined),
  };
}
