import { BASELINE, compare, METRICS, type ComparisonLine, type ComparisonRow, type Metric } from './comparison.ts';
import { formatMs, formatRatio } from '../ui/numbers.ts';
import type { Lane } from './race.ts';
import { runsLabel } from './runs.ts';

/** Compares the contenders that have run: one chart per metric. */
export function Results({ lanes }: { lanes: readonly Lane[] }) {
  const rows = compare(lanes.map(({ contender, runs }) => ({ contender, runs: runs.value })));
  if (rows.length < 2) return null;
  const hasBaseline = rows.some(({ contender }) => contender.id === BASELINE);
  return (
    <section class="panel" aria-labelledby="results-title">
      <div class="panel-head">
        <h2 id="results-title">Results</h2>
        <p class="small muted">
          Measured from bytes in memory; shorter is better.{hasBaseline && ' × compares with JSON.parse: first run with first run, warm with warm.'}
        </p>
      </div>
      <div class="results">
        {METRICS.map(({ id, label, note }) => (
          <Chart key={id} label={label} note={note} rows={rows} metric={id} />
        ))}
      </div>
    </section>
  );
}

function Chart({ label, note, rows, metric }: { label: string; note: string; rows: ComparisonRow[]; metric: Metric }) {
  return (
    <table class="chart">
      <caption>
        <strong>{label}</strong>
        <span class="small muted">{note}</span>
      </caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Time</th>
          <th scope="col">Against JSON.parse</th>
        </tr>
      </thead>
      {rows.map(({ contender, lines }) => (
        <tbody key={contender.id} class={contender.id === 'unspool' ? 'chart-own' : ''}>
          <tr>
            <th scope="rowgroup" colSpan={4} class="chart-title">
              {contender.title}
            </th>
          </tr>
          {lines.map((line) => (
            <ChartLine key={line.kind} line={line} metric={metric} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

function ChartLine({ line: { kind, count, figures }, metric }: { line: ComparisonLine; metric: Metric }) {
  const { ms, ratio, share } = figures[metric];
  return (
    <tr>
      <th scope="row" class="muted">
        {runsLabel(kind, count)}
      </th>
      <td class="chart-ms">{formatMs(ms)}</td>
      <td class="muted">{ratio === undefined ? '' : formatRatio(ratio)}</td>
      <td class="chart-track" aria-hidden="true">
        <div class={`chart-bar chart-${kind}`} style={{ width: `${share * 100}%` }} />
      </td>
    </tr>
  );
}
