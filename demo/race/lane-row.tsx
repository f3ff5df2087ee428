import type { ReadonlySignal } from '@preact/signals';
import { figureOf, type Metric } from './comparison.ts';
import { frameLevel } from '../frames/frames.ts';
import { formatBytes, formatMs } from '../ui/numbers.ts';
import type { Palette } from '../frames/palette.ts';
import type { Lane, LaneState } from './race.ts';
import { type Outcome, RUN_LABELS, type RunKind, type Runs } from './runs.ts';
import type { LoadBytes } from '../errors/hex-view.tsx';
import { LaneGraph } from './lane-graph.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import { Progress } from '../ui/progress.tsx';

interface LaneRowProps {
  lane: Lane;
  encoding: string;
  /** End of the longest run, shared by all graphs. */
  end: number;
  palette: ReadonlySignal<Palette>;
  /** Loads the payload of this lane for the hex view of an error. */
  loadBytes: LoadBytes;
  /** True if the payload is damaged, so that an error is expected. */
  isSpoilt: boolean;
  disabled: boolean;
  onRun: () => void;
}

/** One contender: its description, frames and figures. */
export function LaneRow(props: LaneRowProps) {
  const { lane, encoding, end, palette, loadBytes, isSpoilt, disabled, onRun } = props;
  const { contender, state, runs } = lane;
  const { value } = state;
  return (
    <li class={contender.id === 'unspool' ? 'lane lane-own' : 'lane'}>
      <div class="lane-about">
        <h3>{contender.title}</h3>
        <p class="small muted">{contender.how}</p>
        <p class="small muted">{value.phase === 'done' ? `${encoding}, ${formatBytes(value.outcome.bytes)}` : encoding}</p>
      </div>
      {value.phase === 'failed' ? (
        <div class="lane-problem">
          <ProblemView error={value.error} by={contender.title} loadBytes={loadBytes} />
        </div>
      ) : (
        <>
          <div class="lane-view">
            <LaneView title={contender.title} state={value} end={end} palette={palette} />
            {isSpoilt && value.phase === 'done' && (
              <p class="small lane-unnoticed">It returned rows and no error: the fault in the payload went unnoticed.</p>
            )}
          </div>
          <Figures title={contender.title} runs={runs.value} />
        </>
      )}
      {/* `aria-disabled` keeps the focus; `disabled` would not. */}
      <button type="button" class="button lane-run" aria-disabled={disabled} onClick={disabled ? undefined : onRun}>
        Run<span class="visually-hidden"> {contender.title}</span>
      </button>
    </li>
  );
}

interface LaneViewProps {
  title: string;
  state: Exclude<LaneState, { phase: 'failed' }>;
  end: number;
  palette: ReadonlySignal<Palette>;
}

function LaneView({ title, state, end, palette }: LaneViewProps) {
  switch (state.phase) {
    case 'idle':
      return <p class="lane-wait muted">Has not run yet.</p>;
    case 'preparing':
      return <Waiting title={title} kind={state.kind} doing="getting ready, the clock has not started" />;
    case 'running':
      return <Waiting title={title} kind={state.kind} doing={state.doing} fraction={state.fraction} />;
    case 'done':
      return <DoneView outcome={state.outcome} end={end} palette={palette} />;
    default:
      return null;
  }
}

function DoneView({ outcome, end, palette }: Pick<LaneViewProps, 'end' | 'palette'> & { outcome: Outcome }) {
  const { recording, readyMs, totalMs } = outcome;
  return (
    <>
      <LaneGraph recording={recording} marks={[readyMs, totalMs]} end={end} palette={palette} />
      {recording.wasHidden && <p class="small">The page was in the background during this run: its times are not comparable.</p>}
    </>
  );
}

interface WaitingProps {
  title: string;
  kind: RunKind;
  doing: string;
  fraction?: number | undefined;
}

function Waiting({ title, kind, doing, fraction }: WaitingProps) {
  return (
    <div class="lane-wait">
      <p>
        {kind === 'first' ? 'First run, cold' : 'Warm run'}: {doing}…
      </p>
      <Progress label={title} fraction={fraction} />
    </div>
  );
}

const FIGURES: readonly { metric: Metric; label: string }[] = [
  { metric: 'block', label: 'Longest block' },
  { metric: 'ready', label: 'Rows after' },
  { metric: 'total', label: 'All objects after' },
];
const KINDS: readonly RunKind[] = ['first', 'warm'];

function Figures({ title, runs }: { title: string; runs: Runs }) {
  const { length: count } = runs.warm;
  return (
    <table class="figures">
      <caption class="visually-hidden">Times of {title}</caption>
      <thead>
        <tr>
          <td />
          {KINDS.map((kind) => (
            <th key={kind} scope="col">
              {RUN_LABELS[kind]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {FIGURES.map(({ metric, label }) => (
          <tr key={metric}>
            <th scope="row">{label}</th>
            {KINDS.map((kind) => {
              const ms = figureOf(runs, kind, metric);
              const level = metric === 'block' && ms !== undefined ? `level-${frameLevel(ms)}` : '';
              return (
                <td key={kind} class={level}>
                  {ms === undefined ? '–' : formatMs(ms)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
      {count > 1 && (
        <tfoot>
          <tr>
            <td colSpan={3}>Warm: median of {count} runs</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}
