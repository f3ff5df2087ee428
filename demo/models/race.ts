import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Contender, ContenderId, DecodeRequest, Decoded } from '../contenders/contender.ts';
import type { Encoding } from './catalogue.ts';
import type { Downloads } from './downloads.ts';
import { nextFrame, type FrameMonitor, type Recording } from './frame-monitor.ts';
import type { Settings } from './settings.ts';
import type { RowSource } from './trips.ts';

/** What one run measured. Times are in milliseconds. */
export interface Outcome {
  encoding: Encoding;
  bytes: number;
  rowCount: number;
  readyMs: number;
  totalMs: number;
  recording: Recording;
}

export type LaneState =
  | { phase: 'idle' }
  | { phase: 'preparing' }
  | { phase: 'running'; doing: string; fraction: number | undefined }
  | { phase: 'done'; outcome: Outcome }
  | { phase: 'failed'; error: unknown; encoding: Encoding; recording: Recording | undefined };

export interface Lane {
  contender: Contender;
  state: Signal<LaneState>;
}

/** The rows on show and whose they are. */
export interface ShownRows {
  contender: Contender;
  rows: RowSource;
}

export interface Race {
  readonly lanes: readonly Lane[];
  /** What is being run: one contender, all of them one after another, or nothing. */
  readonly running: ReadonlySignal<ContenderId | 'all' | undefined>;
  readonly shown: ReadonlySignal<ShownRows | undefined>;
  /** Why no contender could run at all. */
  readonly problem: ReadonlySignal<unknown>;
  runAll(): Promise<void>;
  run(id: ContenderId): Promise<void>;
  stop(): void;
  /** Forgets what was measured, of all or of one. */
  clear(id?: ContenderId): void;
}

/** Calm before and after a run, so that its frames stand out and its neighbours do not disturb it. */
const REST_MS = 300;

export function createRace(settings: Settings, downloads: Downloads, monitor: FrameMonitor, contenders: readonly Contender[]): Race {
  const lanes = contenders.map((contender): Lane => ({ contender, state: signal<LaneState>({ phase: 'idle' }) }));
  const running = signal<ContenderId | 'all'>();
  const shown = signal<ShownRows>();
  const problem = signal<unknown>();
  let stopping = new AbortController();

  /** Downloads what the lanes need, then runs them in order. */
  async function runLanes(name: ContenderId | 'all', chosen: readonly Lane[]): Promise<void> {
    if (running.peek()) return;
    stopping = new AbortController();
    const { signal } = stopping;
    const rows = settings.rows.peek();
    batch(() => {
      running.value = name;
      problem.value = undefined;
      shown.value = undefined;
      for (const { state } of chosen) state.value = { phase: 'idle' };
    });
    try {
      for (const { contender } of chosen) {
        await downloads.get({ rows, encoding: contender.encodingFor(settings.encoding.peek()) }, signal);
      }
      for (const lane of chosen) await runLane(lane, signal);
    } catch (error) {
      if (!signal.aborted) problem.value = error;
    } finally {
      running.value = undefined;
    }
  }

  /** Runs one lane; a failure becomes its state. Throws only when the visitor stops the race. */
  async function runLane({ contender, state }: Lane, signal: AbortSignal): Promise<void> {
    const encoding = contender.encodingFor(settings.encoding.peek());
    const recorder = monitor.record();
    let started = performance.now();
    batch(() => {
      shown.value = undefined;
      state.value = { phase: 'preparing' };
    });
    try {
      await contender.prepare();
      const key = { rows: settings.rows.peek(), encoding };
      const payload = await (await downloads.spoilt(key, settings.damage.peek(), signal)).arrayBuffer();
      const bytes = payload.byteLength;
      state.value = { phase: 'running', doing: 'Decoding', fraction: undefined };
      await rest(signal);
      started = performance.now();
      recorder.watchBlocks();
      const decoded = await contender.decode(request(payload, encoding, state, signal));
      await recorder.blocksSeen();
      await pause(REST_MS);
      const recording = recorder.stop(decoded.started);
      finish({ contender, state }, decoded, { encoding, bytes, recording });
    } catch (error) {
      await recorder.blocksSeen();
      const recording = recorder.stop(started);
      state.value = signal.aborted ? { phase: 'idle' } : { phase: 'failed', error, encoding, recording };
      signal.throwIfAborted();
    }
  }

  function request(payload: ArrayBuffer, encoding: Encoding, state: Lane['state'], signal: AbortSignal): DecodeRequest {
    return {
      payload,
      encoding,
      signal,
      result: settings.result.peek(),
      onProgress: (doing, fraction) => {
        state.value = { phase: 'running', doing, fraction };
      },
    };
  }

  function finish({ contender, state }: Lane, decoded: Decoded, run: Pick<Outcome, 'encoding' | 'bytes' | 'recording'>): void {
    const { rows, readyMs, totalMs } = decoded;
    batch(() => {
      state.value = { phase: 'done', outcome: { ...run, rowCount: rows.length, readyMs, totalMs } };
      shown.value = { contender, rows };
    });
  }

  return {
    lanes,
    running: computed(() => running.value),
    shown: computed(() => shown.value),
    problem: computed(() => problem.value),
    runAll: () => runLanes('all', lanes),
    run: (id) => runLanes(id, lanes.filter(({ contender }) => contender.id === id)),
    stop: () => stopping.abort(new DOMException('The race was stopped.', 'AbortError')),
    clear(id) {
      batch(() => {
        for (const { contender, state } of lanes) {
          if (id === undefined || contender.id === id) state.value = { phase: 'idle' };
        }
        if (id === undefined || shown.peek()?.contender.id === id) shown.value = undefined;
        problem.value = undefined;
      });
    },
  };
}

/** Lets the page draw what it has to say, and a moment pass. */
async function rest(signal: AbortSignal): Promise<void> {
  await nextFrame();
  await pause(REST_MS);
  signal.throwIfAborted();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
