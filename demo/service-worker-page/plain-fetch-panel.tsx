import { formatBytes, formatCount, formatMs } from '../ui/numbers.ts';
import { PLAIN_ENCODINGS, type PlainFetch, type PlainState, type Side } from './plain-fetch.ts';
import { Action } from '../ui/action.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import { RowTable } from '../table/row-table.tsx';
import { Segments } from '../ui/segments.tsx';

/** An application that knows only JSON, before and after the service worker. */
export function PlainFetchPanel({ plain, isReady }: { plain: PlainFetch; isReady: boolean }) {
  const state = plain.state.value;
  const isRunning = state.phase === 'running';
  return (
    <section class="panel" aria-labelledby="plain-title">
      <div class="panel-head">
        <h2 id="plain-title">Unchanged code</h2>
        <p class="small muted">This code does not use Unspool and supports no binary format.</p>
      </div>
      <pre class="snippet" tabIndex={0} role="region" aria-label="The page’s code">
        <code>{'const { trips } = await fetch(url).then((response) => response.json());'}</code>
      </pre>
      <div class="form-bar">
        <Segments label="The server sends" value={plain.encoding} choices={PLAIN_ENCODINGS} disabled={isRunning} />
        <Action isMain disabled={!isReady || isRunning} onClick={() => void plain.run()}>
          Run it
        </Action>
      </div>
      <Outcome state={state} />
    </section>
  );
}

function Outcome({ state }: { state: PlainState }) {
  if (state.phase === 'failed') {
    return (
      <div class="problem-alone">
        <ProblemView error={state.error} />
      </div>
    );
  }
  if (state.phase !== 'done') return null;
  const { sent, received, ms, rows } = state;
  return (
    <>
      <ol class="journey" aria-label="The path of the payload">
        <Stop name="Server" type={type(sent)} note={size(sent)} />
        <Stop name="Service worker" note="decodes it in short slices and writes JSON" />
        <Stop name="Page" type={type(received)} note={`${formatCount(rows.length)} rows after ${formatMs(ms)}`} />
      </ol>
      <RowTable rows={rows} columns={Object.keys(rows.at(0) ?? {})} name="plain" label="Trips as JSON" layout="rows-trips rows-short" />
    </>
  );
}

function Stop({ name, type: contentType, note }: { name: string; type?: string; note: string }) {
  return (
    <li>
      <strong>{name}</strong>
      {contentType !== undefined && <span class="code">{contentType}</span>}
      <span class="small muted">{note}</span>
    </li>
  );
}

function type({ type: contentType }: Side): string {
  return contentType.split(';', 1)[0]!;
}

function size({ bytes }: Side): string {
  return bytes === undefined ? 'unknown size' : formatBytes(bytes);
}
