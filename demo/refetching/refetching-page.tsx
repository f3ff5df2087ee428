import { useEffect, useMemo } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { ProblemView } from '../errors/problem-view.tsx';
import { Monitor } from '../frames/monitor.tsx';
import { LaneGraph } from '../race/lane-graph.tsx';
import { Intro } from '../site/intro.tsx';
import { RowTable } from '../table/row-table.tsx';
import { RunBar } from '../ui/run-bar.tsx';
import { formatBytes, formatCount } from '../ui/numbers.ts';
import { Segments } from '../ui/segments.tsx';
import { LaneFigures } from './lane-figures.tsx';
import { CHANGES, ORDER_COUNTS, type OrderList, type Refetching, type RefetchLane } from './refetching.ts';

const counts = ORDER_COUNTS.map((value) => ({ value, label: formatCount(value) }));
const COLUMNS = ['number', 'status', 'customer', 'city', 'items', 'total', 'currency', 'placedAt', 'changedAt'];
const MIN_SCALE_MS = 250;

/** A table that is fetched again each second. */
export function RefetchingPage({ state: { pages, monitor, palette, refetching } }: { state: AppState }) {
  useEffect(() => () => refetching.stop(), [refetching]);
  return (
    <main>
      <Intro pages={pages}>
        A dashboard fetches its orders again each second, and few of them have changed. Orders that have not changed should stay the same objects, so
        that a framework renders only the others.
      </Intro>
      <Monitor monitor={monitor} palette={palette} />
      <Controls refetching={refetching} />
      <Lanes refetching={refetching} palette={palette} />
      <Orders refetching={refetching} />
    </main>
  );
}

function Controls({ refetching }: { refetching: Refetching }) {
  const { rows, change } = refetching.settings;
  const isRunning = refetching.isRunning.value;
  return (
    <section class="panel" aria-labelledby="settings-title">
      <h2 id="settings-title" class="visually-hidden">
        Settings
      </h2>
      <div class="settings settings-even">
        <Segments<number> label="Orders" value={rows} choices={counts} disabled={isRunning} />
        <Segments label="Changed by the next refetch" value={change} choices={CHANGES} disabled={isRunning} />
      </div>
      <RunBar isRunning={isRunning} start="Refetch each second" stop="Stop" onStart={() => void refetching.start()} onStop={() => refetching.stop()}>
        Both ways take turns. Their first values, with nothing to compare, are not counted.
      </RunBar>
    </section>
  );
}

function Lanes({ refetching, palette }: { refetching: Refetching; palette: AppState['palette'] }) {
  const latest = refetching.lanes.map(({ refetches }) => refetches.value[0]);
  const end = Math.max(MIN_SCALE_MS, ...latest.map((refetch) => refetch?.readyMs ?? 0));
  return (
    <section class="panel" aria-labelledby="lanes-title">
      <div class="panel-head">
        <h2 id="lanes-title">The latest refetch of each</h2>
        <p class="small muted">
          Each bar is a frame: its width is its duration, its height the same on a logarithmic scale. The vertical line marks the value.
        </p>
      </div>
      {refetching.error.value !== undefined && <ProblemView error={refetching.error.value} />}
      <ul class="lanes">
        {refetching.lanes.map((lane) => (
          <LaneLine key={lane.id} lane={lane} end={end} palette={palette} />
        ))}
      </ul>
    </section>
  );
}

function LaneLine({ lane: { id, title, how, refetches }, end, palette }: { lane: RefetchLane; end: number; palette: AppState['palette'] }) {
  const [latest] = refetches.value;
  return (
    <li class={id === 'unspool' ? 'lane lane-still lane-own' : 'lane lane-still'}>
      <div class="lane-about">
        <h3>{title}</h3>
        <p class="small muted">{how}</p>
        <p class="small muted">{latest ? `JSON, ${formatBytes(latest.bytes)}` : 'JSON'}</p>
      </div>
      <div class="lane-view">
        {latest ? (
          <LaneGraph recording={latest.recording} marks={[latest.readyMs]} end={end} palette={palette} />
        ) : (
          <p class="lane-wait muted">No refetch yet.</p>
        )}
      </div>
      <LaneFigures title={title} refetches={refetches.value} />
    </li>
  );
}

function Orders({ refetching }: { refetching: Refetching }) {
  const list = refetching.shown.value;
  const rows = useMemo(() => list && tableOf(list), [list]);
  return (
    <section class="panel" aria-labelledby="orders-title">
      <div class="panel-head">
        <h2 id="orders-title">Orders</h2>
        <p class="small muted">The value of the latest refetch, newest orders first.</p>
      </div>
      {rows ? (
        <RowTable rows={rows} columns={COLUMNS} label="Orders" layout="rows-orders" source={refetching} />
      ) : (
        <p class="muted">The orders are shown here.</p>
      )}
    </section>
  );
}

/** The orders as flat rows. */
function tableOf({ orders }: OrderList) {
  return {
    length: orders.length,
    at(index: number) {
      const { customer, ...order } = orders[index]!;
      return { ...order, customer: customer.name, city: customer.city };
    },
  };
}
