import { replaceEqualDeep } from '@tanstack/query-core';
import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Decoder } from 'unspool';
import type { FrameMonitor, Recording } from '../frames/frame-monitor.ts';
import { nextFrame } from '../frames/frame-monitor.ts';
import type { Choice } from '../payloads/catalogue.ts';
import { fetchOk } from '../payloads/load-blob.ts';
import { pick } from '../race/settings.ts';

/** An order of `demo/server/data/order-book.mjs`. */
export interface Order {
  id: number;
  number: string;
  status: string;
  customer: { id: number; name: string; city: string };
  items: number;
  total: number;
  currency: string;
  placedAt: string;
  changedAt: string;
}

export interface OrderList {
  orders: readonly Order[];
}

/** Difference between two versions of the list. */
export type Change = 'nothing' | 'some' | 'top' | 'many';

export const ORDER_COUNTS = [10_000, 100_000] as const;

export const CHANGES: readonly (Choice<Change> & { changed: number; added: number })[] = [
  { value: 'nothing', label: 'Nothing', note: 'Every refetch brings the same bytes.', changed: 0, added: 0 },
  { value: 'some', label: '1 %', note: 'One order in a hundred changes; all stay in their places.', changed: 1, added: 0 },
  { value: 'top', label: '1 %, new on top', note: 'One order in a hundred changes, and a new one moves all others down.', changed: 1, added: 1 },
  { value: 'many', label: '10 %, new on top', note: 'One order in ten changes, and a new one moves all others down.', changed: 10, added: 1 },
];

const INTERVAL_MS = 1_000;
/** Refetches of which the medians are made. */
const KEPT = 20;

export interface RefetchSettings {
  rows: Signal<number>;
  change: Signal<Change>;
}

/** Measurements of one refetch. */
export interface Refetch {
  /** Milliseconds from the response's headers to the value. */
  readyMs: number;
  recording: Recording;
  /** Orders that are the same objects as before; undefined for the first value. */
  kept: number | undefined;
  bytes: number;
}

/** A way to refetch, and what it has measured. */
export interface RefetchLane {
  readonly id: 'sharing' | 'unspool';
  readonly title: string;
  readonly how: string;
  /** Newest first; the first decode of all is not among them. */
  readonly refetches: ReadonlySignal<readonly Refetch[]>;
}

export interface Refetching {
  readonly settings: RefetchSettings;
  readonly lanes: readonly RefetchLane[];
  readonly isRunning: ReadonlySignal<boolean>;
  /** The value of the latest refetch. */
  readonly shown: ReadonlySignal<OrderList | undefined>;
  /** Error that ended the last run. */
  readonly error: ReadonlySignal<unknown>;
  /** Refetches each second, by the lanes in turn, until `stop`. */
  start(): Promise<void>;
  stop(): void;
}

/** Takes the initial settings from the address of the page: `?rows=100000&change=top`. */
export function createRefetchSettings(query = new URLSearchParams()): RefetchSettings {
  return {
    rows: signal(ORDER_COUNTS.find((count) => String(count) === query.get('rows')) ?? 100_000),
    change: signal(pick(CHANGES, query.get('change'), 'some')),
  };
}

interface OwnLane extends RefetchLane {
  readonly refetches: Signal<readonly Refetch[]>;
  readonly read: (response: Response, previous: OrderList | undefined) => Promise<OrderList>;
}

export function createRefetching(settings: RefetchSettings, decoder: Decoder, monitor: FrameMonitor): Refetching {
  const lanes: readonly OwnLane[] = [
    {
      id: 'sharing',
      title: 'response.json(), structural sharing',
      how: 'Parses everything, then compares everything with the previous value, as TanStack Query does.',
      refetches: signal([]),
      read: async (response, previous) => replaceEqualDeep(previous, await response.json()) as OrderList,
    },
    {
      id: 'unspool',
      title: 'Unspool, previous',
      how: 'Compares the bytes with those of the previous value, in slices, and decodes those that differ.',
      refetches: signal([]),
      read: async (response, previous) => (await decoder.decode(response, { format: 'json', previous })) as OrderList,
    },
  ];
  const isRunning = signal(false);
  const shown = signal<OrderList>();
  const error = signal<unknown>(undefined);
  let stopping = new AbortController();

  async function start(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    batch(() => {
      isRunning.value = true;
      shown.value = undefined;
      error.value = undefined;
      for (const { refetches } of lanes) refetches.value = [];
    });
    try {
      await refetchUntil(stopped);
    } catch (reason) {
      if (!stopped.aborted) error.value = reason;
    } finally {
      // A newer start has taken over otherwise.
      if (stopping.signal === stopped) isRunning.value = false;
    }
  }

  async function refetchUntil(stopped: AbortSignal): Promise<void> {
    const values = new Map<OwnLane, OrderList>();
    for (let version = 0; !stopped.aborted; version += 1) {
      for (const lane of lanes) {
        const due = pause(INTERVAL_MS, stopped);
        const previous = values.get(lane);
        const { value, ...figures } = await refetch(lane, version, previous, stopped);
        if (stopped.aborted) return;
        values.set(lane, value);
        const { refetches } = lane;
        if (previous && !figures.recording.wasHidden) {
          const kept = countKept(previous, value);
          refetches.value = [{ ...figures, kept }, ...refetches.peek()].slice(0, KEPT);
        }
        await due;
      }
    }
  }

  async function refetch({ read }: OwnLane, version: number, previous: OrderList | undefined, stopped: AbortSignal) {
    const { changed, added } = CHANGES.find(({ value }) => value === settings.change.peek())!;
    const query = new URLSearchParams(
      Object.entries({ rows: settings.rows.peek(), version, changed, added }).map(([name, value]) => [name, `${value}`]),
    );
    const response = await fetchOk(`api/orders?${query}`, { signal: stopped });
    const bytes = Number(response.headers.get('content-length') ?? 0);
    const recorder = monitor.record();
    const started = performance.now();
    try {
      recorder.watchBlocks();
      const value = await read(response, previous);
      const readyMs = performance.now() - started;
      shown.value = value;
      await recorder.blocksSeen();
      await nextFrame();
      return { value, readyMs, bytes, recording: recorder.stop(started) };
    } catch (reason) {
      recorder.stop(started);
      throw reason;
    }
  }

  return { settings, lanes, isRunning, shown, error, start, stop: () => stopping.abort() };
}

/** Number of orders that are the same objects. */
function countKept({ orders: before }: OrderList, { orders }: OrderList): number {
  if (orders === before) return orders.length;
  const known = new Set(before);
  return orders.reduce((count, order) => count + Number(known.has(order)), 0);
}

/** Resolves after some milliseconds, or when the signal is aborted. */
function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    stopped.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
