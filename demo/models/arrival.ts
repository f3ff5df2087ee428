import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createDecoder, type Decoder } from 'unspool';
import { formatOf, type Choice } from './catalogue.ts';
import { payloadUrl } from './downloads.ts';
import type { Settings } from './settings.ts';
import type { RowSource, Trip } from './trips.ts';

/** The speed of the line that the server plays, in Mbit/s. */
export type Line = '50' | '200' | '1000';

export const LINES: readonly Choice<Line>[] = [
  { value: '50', label: '50 Mbit/s', note: 'A usual home line.' },
  { value: '200', label: '200 Mbit/s', note: 'A fast home line.' },
  { value: '1000', label: '1 Gbit/s', note: 'An office’s line.' },
];

/** A payload on its way. Times are milliseconds from the request. */
export interface ArrivalState {
  phase: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  bytes: number;
  /** 0 where it is not known. */
  totalBytes: number;
  /** The rows so far, and how many they are. */
  rows: RowSource | undefined;
  rowCount: number;
  firstRowsMs: number | undefined;
  lastByteMs: number | undefined;
  doneMs: number | undefined;
  error: unknown;
}

export interface Arrival {
  readonly line: Signal<Line>;
  readonly state: ReadonlySignal<ArrivalState>;
  start(): Promise<void>;
  stop(): void;
}

const IDLE: ArrivalState = {
  phase: 'idle',
  bytes: 0,
  totalBytes: 0,
  rows: undefined,
  rowCount: 0,
  firstRowsMs: undefined,
  lastByteMs: undefined,
  doneMs: undefined,
  error: undefined,
};

/** Shows rows of a payload while its bytes still come. */
export function createArrival(settings: Settings, decoder: Decoder = createDecoder({ workers: 1 })): Arrival {
  const line = signal<Line>('200');
  const state = signal<ArrivalState>(IDLE);
  let stopping = new AbortController();

  const update = (change: Partial<ArrivalState>): void => {
    state.value = { ...state.peek(), ...change };
  };

  async function start(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    const encoding = settings.encoding.peek();
    let started = 0;
    const since = (): number => performance.now() - started;
    state.value = { ...IDLE, phase: 'running' };
    try {
      // The smallest payload there is: it starts the worker, which is no part of the time.
      await decoder.decode(new Uint8Array([0x5b, 0x5d]), { format: 'json', route: 'worker' });
      started = performance.now();
      const url = `${payloadUrl({ rows: settings.rows.peek(), encoding })}&throttle=${line.peek()}`;
      const rows = await decoder.rows<Trip>(await fetch(url, { signal: stopped }), {
        format: formatOf(encoding),
        path: 'trips',
        signal: stopped,
        onProgress: ({ transferredBytes, totalBytes, percent }) => {
          if (stopped.aborted) return;
          update({ bytes: transferredBytes, totalBytes, ...(percent === 1 && { lastByteMs: since() }) });
        },
        onRows: (all) => {
          if (stopped.aborted) return;
          update({ rows: all, rowCount: all.length, firstRowsMs: state.peek().firstRowsMs ?? since() });
        },
      });
      await rows.done;
      batch(() => update({ phase: 'done', rows, rowCount: rows.length, doneMs: since() }));
    } catch (error) {
      // Another start has taken over, or this one was stopped.
      if (stopping.signal !== stopped) return;
      update(stopped.aborted ? { phase: 'stopped' } : { phase: 'failed', error });
    }
  }

  return { line, state, start, stop: () => stopping.abort() };
}
