import { ProblemView } from '../errors/problem-view.tsx';
import { RunBar } from '../ui/run-bar.tsx';
import { formatCount } from '../ui/numbers.ts';
import { Segments } from '../ui/segments.tsx';
import { Tiles } from '../ui/tiles.tsx';
import { PLACES, RATES, type Tick, type Ticks, type TickState } from './ticks.ts';

/** A table of prices that a socket keeps up to date. */
export function TicksPanel({ ticks }: { ticks: Ticks }) {
  const state = ticks.state.value;
  const { rate, place } = ticks.settings;
  const isRunning = state.phase === 'running';
  return (
    <section class="panel" aria-labelledby="ticks-title">
      <div class="panel-head">
        <h2 id="ticks-title">Messages of a socket</h2>
        <p class="small muted" role="status">
          {tell(state)}
        </p>
      </div>
      <div class="settings settings-even">
        <Segments label="Messages per second" value={rate} choices={RATES} disabled={isRunning} />
        <Segments label="The socket" value={place} choices={PLACES} disabled={isRunning} />
      </div>
      <RunBar isRunning={isRunning} start="Connect" stop="Disconnect" onStart={() => void ticks.start()} onStop={() => ticks.stop()}>
        Each message is a price as MessagePack. Of each symbol, the table shows the latest price, once per frame.
      </RunBar>
      <Tiles tiles={tilesOf(state)} />
      {state.phase === 'failed' && <ProblemView error={state.error} />}
      {state.rows.length > 0 && <PriceTable rows={state.rows} />}
    </section>
  );
}

function PriceTable({ rows }: { rows: readonly Tick[] }) {
  return (
    <table class="prices">
      <caption class="visually-hidden">Latest price of each symbol</caption>
      <thead>
        <tr>
          <th scope="col">Symbol</th>
          <th scope="col">Price</th>
          <th scope="col">Change</th>
          <th scope="col">Volume</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ symbol, price, change, volume }) => (
          <tr key={symbol}>
            <th scope="row">{symbol}</th>
            <td>{money.format(price / 100)}</td>
            <td class={change < 0 ? 'price-down' : 'price-up'}>{signed.format(change / 100)}</td>
            <td>{formatCount(volume)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const signed = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: 'exceptZero' });

function tilesOf({ received, shown, dropped }: TickState) {
  const count = (perSecond: number): string => formatCount(Math.round(perSecond));
  return [
    { label: 'Received per second', value: count(received) },
    { label: 'Decoded and shown', value: count(shown) },
    { label: 'Replaced before a frame', value: count(dropped) },
  ];
}

function tell({ phase, rows: { length } }: TickState): string {
  if (phase === 'running') return length === 0 ? 'Connecting…' : 'Connected.';
  if (phase !== 'idle' && length === 0) return 'Not connected: no price has arrived.';
  if (phase === 'failed') return 'The connection broke.';
  return phase === 'stopped' ? 'Disconnected. The last prices are kept.' : 'Prices appear here once connected.';
}
