import { ENCODING_TABLE } from '../payloads/encodings.ts';
import { frameLevel } from '../frames/frames.ts';
import { formatCount, formatMs } from '../ui/numbers.ts';
import { VISIT_ENCODINGS, VISIT_SIZES, type Visit, type Visits } from './visits.ts';
import { Action } from '../ui/action.tsx';
import { ProblemView } from '../errors/problem-view.tsx';
import { RowTable } from '../table/row-table.tsx';
import { Segments } from '../ui/segments.tsx';

const sizes = VISIT_SIZES.map((value) => ({ value, label: formatCount(value) }));

/** Measures visits that open a cached block. */
export function VisitsPanel({ visits, isReady }: { visits: Visits; isReady: boolean }) {
  const state = visits.state.value;
  const isRunning = state.phase === 'running';
  const list = visits.list.value;
  const shown = visits.shown.value;
  const isDisabled = !isReady || isRunning;
  return (
    <section class="panel" aria-labelledby="visits-title">
      <div class="panel-head">
        <h2 id="visits-title">The second visit</h2>
        <p class="small muted">The first visit decodes the payload and caches the block; later visits only open it.</p>
      </div>
      <pre class="snippet" tabIndex={0} role="region" aria-label="The page’s code, with Unspool">
        <code>{'const { trips } = await (await decoder.fetch(url)).rows();'}</code>
      </pre>
      <div class="settings settings-even">
        <Segments label="The server sends" value={visits.encoding} choices={VISIT_ENCODINGS} disabled={isRunning} />
        <Segments<number> label="Rows" value={visits.rows} choices={sizes} disabled={isRunning} />
      </div>
      <div class="run-bar">
        <div class="actions">
          <Action isMain disabled={isDisabled} onClick={() => void visits.visit()}>
            Fetch
          </Action>
          <Action disabled={isDisabled || list.length === 0} onClick={() => visits.reload()}>
            Reload the page and fetch again
          </Action>
        </div>
        <p class="small muted" role="status">
          {isRunning ? 'Loading…' : list[0] ? sentence(list[0]) : 'Fetch twice, or reload in between.'}
        </p>
      </div>
      {state.phase === 'failed' && (
        <div class="problem-alone">
          <ProblemView error={state.error} />
        </div>
      )}
      {list.length > 0 && <VisitTable list={list} />}
      {shown && (
        <RowTable rows={shown} columns={Object.keys(shown.at(0) ?? {})} name="visit" label="Trips of this visit" layout="rows-trips rows-short" />
      )}
    </section>
  );
}

function VisitTable({ list }: { list: readonly Visit[] }) {
  const longest = Math.max(...list.map(({ readyMs }) => readyMs));
  return (
    <div class="visits-scroll">
      <table class="visits">
        <caption class="visually-hidden">Visits, the newest first</caption>
        <thead>
          <tr>
            <th scope="col">Visit</th>
            <th scope="col">Payload</th>
            <th scope="col">Rows</th>
            <th scope="col">Usable after</th>
            <th scope="col">
              <span class="visually-hidden">Compared</span>
            </th>
            <th scope="col">Longest block</th>
          </tr>
        </thead>
        <tbody>
          {list.map((visit, index) => (
            <tr key={list.length - index}>
              <th scope="row">{nameOf(visit)}</th>
              <td>{ENCODING_TABLE[visit.encoding].label}</td>
              <td class="visits-number">{formatCount(visit.rows)}</td>
              <td class="visits-number visits-time">{formatMs(visit.readyMs)}</td>
              <td class="visits-bar" aria-hidden="true">
                <div class={visit.fromCache ? 'visits-own' : ''} style={{ width: `${Math.max(1, (visit.readyMs / longest) * 100)}%` }} />
              </td>
              <td class={`visits-number level-${frameLevel(visit.longestBlock)}`}>{formatMs(visit.longestBlock)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function nameOf({ fromCache, afterReload }: Visit): string {
  if (!fromCache) return 'From the server';
  return afterReload ? 'From the cache, after a reload' : 'From the cache';
}

function sentence({ rows, fromCache, readyMs }: Visit): string {
  return `${formatCount(rows)} rows usable ${formatMs(readyMs)} after the request${fromCache ? ', nothing decoded' : ', decoded and cached'}.`;
}
