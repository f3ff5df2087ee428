import { batch, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Decoder } from 'unspool';
import type { Choice } from '../payloads/catalogue.ts';
import { type AnyEncoding, choicesOf, decodeOptionsOf } from '../payloads/encodings.ts';
import type { FrameMonitor } from '../frames/frame-monitor.ts';
import { fetchOk } from '../payloads/load-blob.ts';
import { payloadUrl } from '../payloads/payload-url.ts';
import { pick } from '../race/settings.ts';
import type { RowSource, Trip } from '../payloads/trips.ts';

/** Simulated speed in Mbit/s; 0 for no limit. */
export type Line = '20' | '50' | '200' | '1000' | '0';
/** Milliseconds until the first byte. */
export type Latency = '0' | '100' | '500';
/** Damage during the transfer; see `demo/server/damage.mjs`. */
export type Fault = 'none' | 'cut' | 'byte' | 'reset';

export const STREAM_SIZES = [10_000, 100_000, 1_000_000] as const;

/** Encodings that can be decoded as a stream. FlatBuffers and Cap'n Proto store the root elsewhere than at the start. */
export const STREAM_ENCODINGS: readonly Choice<AnyEncoding>[] = choicesOf(
  'json',
  'messagepack',
  'messagepack-records',
  'cbor',
  'avro',
  'protobuf',
  'bson',
  'bebop',
  'sia',
  'jsbinary',
);

export const LINES: readonly Choice<Line>[] = [
  { value: '20', label: '20 Mbit/s', note: 'A mobile connection.' },
  { value: '50', label: '50 Mbit/s', note: 'A typical home connection.' },
  { value: '200', label: '200 Mbit/s', note: 'A fast home connection.' },
  { value: '1000', label: '1 Gbit/s', note: 'An office network.' },
  { value: '0', label: 'No limit', note: 'As fast as this machine allows.' },
];

export const LATENCIES: readonly Choice<Latency>[] = [
  { value: '0', label: 'None', note: 'The first byte arrives immediately.' },
  { value: '100', label: '100 ms', note: 'A server on another continent.' },
  { value: '500', label: '500 ms', note: 'A slow query.' },
];

export const FAULTS: readonly Choice<Fault>[] = [
  { value: 'none', label: 'None', note: 'The payload arrives intact.' },
  { value: 'cut', label: 'Cut short', note: 'The last two fifths are missing.' },
  { value: 'byte', label: 'One wrong byte', note: 'A byte of a string, after three fifths, is not UTF-8.' },
  { value: 'reset', label: 'Lost connection', note: 'The connection breaks after three fifths.' },
];

export interface StreamSettings {
  rows: Signal<number>;
  encoding: Signal<AnyEncoding>;
  line: Signal<Line>;
  latency: Signal<Latency>;
  fault: Signal<Fault>;
}

/** State of a transfer. Times are milliseconds from the request. */
export interface StreamState {
  phase: 'idle' | 'starting' | 'running' | 'done' | 'stopped' | 'failed';
  bytes: number;
  /** 0 if unknown. */
  totalBytes: number;
  /** Rows received so far, and their number. */
  rows: RowSource | undefined;
  rowCount: number;
  firstRowsMs: number | undefined;
  lastByteMs: number | undefined;
  doneMs: number | undefined;
  longestBlock: number | undefined;
  error: unknown;
}

export interface Streaming {
  readonly settings: StreamSettings;
  readonly state: ReadonlySignal<StreamState>;
  start(): Promise<void>;
  stop(): void;
}

export const IDLE: StreamState = {
  phase: 'idle',
  bytes: 0,
  totalBytes: 0,
  rows: undefined,
  rowCount: 0,
  firstRowsMs: undefined,
  lastByteMs: undefined,
  doneMs: undefined,
  longestBlock: undefined,
  error: undefined,
};

/** Takes the initial settings from the address of the page: `?rows=100000&encoding=cbor&line=50&latency=100&fault=byte`. */
export function createStreamSettings(query = new URLSearchParams()): StreamSettings {
  return {
    rows: signal(STREAM_SIZES.find((size) => String(size) === query.get('rows')) ?? 100_000),
    encoding: signal(pick(STREAM_ENCODINGS, query.get('encoding'), 'messagepack')),
    line: signal(pick(LINES, query.get('line'), '50')),
    latency: signal(pick(LATENCIES, query.get('latency'), '100')),
    fault: signal(pick(FAULTS, query.get('fault'), 'none')),
  };
}

/** Shows rows of a payload while its bytes arrive. */
export function createStreaming(
  settings: StreamSettings,
  decoder: Decoder,
  monitor: FrameMonitor,
  load: typeof fetch = (...request) => fetch(...request),
): Streaming {
  const state = signal<StreamState>(IDLE);
  let stopping = new AbortController();

  const update = (change: Partial<StreamState>): void => {
    state.value = { ...state.peek(), ...change };
  };

  async function start(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    state.value = { ...IDLE, phase: 'starting' };
    const recorder = monitor.record();
    let started = performance.now();
    const since = (): number => performance.now() - started;
    try {
      // A minimal payload starts the worker, which is not part of the time.
      await decoder.decode(new Uint8Array([0x5b, 0x5d]), { format: 'json', route: 'worker' });
      started = performance.now();
      recorder.watchBlocks();
      update({ phase: 'running' });
      const encoding = settings.encoding.peek();
      const response = await fetchOk(urlOf(settings), { signal: stopped }, load);
      const rows = await decoder.growingRows<Trip>(response, {
        ...decodeOptionsOf(encoding),
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
      const doneMs = since();
      await recorder.blocksSeen();
      const { longestBlock } = recorder.stop(started);
      batch(() => update({ phase: 'done', rows, rowCount: rows.length, doneMs, longestBlock }));
    } catch (error) {
      const { longestBlock } = recorder.stop(started);
      // A newer start has taken over.
      if (stopping.signal !== stopped) return;
      update({ longestBlock, ...(stopped.aborted ? { phase: 'stopped' } : { phase: 'failed', error }) });
    }
  }

  return { settings, state, start, stop: () => stopping.abort() };
}

function urlOf({ rows, encoding, line, latency, fault }: StreamSettings): string {
  return payloadUrl({
    rows: rows.peek(),
    encoding: encoding.peek(),
    throttle: Number(line.peek()),
    latency: Number(latency.peek()),
    damage: fault.peek(),
  });
}

/** Describes the state in a sentence. */
export function tell({ phase, firstRowsMs, lastByteMs, doneMs }: StreamState, ms: (value: number) => string): string {
  if (phase === 'idle') return 'Rows appear here as soon as they are decoded.';
  if (phase === 'starting') return 'Getting ready; the clock has not started.';
  if (phase === 'stopped') return 'Stopped: the request was cancelled. Rows received before are kept.';
  if (phase === 'failed') return 'Rows received before the error are kept.';
  if (phase === 'running') return firstRowsMs === undefined ? 'Waiting for the first rows.' : 'Rows can be read while the rest arrives.';
  return `All rows ${ms(Math.max((doneMs ?? 0) - (lastByteMs ?? 0), 0))} after the last byte, the first ones ${ms(firstRowsMs ?? 0)} after the request.`;
}
