import { formatBytes, formatCount } from '../../text/numbers.ts';
import type { Panel } from '../panel.ts';
import { type FormTotal, sumOf, type WhatIfTotal } from './session-what-if.ts';
import { visible } from '../../text/visible-text.ts';

/** Sizes of all bodies in every other format. */
export function SessionWhatIfView({ panel }: { panel: Panel }) {
  const { whatIf } = panel.session;
  const progress = whatIf.progress.value;
  const all = sumOf(whatIf.totals.value);
  const chosen = all?.forms.find(({ name }) => name === whatIf.form.value) ?? bestOf(all?.forms);
  return (
    <section class="session-what-if" aria-label="What if">
      <div class="view-bar">
        <h3>What if</h3>
        {whatIf.isRunning.value ? (
          <button class="button" onClick={() => whatIf.stop()}>
            Stop
          </button>
        ) : (
          <button class="button" onClick={() => void whatIf.run()}>
            {progress ? 'Try again' : 'Try all formats'}
          </button>
        )}
        {whatIf.isRunning.value && progress && <progress value={progress.done} max={progress.all} aria-label="Bodies tried" />}
        <span class="muted" role="status">
          {progress ? described(progress, whatIf.left.value, whatIf.isRunning.value) : 'Sizes of these bodies in every other format'}
        </span>
      </div>
      {all && chosen && (
        <>
          <FormsTable all={all} chosen={chosen} choose={(name) => (whatIf.form.value = name)} />
          <AddressTable totals={whatIf.totals.value} name={chosen.name} />
        </>
      )}
    </section>
  );
}

function described({ done, all }: { done: number; all: number }, left: number, isRunning: boolean): string {
  const tried = `${formatCount(done)} of ${formatCount(all)} bodies ${isRunning ? 'tried…' : 'tried'}`;
  return left === 0 ? tried : `${tried}, ${formatCount(left)} skipped: missing, unknown format, or no schema`;
}

/** The form with the smallest compressed size. */
function bestOf(forms: readonly FormTotal[] | undefined): FormTotal | undefined {
  return forms?.reduce((best, form) => (form.gzip < best.gzip ? form : best));
}

/** Totals over all bodies, by form. */
function FormsTable({ all, chosen, choose }: { all: WhatIfTotal; chosen: FormTotal; choose: (name: string) => void }) {
  return (
    <table class="sizes what-if-forms">
      <caption class="muted">{`All ${formatCount(all.count)} bodies in one format`}</caption>
      <thead>
        <tr>
          <th scope="col">Format</th>
          {['Size', 'Change', 'gzip'].map((name) => (
            <th scope="col" class="number" key={name}>
              {name}
            </th>
          ))}
          <th scope="col">Note</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">transferred</th>
          <td class="number">{formatBytes(all.transferred)}</td>
          <td colSpan={2} />
          <td class="muted">with headers</td>
        </tr>
        <tr>
          <th scope="row">current</th>
          <td class="number">{formatBytes(all.size)}</td>
          <td />
          <td class="number">{formatBytes(all.gzip)}</td>
          <td />
        </tr>
        {all.forms.map((form) => (
          <tr key={form.name} class={form === chosen ? 'is-chosen' : undefined}>
            <th scope="row">
              <button class="sort" aria-pressed={form === chosen} onClick={() => choose(form.name)}>
                {form.name}
              </button>
            </th>
            <td class="number">{formatBytes(form.size)}</td>
            <td class="number">{change(form.size, all.size)}</td>
            <td class="number">{formatBytes(form.gzip)}</td>
            <td class="muted">{form.unsupported > 0 && `cannot represent ${formatCount(form.unsupported)}, counted as they are`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Current size and size in one form, by address and format. */
function AddressTable({ totals, name }: { totals: readonly WhatIfTotal[]; name: string }) {
  return (
    <table class="sizes what-if-addresses">
      <caption class="muted">{`By address and format, in ${name}`}</caption>
      <thead>
        <tr>
          <th scope="col">Address</th>
          <th scope="col">Format</th>
          {['Bodies', 'Now', 'Then', 'Change', 'gzip now', 'gzip then'].map((column) => (
            <th scope="col" class="number" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {totals.map(({ address, format, count, size, gzip, forms }) => {
          const form = forms.find((one) => one.name === name)!;
          return (
            <tr key={`${format} ${address}`}>
              <th scope="row" class="size-name" title={visible(address)}>
                {visible(address)}
              </th>
              <td>{format}</td>
              <td class="number">{formatCount(count)}</td>
              <td class="number">{formatBytes(size)}</td>
              <td class="number">{form.unsupported === count ? 'not possible' : formatBytes(form.size)}</td>
              <td class="number">{change(form.size, size)}</td>
              <td class="number">{formatBytes(gzip)}</td>
              <td class="number">{formatBytes(form.gzip)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function change(size: number, before: number): string {
  if (before === 0) return '';
  const percent = Math.round((size / before - 1) * 100);
  return `${percent < 0 ? '−' : percent > 0 ? '+' : ''}${Math.abs(percent)} %`;
}
