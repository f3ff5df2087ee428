import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Contender, ContenderId, DecodeRequest, Decoded } from '../contenders/contender.ts';
import type { Encoding } from '../payloads/catalogue.ts';
import type { Downloads } from './downloads.ts';
import { nextFrame, type FrameMonitor, type Recording } from '../frames/frame-monitor.ts';
import { inTurn, NO_RUNS, type Outcome, type RunKind, type Runs, withRun } from './runs.ts';
import type { Settings } from './settings.ts';
import type { RowSource } from '../payloads/trips.ts';

export type LaneState =
  | { phase: 'idle' }
  | { phase: 'preparing'; kind: RunKind }
  | { phase: 'running'; kind: RunKind; doing: string; fraction: number | undefined }
  | { phase: 'done'; kind: RunKind; outcome: Outcome }
  | { phase: 'failed'; error: unknown; encoding: Encoding; recording: Recording | undefined };

export interface Lane {
  contender: Contender;
  state: Signal<LaneState>;
  /** Measurements so far. */
  runs: Signal<Runs>;
}

/** The displayed rows and their contender. */
export interface ShownRows {
  contender: Contender;
  rows: RowSource;
}

export interface Race {
  readonly lanes: readonly Lane[];
  /** The running contender, or `all`; undefined if none runs. */
  readonly running: ReadonlySignal<ContenderId | 'all' | undefined>;
  readonly shown: ReadonlySignal<ShownRows | undefined>;
  /** The lane whose run ended or failed last; undefined before the first end. */
  readonly ended: ReadonlySignal<Lane | undefined>;
  /** The order of the contenders in each round, latest round last. */
  readonly rounds: ReadonlySignal<readonly Round[]>;
  /** The error that prevented all runs. */
  readonly problem: ReadonlySignal<unknown>;
  /** Runs every contender: cold if it has not run yet, then warm. */
  runAll(): Promise<void>;
  run(id: ContenderId): Promise<void>;
  stop(): void;
  /** Clears the measurements of all contenders or of one. */
  clear(id?: ContenderId): void;
}

export interface Round {
  kind: RunKind;
  contenders: readonly Contender[];
}

/** Pause before and after a run, which separates it from its neighbors. */
const REST_MS = 300;

/**
 * `start` is the index of the lane that begins the first round; each further round begins with the next lane. `restMs` is
 * the pause before and after a run.
 */
