import type { ReadonlySignal } from '@preact/signals';
import { frameLevel } from '../models/frames.ts';
import { formatBytes, formatMs } from '../models/numbers.ts';
import type { Palette } from '../models/palette.ts';
import type { Lane, LaneState, Outcome } from '../models/race.ts';
import type { LoadBytes } from './hex-view.tsx';
import { LaneGraph } from './lane-graph.tsx';
import { ProblemView } from './problem-view.tsx';
import { Progress } from './progress.tsx';

interface LaneRowProps {
  lane: Lane;
  encoding: string;
  /** The end of the longest run, which all graphs share. */
  end: number;
  palette: ReadonlySignal<Palette>;
  /** The payload as this lane decoded it, for the error's hex view. */
  loadBytes: LoadBytes;
  /** The payload was spoilt: an error is what should come of it. */
  isSpoilt: boolean;
  disabled: boolean;
  onRun: () => void;
}

/** One contender: what it is, its frames, its figures. */
export function LaneRow(props: LaneRowProps) {
  const { lane, encoding, end, palette, loadBytes, isSpoilt, disabled, onRun } = props;
  const { contender, state } = lane;
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
              <p class="small lane-unnoticed">It gave rows, and no error: what is wrong with the payload went unnoticed.</p>
            )}
          </div>
          <Figures outcome={value.phase === 'done' ? value.outcome : undefined} />
        </>
      )}
      {/* Not `disabled`: a button that is keeps no focus. */}
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
      return <Waiting title={title} doing="Getting ready; the clock is not running" />;
    case 'running':
      return <Waiting title={title} doing={state.doing} fraction={state.fraction} />;
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
      {recording.wasHidden && (
        <p class="small">The page was in the background during this run: its figures cannot be compared.</p>
      )}
    </>
  );
}

function Waiting({ title, doing, fraction }: { title: string; doing: string; fraction?: number | undefined }) {
  return (
    <div class="lane-wait">
      <p>{doing}…</p>
      <Progress label={title} fraction={fraction} />
    </div>
  );
}

function formatFigure(ms: number | undefined): string {
  return ms === undefined ? '–' : formatMs(ms);
}

function Figures({ outcome }: { outcome: Outcome | undefined }) {
  const block = outcome?.recording.longestBlock;
  return (
    <dl class="figures">
      <dt>Longest block</dt>
      <dd class={block === undefined ? '' : `level-${frameLevel(block)}`}>{formatFigure(block)}</dd>
      <dt>Rows after</dt>
      <dd>{formatFigure(outcome?.readyMs)}</dd>
      <dt>All objects after</dt>
      <dd>{formatFigure(outcome?.totalMs)}</dd>
    </dl>
  );
}
