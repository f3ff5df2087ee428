import { BASELINE, compare, METRICS, type ComparisonRow } from '../models/comparison.ts';
import { formatMs, formatRatio } from '../models/numbers.ts';
import type { Lane } from '../models/race.ts';

/** The runs that are done, side by side: one chart for each thing that was measured. */
export function Results({ lanes }: { lanes: readonly Lane[] }) {
  const rows = compare(lanes.map(({ contender, state }) => ({ contender, state: state.value })));
  if (rows.length < 2) return null;
  const hasBaseline = rows.some(({ contender }) => contender.id === BASELINE);
  return (
    <section class="panel" aria-labelledby="results-title">
      <div class="panel-head">
        <h2 id="results-title">Results</h2>
        <p class="small muted">From bytes in memory; shorter is better.{hasBaseline && ' × is against JSON.parse.'}</p>
      </div>
      <div class="results">
        {METRICS.map(({ id, label, note }, index) => (
          <Chart key={id} label={label} note={note} rows={rows} index={index} />
        ))}
      </div>
    </section>
  );
}

function Chart({ label, note, rows, index }: { label: string; note: string; rows: ComparisonRow[]; index: number }) {
  return (
    <table class="chart">
      <caption>
        <strong>{label}</strong>
        <span class="small muted">{note}</span>
      </caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Contender</th>
          <th scope="col">Time</th>
          <th scope="col">Against JSON.parse</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ contender, figures }) => {
          const { ms, ratio, share } = figures[index]!;
          return (
            <tr key={contender.id} class={contender.id === 'unspool' ? 'chart-own' : ''}>
              <th scope="row">{contender.title}</th>
              <td class="chart-ms">{formatMs(ms)}</td>
              <td class="muted">{ratio === undefined ? '' : formatRatio(ratio)}</td>
              <td class="chart-track" aria-hidden="true">
                <div class="chart-bar" style={{ width: `${share * 100}%` }} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
