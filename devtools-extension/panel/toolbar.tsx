import { useRef } from 'preact/hooks';
import { FORMAT_IDS, type Panel } from './panel.ts';
import type { Shown } from './requests/row.ts';
import { type Choice, Segments } from './shared/segments.tsx';
import { choicesOf, Select } from './shared/select.tsx';
import { formatCount } from '../text/numbers.ts';

const SHOWN: readonly Choice<Shown>[] = [
  { value: 'all', label: 'All', title: 'All requests' },
  { value: 'data', label: 'Data', title: 'Hides documents, scripts, styles, images and fonts' },
  { value: 'binary', label: 'Binary', title: 'Only binary formats' },
];

export function Toolbar({ panel }: { panel: Panel }) {
  const files = useRef<HTMLInputElement>(null);
  const count = panel.requests.rows.value.length;
  const dropped = panel.requests.dropped.value;
  const look = panel.lookForStreams.value;
  const visible = panel.requests.visible.value.length;
  return (
    <div class="toolbar" role="group" aria-label="Requests to show">
      <input
        class="field toolbar-filter"
        type="search"
        placeholder="Filter"
        aria-label="Filter requests by name, URL or property"
        value={panel.requests.text.value}
        onInput={(event) => {
          panel.requests.text.value = event.currentTarget.value;
        }}
      />
      <Segments
        label="Kinds of requests"
        choices={SHOWN}
        value={panel.requests.shown.value}
        onChoose={(shown) => {
          panel.requests.shown.value = shown;
        }}
      />
      <Select
        label="Format to show"
        choices={[{ value: '', label: 'Format' }, ...choicesOf(FORMAT_IDS)]}
        value={panel.requests.formatShown.value}
        onChoose={(format) => (panel.requests.formatShown.value = format)}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={panel.requests.keepLog.value}
          onChange={(event) => {
            panel.requests.keepLog.value = event.currentTarget.checked;
          }}
        />
        <span>
          Preserve<span class="wide-only"> log</span>
        </span>
      </label>
      <span class="toolbar-count muted">
        {visible === count ? formatCount(count) : `${formatCount(visible)} of ${formatCount(count)}`} {count === 1 ? 'request' : 'requests'}
        {dropped > 0 && `, the oldest ${formatCount(dropped)} dropped`}
      </span>
      {look && (
        <button class="button" title="The log is long, so open WebSockets and EventSources are no longer found automatically" onClick={look}>
          Find open streams
        </button>
      )}
      <button
        class="button"
        aria-expanded={panel.session.isOpen.value}
        title="Search in all bodies, totals, export"
        onClick={() => {
          panel.session.isOpen.value = !panel.session.isOpen.value;
        }}
      >
        Session
      </button>
      <button
        class="button"
        aria-expanded={panel.schemas.isOpen.value}
        onClick={() => {
          panel.schemas.isOpen.value = !panel.schemas.isOpen.value;
        }}
      >
        Schemas
      </button>
      <button class="button" aria-label="Open file…" onClick={() => files.current!.click()}>
        Open<span class="wide-only"> file</span>…
      </button>
      <button class="button" aria-label="Clear" title="Clear the list" onClick={() => panel.clear()}>
        <span class="wide-only">Clear</span>
        <span class="narrow-only">⊘</span>
      </button>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          void panel.files.open([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
    </div>
  );
}
