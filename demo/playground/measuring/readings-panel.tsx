import { Action } from '../../ui/action.tsx';
import { formatBytes, formatMs, formatRatio } from '../../ui/numbers.ts';
import { frameLevel } from '../../frames/frames.ts';
import type { Reading } from './measure.ts';
import type { Playground } from '../playground.ts';

/** How the payload reads in this browser, in each way. */
export function ReadingsPanel({ playground }: { playground: Playground }) {
  const { readings, activity, waitsForConsent, facts } = playground;
  const base = readings.value.find(({ id }) => id === 'library')?.warm?.ms;
  const longest = Math.max(...readings.value.map(({ warm }) => warm?.ms ?? 0));
  const current = activity.value === 'reading' ? readings.value.find(({ warm, problem }) => !warm && problem === undefined) : undefined;
  return (
    <section class="panel" aria-labelledby="readings-title">
      <div class="panel-head">
        <h2 id="readings-title">How it reads here</h2>
        <p class="small muted" role="status">
          {current ? `Measuring ${current.title}…` : 'Measured now, in this browser, from bytes in memory.'}
        </p>
      </div>
      {waitsForConsent.value && (
        <div class="playground-consent">
          <p>Reading {formatBytes(facts.value!.content.length)} in every way takes a while, and some of the ways block the page meanwhile.</p>
          <Action isMain onClick={() => void playground.measure()}>
            Measure it
          </Action>
        </div>
      )}
      <div class="scrolling" tabIndex={0} role="region" aria-label="Times of each way">
        <table class="measures">
          <thead>
            <tr>
              <th scope="col">Way</th>
              <th scope="col">First run</th>
              <th scope="col">Warm</th>
              <th scope="col">{base === undefined ? '' : 'Against the library'}</th>
              <th scope="col">Longest block, first</th>
              <th scope="col">Longest block, warm</th>
              <th scope="col">Frames lost, first / warm</th>
            </tr>
          </thead>
          <tbody>
            {readings.value.map((reading) => (
              <ReadingRow key={reading.id} reading={reading} base={base} longest={longest} isCurrent={reading === current} />
            ))}
          </tbody>
        </table>
      </div>
      <p class="small muted">
        Each way begins on a page of its own, where nothing has been decoded. Warm times are medians of up to five runs. A block is a time in which
        the page cannot draw or answer: from 50 ms on, people notice. Lost frames are those of 60 a second that the page did not draw meanwhile.
        Memory is not shown: a browser measures it only for a page that its server isolates from all others.
      </p>
    </section>
  );
}

interface ReadingRowProps {
  reading: Reading;
  base: number | undefined;
  longest: number;
  isCurrent: boolean;
}

function ReadingRow({ reading: { title, how, first, warm, problem, id }, base, longest, isCurrent }: ReadingRowProps) {
  const isOwn = id !== 'library' && id !== 'clone';
  return (
    <tr class={`${isOwn ? 'measures-own' : ''}${isCurrent ? ' measures-current' : ''}`}>
      <th scope="row">
        <span class="measures-name">{title}</span>
        <span class="small muted">{how}</span>
      </th>
      {problem !== undefined ? (
        <td colSpan={6} class="measures-text">
          {problem}
        </td>
      ) : (
        <>
          <td>{first ? formatMs(first.ms) : '–'}</td>
          <td>
            <span class="measures-figure">{warm ? formatMs(warm.ms) : '–'}</span>
            <span class="measures-track" aria-hidden="true">
              {warm && <span style={{ width: `${(warm.ms / longest) * 100}%` }} />}
            </span>
          </td>
          <td class="muted">{warm && base !== undefined && formatRatio(warm.ms / base)}</td>
          <td class={first && levelOf(first.block)}>{first ? formatMs(first.block) : '–'}</td>
          <td class={warm && levelOf(warm.block)}>{warm ? formatMs(warm.block) : '–'}</td>
          <td>
            {first?.lost ?? '–'} / {warm?.lost ?? '–'}
          </td>
        </>
      )}
    </tr>
  );
}

function levelOf(block: number): string {
  return `measures-${frameLevel(block)}`;
}
