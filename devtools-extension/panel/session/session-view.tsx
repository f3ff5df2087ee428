import { nameOf } from '../../text/address.ts';
import { saveFile } from '../copy/copy.ts';
import { writeHar } from '../files/har.ts';
import { formatBytes, formatCount, formatTime } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { sessionTotals } from './session-totals.ts';
import { stepsText } from '../../values/value-text.ts';
import { visible } from '../../text/visible-text.ts';
import { TableHead } from '../shared/table-head.tsx';
import { PatternButton } from '../shared/toggle-button.tsx';

const NUMBERS = ['Requests', 'Failed', 'Bodies', 'Transferred'].map((label) => ({ label, isNumber: true }));
const COLUMNS = [{ label: 'Address' }, { label: 'Format' }, ...NUMBERS];

/** View of all requests together. */
export function SessionView({ panel }: { panel: Panel }) {
  const { session } = panel;
  const progress = session.progress.value;
  const count = session.found.value.reduce((sum, found) => sum + found.count, 0);
  return (
    <section class="session" aria-label="Session" tabIndex={0}>
      <h2 class="visually-hidden">Session</h2>
      <div class="view-bar">
        <input
          class="field session-search"
          type="search"
          placeholder="Search in all bodies"
          aria-label="Search in all bodies"
          defaultValue={session.text.value}
          aria-invalid={session.problem.value !== ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void session.search(event.currentTarget.value);
          }}
        />
        <PatternButton isOn={session.isPattern.value} onToggle={(isOn) => void session.search(session.text.value, isOn)} />
        <span class={session.problem.value ? 'is-problem' : 'muted'} role="status">
          {session.problem.value && `${visible(session.problem.value)} `}
          {progress &&
            `${formatCount(count)} found in ${formatCount(session.found.value.length)} bodies of ${formatCount(progress.done)} requests${progress.done < progress.all ? ', searching…' : ''}`}
        </span>
        <button class="button session-save" title="Without cookies and Authorization headers" onClick={() => void saveHar(panel, false)}>
          Save as HAR
        </button>
        <button
          class="button"
          title="With cookies and Authorization headers: anyone with the file can act as you"
          onClick={() => void saveHar(panel, true)}
        >
          Save with secrets
        </button>
        <ExportButton panel={panel} />
      </div>
      {session.found.value.length > 0 && (
        <ul class="session-found" aria-label="Found">
          {session.found.value.flatMap(({ row, direction, message, matches, count: all }, place) =>
            matches.map(({ path, text }, index) => (
              <li key={`${row.exchange.id} ${place} ${index}`}>
                <button class="sort" onClick={() => void panel.show(row, path, direction, message)}>
                  <strong>{nameOf(row.exchange.url)}</strong>{' '}
                  {(message ?? direction === 'request') && (
                    <span class="muted">{message ? `message ${message.direction} at ${formatTime(message.time)}` : 'request'} </span>
                  )}
                  <code>{stepsText(path)}</code> {visible(text)}
                </button>
                {index === matches.length - 1 && all > matches.length && <span class="muted"> and {formatCount(all - matches.length)} more</span>}
              </li>
            )),
          )}
        </ul>
      )}
      <Totals panel={panel} />
    </section>
  );
}

async function saveHar(panel: Panel, secrets: boolean): Promise<void> {
  saveFile('session.har', writeHar(await panel.session.saved(), '1', { secrets }), 'application/json');
}

/** Exports all values, or cancels the export. */
function ExportButton({ panel: { sessionExport } }: { panel: Panel }) {
  const progress = sessionExport.progress.value;
  if (progress) {
    return (
      <>
        <span class="muted" role="status">
          {formatCount(progress.done)} of {formatCount(progress.all)} requests exported
        </span>
        <button class="button" onClick={() => sessionExport.cancel()}>
          Cancel
        </button>
      </>
    );
  }
  return (
    <button
      class="button"
      title="All decoded values, as newline-delimited JSON"
      onClick={() =>
        void sessionExport.run().then((file) => {
          if (file) saveFile('session.ndjson', file, file.type);
        })
      }
    >
      Export decoded
    </button>
  );
}

function Totals({ panel }: { panel: Panel }) {
  const totals = sessionTotals(panel.requests.rows.value);
  return (
    <table class="sizes totals">
      <caption class="muted">By address and format</caption>
      <TableHead columns={COLUMNS} />
      <tbody>
        {totals.map(({ address, format, count, failed, size, transferred }) => (
          <tr key={`${format} ${address}`}>
            <th scope="row" class="size-name" title={visible(address)}>
              {visible(address)}
            </th>
            <td>{format}</td>
            <td class="number">{formatCount(count)}</td>
            <td class="number">{failed === 0 ? '' : formatCount(failed)}</td>
            <td class="number">{formatBytes(size)}</td>
            <td class="number">{formatBytes(transferred)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
