import { useEffect } from 'preact/hooks';
import type { DecodeReport } from '../../../main/call/observe.ts';
import type { NetworkDetails } from '../../adapter/adapter.ts';
import { counted, formatBytes, formatMilliseconds } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';

const STEPS = [
  { key: 'readMs', label: 'read' },
  { key: 'queueMs', label: 'queue' },
  { key: 'transferMs', label: 'transfer' },
  { key: 'decodeMs', label: 'decode' },
  { key: 'materialiseMs', label: 'materialise' },
] as const;

/** Phases of a request, with the labels of Chrome's Network panel. */
const NETWORK_STEPS = [
  { key: 'queueing', label: 'Queueing' },
  { key: 'blocked', label: 'Stalled' },
  { key: 'dns', label: 'DNS Lookup' },
  { key: 'connect', label: 'Initial connection' },
  { key: 'send', label: 'Request sent' },
  { key: 'wait', label: 'Waiting for server response' },
  { key: 'receive', label: 'Content Download' },
] as const;

/** Timing tab: phases of the request, and the library's reports of its decodes. */
export function TimingView({ panel }: { panel: Panel }) {
  const { exchange } = panel.selection.row.value!;
  useEffect(() => {
    void panel.library.read();
  }, [exchange.id]);
  const reports = panel.selection.reports.value;
  return (
    <div class="timing" tabIndex={0} role="region" aria-label="Timings">
      {exchange.network && <NetworkTiming network={exchange.network} />}
      {reports.length === 0 && (
        <article class="report">
          <h3>No decode reported for this request</h3>
          <p class="muted">
            Pages that decode with Unspool report the time of each decoding step here. This page{' '}
            {panel.library.state.value ? 'uses the library for other requests' : 'does not use the library, or has not used it yet'}.
          </p>
          <button class="button" onClick={() => void panel.library.read()}>
            Check again
          </button>
        </article>
      )}
      {reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
    </div>
  );
}

function NetworkTiming({ network: { timings } }: { network: NetworkDetails }) {
  const steps = NETWORK_STEPS.filter(({ key }) => timings[key] !== undefined);
  const total = steps.reduce((sum, { key }) => sum + timings[key]!, 0);
  return (
    <article class="report">
      <h3>
        Network <span class="muted">{formatMilliseconds(total)}</span>
      </h3>
      <Waterfall steps={steps.map(({ key, label }) => ({ label, name: key, milliseconds: timings[key]! }))} longest={Math.max(total, 0.001)} />
    </article>
  );
}

interface WaterfallStep {
  label: string;
  name: string;
  milliseconds: number;
}

/** Consecutive steps as a waterfall chart. */
function Waterfall({ steps, longest }: { steps: readonly WaterfallStep[]; longest: number }) {
  let at = 0;
  return (
    <dl class="waterfall">
      {steps.map(({ label, name, milliseconds }) => {
        const left = at;
        at += milliseconds;
        return (
          <div class="waterfall-row" key={name}>
            <dt>{label}</dt>
            <dd>
              <span class="waterfall-track" aria-hidden="true">
                <span
                  class={`waterfall-bar bar-${name}`}
                  style={{ left: `${(left / longest) * 100}%`, width: `${(milliseconds / longest) * 100}%` }}
                />
              </span>
              <span class="number">{formatMilliseconds(milliseconds)}</span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Report({ report }: { report: DecodeReport }) {
  const longest = Math.max(
    report.duration,
    STEPS.reduce((sum, { key }) => sum + report[key], 0),
    0.001,
  );
  return (
    <article class="report">
      <h3>
        {report.label ?? `Decode ${report.id}`} <span class="muted">{formatMilliseconds(report.duration)}</span>
      </h3>
      <p class="muted">
        {report.format ?? 'unknown format'}, {formatBytes(report.bytes)}, {counted(report.rows, 'row')}, as {report.as},{' '}
        {report.route === 'worker' ? 'in a worker' : 'on the page'}
      </p>
      {report.error && <p class="error-line">{report.error.message}</p>}
      <Waterfall steps={STEPS.map(({ key, label }) => ({ label, name: label, milliseconds: report[key] }))} longest={longest} />
      <p>
        Longest task on the page: <strong>{formatMilliseconds(report.longestSliceMs)}</strong>
      </p>
    </article>
  );
}
