import { useEffect } from 'preact/hooks';
import type { DecodeReport } from '../../../main/decoder/observe.ts';
import { formatBytes, formatCount, formatMilliseconds } from '../models/numbers.ts';
import type { Panel } from '../models/panel.ts';
import { Note } from './note.tsx';

const STEPS = [
  { key: 'readMs', label: 'read' },
  { key: 'queueMs', label: 'queue' },
  { key: 'transferMs', label: 'transfer' },
  { key: 'decodeMs', label: 'decode' },
  { key: 'materialiseMs', label: 'materialise' },
] as const;

/** What the library on the page says of its decodes of this address. */
export function TimingView({ panel }: { panel: Panel }) {
  const { exchange } = panel.selection.row.value!;
  useEffect(() => {
    void panel.library.read();
  }, [exchange.id]);
  const reports = panel.selection.reports.value;
  if (reports.length === 0) {
    return (
      <Note title="No decode of this request was reported">
        <p>A page that decodes with Unspool reports here how long each response waited, was decoded and was built. This one {panel.library.state.value ? 'uses the library for other requests' : 'does not use the library, or has not yet'}.</p>
        <button class="button" onClick={() => void panel.library.read()}>
          Look again
        </button>
      </Note>
    );
  }
  return (
    <div class="timing" tabIndex={0} role="region" aria-label="Timings of the library">
      {reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
    </div>
  );
}

function Report({ report }: { report: DecodeReport }) {
  const longest = Math.max(report.duration, STEPS.reduce((sum, { key }) => sum + report[key], 0), 0.001);
  let at = 0;
  return (
    <article class="report">
      <h3>
        {report.label ?? `Decode ${report.id}`} <span class="muted">{formatMilliseconds(report.duration)}</span>
      </h3>
      <p class="muted">
        {report.format ?? 'unknown format'}, {formatBytes(report.bytes)}, {formatCount(report.rows)} rows, as {report.as}, {report.route === 'worker' ? 'in a worker' : 'on the page'}
      </p>
      {report.error && <p class="error-line">{report.error.message}</p>}
      <dl class="waterfall">
        {STEPS.map(({ key, label }) => {
          const left = at;
          at += report[key];
          return (
            <div class="waterfall-row" key={key}>
              <dt>{label}</dt>
              <dd>
                <span class="waterfall-track" aria-hidden="true">
                  <span class={`waterfall-bar bar-${label}`} style={{ left: `${(left / longest) * 100}%`, width: `${(report[key] / longest) * 100}%` }} />
                </span>
                <span class="number">{formatMilliseconds(report[key])}</span>
              </dd>
            </div>
          );
        })}
      </dl>
      <p>
        Longest time without a break on the page: <strong>{formatMilliseconds(report.longestSliceMs)}</strong>
      </p>
    </article>
  );
}
