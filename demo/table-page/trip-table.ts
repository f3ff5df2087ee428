import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { isRows, type Decoder, type Rows } from 'unspool';
import type { FrameMonitor, Recording } from '../frames/frame-monitor.ts';
import { nextFrame, nextTask } from '../frames/frame-monitor.ts';
import { SIZES, type Choice } from '../payloads/catalogue.ts';
import { fetchOk } from '../payloads/load-blob.ts';
import { payloadUrl } from '../payloads/payload-url.ts';
import { type RowSource, type Trip, tripsOf } from '../payloads/trips.ts';
import { pick } from '../race/settings.ts';
import { changeArray, changeRows, type Riders, type Wanted } from './change-trips.ts';

/** Form of the trips in memory. */
export type Holder = 'array' | 'rows';

export const HOLDERS: readonly Choice<Holder>[] = [
  { value: 'rows', label: 'Rows', note: 'MessagePack, decoded with “as: rows”; sorted and filtered by their columns.' },
  { value: 'array', label: 'Array of objects', note: 'JSON, by response.json(); sorted and filtered by the methods of arrays.' },
];

export const RIDERS: readonly { value: Riders; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'member', label: 'Members' },
  { value: 'casual', label: 'Casual' },
];

/** Bars of the chart. */
const BARS = 9;
const ALL: Wanted = { text: '', riders: 'all', order: undefined };

export interface TableSettings {
  rows: Signal<number>;
  holder: Signal<Holder>;
}

/** A station, and the number of trips that begin there. */
export interface StationCount {
  station: string;
  count: number;
}

/** Measurements of loading, or of one change. */
export interface TableRun {
  /** Milliseconds until the result: from the response's headers, or from the input of a change. */
  readyMs: number;
  recording: Recording;
}

/** Measurements of one holder. */
export interface TableLane {
  readonly id: Holder;
  readonly title: string;
  readonly how: string;
  readonly loading: Signal<TableRun | undefined>;
  readonly change: Signal<TableRun | undefined>;
}

/** A table of trips to sort and filter. Each change cancels the one before. */
export interface TripTable {
  readonly settings: TableSettings;
  readonly phase: ReadonlySignal<'empty' | 'loading' | 'loaded' | 'stopped' | 'failed'>;
  /** Fraction of the payload that has arrived; undefined if unknown. */
  readonly progress: ReadonlySignal<number | undefined>;
  /** Error of the last load or change. */
  readonly error: ReadonlySignal<unknown>;
  /** Keys of the trips. */
  readonly columns: ReadonlySignal<readonly string[]>;
  /** Number of loaded trips. */
  readonly total: ReadonlySignal<number>;
  /** Trips that fit, in order; undefined before they are loaded. */
  readonly shown: ReadonlySignal<RowSource | undefined>;
  /** Stations with the most of these trips. */
  readonly counts: ReadonlySignal<readonly StationCount[]>;
  /** The wanted search, filter and order, which `shown` follows. */
  readonly wanted: ReadonlySignal<Wanted>;
  /** True until `shown` is what is wanted. */
  readonly isChanging: ReadonlySignal<boolean>;
  readonly lanes: readonly TableLane[];
  load(): Promise<void>;
  /** Cancels loading and changes. */
  stop(): void;
  search(text: string): Promise<void>;
  choose(riders: Riders): Promise<void>;
  /** Sorts ascending, then descending, then not at all. */
  sortBy(key: string): Promise<void>;
}

/** Takes the initial settings from the address of the page: `?rows=100000&as=array`. */
export function createTableSettings(query = new URLSearchParams()): TableSettings {
  return {
    rows: signal(SIZES.find((size) => String(size) === query.get('rows')) ?? 1_000_000),
    holder: signal(pick(HOLDERS, query.get('as'), 'rows')),
  };
}

