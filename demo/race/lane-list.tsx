import type { ReadonlySignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { encodingLabel } from '../payloads/catalogue.ts';
import type { Downloads } from './downloads.ts';
import type { Palette } from '../frames/palette.ts';
import type { Lane, Race, Round } from './race.ts';
import { RUN_LABELS } from './runs.ts';
import type { Settings } from './settings.ts';
import type { LoadBytes } from '../errors/hex-view.tsx';
import { LaneRow } from './lane-row.tsx';

interface LaneListProps {
  settings: Settings;
  downloads: Downloads;
  race: Race;
  palette: ReadonlySignal<Palette>;
}

const MIN_SCALE_MS = 250;

/** The contenders on one time scale. */
export function LaneList({ settings, downloads, race, palette }: LaneListProps) {
  const ends = race.lanes.map(({ state }) => (state.value.phase === 'done' ? state.value.outcome.totalMs : 0));
  const end = Math.max(MIN_SCALE_MS, ...ends);
  const isDisabled = race.running.value !== undefined;
  return (
    <section class="panel" aria-labelledby="lanes-title">
      <div class="panel-head">
        <h2 id="lanes-title">Four ways to rows</h2>
        <p class="small muted">
          Each bar is a frame: its width is its duration, its height the same on a logarithmic scale. The vertical lines mark the first row and the
          last object.
        </p>
      </div>
      <p class="lanes-order small muted">
        Each contender runs in its own page, a hidden frame. Its first run is cold: nothing has been decoded there yet, and the time includes the
        start of a worker. <Order rounds={race.rounds.value} />
      </p>
      <ul class="lanes">
        {race.lanes.map((lane) => (
          <ConnectedLane key={lane.contender.id} {...{ lane, settings, downloads, race, palette, end, isDisabled }} />
        ))}
      </ul>
    </section>
  );
}

/** The order of the contenders in each round. */
function Order({ rounds }: { rounds: readonly Round[] }) {
  if (rounds.length === 0) return <>Each round starts with a different contender, so that none is always first.</>;
  return (
    <>
      {rounds.map(({ kind, contenders }) => (
        <span key={kind} class="lanes-round">
          Order, {RUN_LABELS[kind]}: {contenders.map(({ title }) => title).join(' → ')}.{' '}
        </span>
      ))}
    </>
  );
}

interface ConnectedLaneProps extends LaneListProps {
  lane: Lane;
  end: number;
  isDisabled: boolean;
}

function ConnectedLane({ lane, settings, downloads, race, palette, end, isDisabled }: ConnectedLaneProps) {
  const { contender } = lane;
  const rows = settings.rows.value;
  const damage = settings.damage.value;
  const encoding = contender.encodingFor(settings.encoding.value);
  const loadBytes = useMemo<LoadBytes>(
    () => () => downloads.spoilt({ rows, encoding }, damage, new AbortController().signal),
    [downloads, rows, encoding, damage],
  );
  return (
    <LaneRow
      lane={lane}
      encoding={encodingLabel(encoding)}
      end={end}
      palette={palette}
      loadBytes={loadBytes}
      isSpoilt={damage !== 'none'}
      disabled={isDisabled}
      onRun={() => void race.run(contender.id)}
    />
  );
}