export function createRace(
  settings: Settings,
  downloads: Downloads,
  monitor: FrameMonitor,
  contenders: readonly Contender[],
  { start = Math.floor(Math.random() * contenders.length), restMs = REST_MS } = {},
): Race {
  const lanes = contenders.map((contender): Lane => ({ contender, state: signal<LaneState>({ phase: 'idle' }), runs: signal(NO_RUNS) }));
  const running = signal<ContenderId | 'all'>();
  const shown = signal<ShownRows>();
  const ended = signal<Lane>();
  const rounds = signal<readonly Round[]>([]);
  const problem = signal<unknown>();
  let stopping = new AbortController();
  let turn = start;

  /** Downloads the payloads, then runs the lanes: cold those that have not run yet, then all of them warm. */
  async function runLanes(name: ContenderId | 'all', chosen: readonly Lane[]): Promise<void> {
    if (running.peek()) return;
    stopping = new AbortController();
    const { signal } = stopping;
    const rows = settings.rows.peek();
    batch(() => {
      running.value = name;
      problem.value = undefined;
      shown.value = undefined;
      ended.value = undefined;
      rounds.value = [];
      for (const { state } of chosen) if (state.peek().phase === 'failed') state.value = { phase: 'idle' };
    });
    try {
      for (const { contender } of chosen) {
        await downloads.get({ rows, encoding: contender.encodingFor(settings.encoding.peek()) }, signal);
      }
      await runRound(
        'first',
        chosen.filter(({ runs }) => !runs.peek().first),
        signal,
      );
      await runRound(
        'warm',
        chosen.filter(({ runs }) => runs.peek().first),
        signal,
      );
    } catch (error) {
      if (!signal.aborted) problem.value = error;
    } finally {
      running.value = undefined;
    }
  }

  async function runRound(kind: RunKind, chosen: readonly Lane[], signal: AbortSignal): Promise<void> {
    const order = chosen.length > 1 ? inTurn(lanes, turn++).filter((lane) => chosen.includes(lane)) : chosen;
    if (order.length > 1) rounds.value = [...rounds.peek(), { kind, contenders: order.map(({ contender }) => contender) }];
    for (const lane of order) await runLane(lane, kind, signal);
  }

  /** Runs one lane; a failure becomes its state. Throws only when the visitor stops the race. */
  async function runLane(lane: Lane, kind: RunKind, signal: AbortSignal): Promise<void> {
    const { contender, state, runs } = lane;
    const encoding = contender.encodingFor(settings.encoding.peek());
    const recorder = monitor.record();
    let started = performance.now();
    batch(() => {
      shown.value = undefined;
      state.value = { phase: 'preparing', kind };
    });
    try {
      // A first run includes the start of its worker.
      await (kind === 'first' ? contender.renew() : contender.prepare());
      const key = { rows: settings.rows.peek(), encoding };
      const payload = await contender.load(await downloads.spoilt(key, settings.damage.peek(), signal));
      const bytes = payload.byteLength;
      state.value = { phase: 'running', kind, doing: 'Decoding', fraction: undefined };
      await rest(restMs, signal);
      started = performance.now();
      recorder.watchBlocks();
      const decoded = await contender.decode(request(payload, encoding, kind, state, signal));
      await recorder.blocksSeen();
      await pause(restMs);
      const recording = recorder.stop(decoded.started);
      finish(lane, kind, decoded, { encoding, bytes, recording });
    } catch (error) {
      await recorder.blocksSeen();
      const recording = recorder.stop(started);
      batch(() => {
        // After an error, the page is neither cold nor reliably warm.
        runs.value = NO_RUNS;
        if (signal.aborted) state.value = { phase: 'idle' };
        else {
          state.value = { phase: 'failed', error, encoding, recording };
          ended.value = lane;
        }
      });
      signal.throwIfAborted();
    }
  }

  function request(payload: ArrayBuffer, encoding: Encoding, kind: RunKind, state: Lane['state'], signal: AbortSignal): DecodeRequest {
    return {
      payload,
      encoding,
      signal,
      result: settings.result.peek(),
      onProgress: (doing, fraction) => {
        state.value = { phase: 'running', kind, doing, fraction };
      },
    };
  }

  function finish(lane: Lane, kind: RunKind, decoded: Decoded, run: Pick<Outcome, 'encoding' | 'bytes' | 'recording'>): void {
    const { rows, readyMs, totalMs } = decoded;
    const outcome = { ...run, rowCount: rows.length, readyMs, totalMs };
    batch(() => {
      lane.runs.value = withRun(lane.runs.peek(), kind, outcome);
      lane.state.value = { phase: 'done', kind, outcome };
      shown.value = { contender: lane.contender, rows };
      ended.value = lane;
    });
  }

  return {
    lanes,
    running: computed(() => running.value),
    shown: computed(() => shown.value),
    ended: computed(() => ended.value),
    rounds: computed(() => rounds.value),
    problem: computed(() => problem.value),
    runAll: () => runLanes('all', lanes),
    run: (id) =>
      runLanes(
        id,
        lanes.filter(({ contender }) => contender.id === id),
      ),
    stop: () => stopping.abort(new DOMException('The race was stopped.', 'AbortError')),
    clear(id) {
      batch(() => {
        for (const { contender, state, runs } of lanes) {
          if (id !== undefined && contender.id !== id) continue;
          contender.release();
          state.value = { phase: 'idle' };
          runs.value = NO_RUNS;
        }
        if (id === undefined || shown.peek()?.contender.id === id) shown.value = undefined;
        if (id === undefined) rounds.value = [];
        ended.value = undefined;
        problem.value = undefined;
      });
    },
  };
}

/** Waits for a frame and a pause. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await nextFrame();
  await pause(ms);
  signal.throwIfAborted();
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