export function createTripTable(settings: TableSettings, decoder: Decoder, monitor: FrameMonitor): TripTable {
  const lanes: readonly TableLane[] = [
    {
      id: 'array',
      title: 'Array: response.json(), filter, sort',
      how: 'Parses all objects, then visits each of them for each change.',
      loading: signal(undefined),
      change: signal(undefined),
    },
    {
      id: 'rows',
      title: 'Unspool: rows, filter, sortBy',
      how: 'A worker reads columns; changes read these in slices, and give the order of the rows.',
      loading: signal(undefined),
      change: signal(undefined),
    },
  ];
  const phase = signal<'empty' | 'loading' | 'loaded' | 'stopped' | 'failed'>('empty');
  const progress = signal<number | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const columns = signal<readonly string[]>([]);
  const total = signal(0);
  const shown = signal<RowSource | undefined>(undefined);
  const counts = signal<readonly StationCount[]>([]);
  const wanted = signal<Wanted>(ALL);
  const isChanging = signal(false);
  let trips: RowSource | undefined;
  let stopping = new AbortController();

  /** Cancels what runs, and gives the signal of what begins. */
  function begin(): AbortSignal {
    stopping.abort();
    stopping = new AbortController();
    return stopping.signal;
  }

  /** Measures a step until its result is drawn. */
  async function measure(run: Signal<TableRun | undefined>, stopped: AbortSignal, step: () => Promise<void>): Promise<void> {
    const recorder = monitor.record();
    const started = performance.now();
    recorder.watchBlocks();
    try {
      await step();
      const readyMs = performance.now() - started;
      await recorder.blocksSeen();
      await nextFrame();
      const recording = recorder.stop(started);
      if (!stopped.aborted && !recording.wasHidden) run.value = { readyMs, recording };
    } catch (reason) {
      recorder.stop(started);
      throw reason;
    }
  }

  async function load(): Promise<void> {
    const stopped = begin();
    const holder = settings.holder.peek();
    const lane = lanes.find(({ id }) => id === holder)!;
    trips = undefined;
    batch(() => {
      phase.value = 'loading';
      progress.value = undefined;
      error.value = undefined;
      shown.value = undefined;
      wanted.value = ALL;
      isChanging.value = false;
    });
    try {
      const rows = settings.rows.peek();
      // Figures of other sizes cannot be compared.
      if (rows !== total.peek()) for (const run of lanes.flatMap(({ loading, change }) => [loading, change])) run.value = undefined;
      const response = await fetchOk(payloadUrl({ rows, encoding: holder === 'rows' ? 'messagepack' : 'json' }), { signal: stopped });
      await measure(lane.loading, stopped, async () => {
        const value = holder === 'rows' ? await decodeRows(response, stopped) : await response.json();
        stopped.throwIfAborted();
        trips = tripsOf(value);
        const found = await find(ALL, stopped);
        await nextTask();
        stopped.throwIfAborted();
        batch(() => {
          columns.value = Object.keys(trips!.at(0) ?? {});
          total.value = trips!.length;
          phase.value = 'loaded';
          show(found);
        });
      });
    } catch (reason) {
      // A newer load has taken over.
      if (stopping.signal !== stopped) return;
      batch(() => {
        phase.value = stopped.aborted ? 'stopped' : 'failed';
        if (!stopped.aborted) error.value = reason;
      });
    }
  }

  function decodeRows(response: Response, stopped: AbortSignal): Promise<unknown> {
    return decoder.decode(response, {
      format: 'messagepack',
      as: 'rows',
      signal: stopped,
      onProgress: ({ percent, totalBytes }) => {
        if (totalBytes > 0 && !stopped.aborted) progress.value = percent;
      },
    });
  }

  async function find(what: Wanted, stopped: AbortSignal) {
    return isRows(trips) ? changeRows(trips as Rows<Trip>, what, stopped) : changeArray(trips as readonly Trip[], what);
  }

  function show({ rows, counts: stations }: Awaited<ReturnType<typeof find>>): void {
    shown.value = rows;
    counts.value = Array.from(stations, ([station, count]) => ({ station, count }))
      .toSorted((one, other) => other.count - one.count)
      .slice(0, BARS);
    isChanging.value = false;
  }

  async function change(what: Partial<Wanted>): Promise<void> {
    wanted.value = { ...wanted.peek(), ...what };
    if (!trips) return;
    const stopped = begin();
    const lane = lanes.find(({ id }) => id === (isRows(trips) ? 'rows' : 'array'))!;
    batch(() => {
      isChanging.value = true;
      error.value = undefined;
    });
    try {
      await measure(lane.change, stopped, async () => {
        const found = await find(wanted.peek(), stopped);
        await nextTask();
        stopped.throwIfAborted();
        batch(() => show(found));
      });
    } catch (reason) {
      // A newer change has taken over.
      if (stopping.signal !== stopped) return;
      batch(() => {
        isChanging.value = false;
        if (!stopped.aborted) error.value = reason;
      });
    }
  }

  return {
    settings,
    lanes,
    phase,
    progress,
    error,
    columns,
    total,
    shown,
    counts,
    wanted,
    isChanging,
    load,
    stop: () => stopping.abort(),
    search: (text) => change({ text }),
    choose: (riders) => change({ riders }),
    sortBy(key) {
      const { order } = wanted.peek();
      return change({ order: order?.key !== key ? { key, descending: false } : order.descending ? undefined : { key, descending: true } });
    },
  };
}
