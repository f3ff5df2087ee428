import { batch, signal, type ReadonlySignal } from '@preact/signals';
import { isRows, type Rows } from 'unspool';
import type { RowSource, Trip } from '../payloads/trips.ts';

/** The column that the search field looks in, and that the chart counts. */
export const STATION = 'start_station_name';

/** Bars of the chart. */
const BARS = 8;

/** The column that rows are sorted by. */
export interface Order {
  key: string;
  descending: boolean;
}

/** A station, and the number of trips that begin there. */
export interface StationCount {
  station: string;
  count: number;
}

/** Sorts and filters a table of trips. Each change cancels the one before. */
export interface TableView {
  /** The rows that fit, in order; undefined without a table. */
  readonly shown: ReadonlySignal<RowSource | undefined>;
  /** The stations with the most of these rows. */
  readonly counts: ReadonlySignal<readonly StationCount[]>;
  readonly order: ReadonlySignal<Order | undefined>;
  readonly text: ReadonlySignal<string>;
  /** Milliseconds of the last change. */
  readonly tookMs: ReadonlySignal<number | undefined>;
  /** True for `Rows`, which can be sorted and filtered without a long task; false for arrays. */
  readonly canChange: ReadonlySignal<boolean>;
  open(rows: RowSource | undefined): Promise<void>;
  search(text: string): Promise<void>;
  /** Sorts ascending, then descending, then not at all. */
  sortBy(key: string): Promise<void>;
}

export function createTableView(): TableView {
  let rows: RowSource | undefined;
  let stopping = new AbortController();
  const shown = signal<RowSource | undefined>(undefined);
  const counts = signal<readonly StationCount[]>([]);
  const order = signal<Order | undefined>(undefined);
  const text = signal('');
  const tookMs = signal<number | undefined>(undefined);
  const canChange = signal(false);

  async function update(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    const stopped = stopping.signal;
    const started = performance.now();
    if (!isRows(rows)) return;
    try {
      const found = await changed(rows as Rows<Trip>, text.peek(), order.peek(), stopped);
      const stations = await found.groupBy(STATION, { signal: stopped });
      const top = [...stations].map(([station, { length }]) => ({ station, count: length })).toSorted((one, other) => other.count - one.count);
      batch(() => {
        shown.value = found;
        counts.value = top.slice(0, BARS);
        tookMs.value = performance.now() - started;
      });
    } catch (error) {
      if (!stopped.aborted) throw error;
    }
  }

  return {
    shown,
    counts,
    order,
    text,
    tookMs,
    canChange,
    open(given) {
      rows = given;
      batch(() => {
        shown.value = given;
        counts.value = [];
        order.value = undefined;
        text.value = '';
        tookMs.value = undefined;
        canChange.value = isRows(given);
      });
      return update();
    },
    search(given) {
      text.value = given;
      return update();
    },
    sortBy(key) {
      const last = order.peek();
      order.value = last?.key !== key ? { key, descending: false } : last.descending ? undefined : { key, descending: true };
      return update();
    },
  };
}

/** Filters and sorts trips. */
async function changed(trips: Rows<Trip>, text: string, order: Order | undefined, signal: AbortSignal): Promise<Rows<Trip>> {
  const wanted = text.trim().toLowerCase();
  const found = wanted === '' ? trips : await trips.where(STATION, (station) => station.toLowerCase().includes(wanted), { signal });
  return order ? found.sortBy({ key: order.key as keyof Trip, descending: order.descending }, { signal }) : found;
}
