import { formatBytes, formatMs } from '../ui/numbers.ts';
import { adviceText } from './advice.ts';
import type { Playground } from './playground.ts';

/** The payload in every other format that can hold it. */
export function FormsPanel({ playground }: { playground: Playground }) {
  const { forms, formCount, facts, gzip, advice, activity } = playground;
  const isDone = formCount.value > 0 && forms.value.length === formCount.value;
  const own = facts.value!;
  const fitting = forms.value.filter(({ problem }) => problem === undefined).toSorted((a, b) => a.gzip - b.gzip);
  const failing = forms.value.filter(({ problem }) => problem !== undefined);
  const largest = Math.max(gzip.value, ...fitting.map((form) => form.gzip));
  const hasBrotli = fitting.some(({ brotli }) => brotli !== undefined);
  const hasZstd = fitting.some(({ zstd }) => zstd !== undefined);
  return (
    <section class="panel" aria-labelledby="forms-title">
      <div class="panel-head">
        <h2 id="forms-title">In other formats</h2>
        <p class="small muted" role="status">
          {isDone ? `${fitting.length} of ${formCount.value} forms can hold it.` : statusOf(activity.value, forms.value.length, formCount.value)}
        </p>
      </div>
      {isDone && (
        <p class="advice">
          {advice.value
            ? adviceText(advice.value)
            : `No other format is both smaller after gzip and faster to read than ${own.label}, without losing anything.`}
        </p>
      )}
      {forms.value.length > 0 && (
        <div class="scrolling" tabIndex={0} role="region" aria-label="Sizes and times of each format">
          <table class="measures">
            <thead>
              <tr>
                <th scope="col">Format</th>
                <th scope="col">Bytes</th>
                <th scope="col">gzip</th>
                {hasBrotli && <th scope="col">br</th>}
                {hasZstd && <th scope="col">zstd</th>}
                <th scope="col">Write</th>
                <th scope="col">Read</th>
                <th scope="col" class="measures-text">
                  Note
                </th>
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">
                  <span class="measures-name">This payload</span>
                </th>
                <td>{formatBytes(own.content.length)}</td>
                <td>
                  <Bar value={gzip.value} largest={largest} />
                </td>
                {hasBrotli && <td>–</td>}
                {hasZstd && <td>–</td>}
                <td>–</td>
                <td>–</td>
                <td class="measures-text">{own.label}, as it was given</td>
              </tr>
              {fitting.map((form) => (
                <tr key={form.name} class={form === advice.value?.form ? 'measures-own' : ''}>
                  <th scope="row">
                    <span class="measures-name">{form.name}</span>
                  </th>
                  <td>{formatBytes(form.size)}</td>
                  <td>
                    <Bar value={form.gzip} largest={largest} />
                  </td>
                  {hasBrotli && <td>{form.brotli !== undefined && formatBytes(form.brotli)}</td>}
                  {hasZstd && <td>{form.zstd !== undefined && formatBytes(form.zstd)}</td>}
                  <td>{formatMs(form.encode)}</td>
                  <td>{formatMs(form.decode)}</td>
                  <td class="measures-text">
                    {form.note}
                    {form.lost && `${form.note ? '; loses' : 'Loses'}: ${form.lost.join(', ')}`}
                  </td>
                </tr>
              ))}
              {failing.map(({ name, problem }) => (
                <tr key={name}>
                  <th scope="row">
                    <span class="measures-name">{name}</span>
                  </th>
                  <td colSpan={5 + Number(hasBrotli) + Number(hasZstd)} class="measures-text">
                    cannot hold it: {problem}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p class="small muted">
        Times are those of this library in a worker, in one go, of plain objects: medians of the later half of up to twelve runs. Compressed sizes are
        those of the browser’s own compression.
      </p>
    </section>
  );
}

function statusOf(activity: string, done: number, count: number): string {
  if (activity !== 'encoding') return activity === 'idle' ? '' : 'After the measurements above.';
  return count === 0 ? 'Reading…' : `${done} of ${count}`;
}

function Bar({ value, largest }: { value: number; largest: number }) {
  return (
    <>
      <span class="measures-figure">{value > 0 ? formatBytes(value) : '–'}</span>
      <span class="measures-track" aria-hidden="true">
        <span style={{ width: `${largest > 0 ? (value / largest) * 100 : 0}%` }} />
      </span>
    </>
  );
}
