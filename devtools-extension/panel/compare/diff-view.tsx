import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hexOf } from '../../adapter/bytes.ts';
import { diff, type Difference } from './diff.ts';
import { type ByteDifference, diffBytes } from './diff-bytes.ts';
import { formatCount, formatOffset } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';
import { storedSignal } from '../shared/settings.ts';
import { runSliced } from '../shared/slices.ts';
import { stepsText, valueText } from '../../values/value-text.ts';
import { Note } from '../shared/note.tsx';

const MAX_ROWS = 500;
/** Bytes shown of each difference. */
const SHOWN_BYTES = 16;

const compared = storedSignal<'values' | 'bytes'>('compare', 'values');

interface Found {
  values: Difference[];
  bytes: ByteDifference;
}

export function DiffView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const found = useSignal<Found | undefined>(undefined);
  const base = panel.selection.base.value;
  useEffect(() => {
    let isDisposed = false;
    found.value = undefined;
    if (base?.body.tree && body.tree && base.body !== body) {
      void runSliced(compare(base.body, body), () => isDisposed).then((done) => {
        if (done && !isDisposed) found.value = done;
      });
    }
    return () => {
      isDisposed = true;
    };
  }, [base, body]);
  if (!base || base.body === body) {
    return (
      <Note title={base ? 'This is the base of the comparison' : 'Compare two responses'}>
        <p>
          {base
            ? 'Select another request in the list to see the differences.'
            : 'Use this response as the base, then select another. Differences are shown by path and byte by byte. The formats may differ.'}
        </p>
        {!base && (
          <button class="button button-main" onClick={() => panel.selection.keepBase()}>
            Compare others with this
          </button>
        )}
      </Note>
    );
  }
  if (!found.value) return <Note title="Comparing…">Objects are compared by key, list items by identity.</Note>;
  const { values, bytes } = found.value;
  return (
    <div class="diff" tabIndex={0} role="region" aria-label="Differences">
      <div class="view-bar">
        <div class="strip" role="radiogroup" aria-label="Compare by">
          {(['values', 'bytes'] as const).map((value) => (
            <label class="strip-choice" key={value}>
              <input
                type="radio"
                name="compared"
                checked={compared.value === value}
                onChange={() => {
                  compared.value = value;
                }}
              />
              <span>{value === 'values' ? 'Values' : 'Bytes'}</span>
            </label>
          ))}
        </div>
        <span>
          with <strong>{base.label}</strong>
        </span>
        <span class="muted">
          {formatCount(bytes.before)} and {formatCount(bytes.after)} bytes
        </span>
        <button class="button" onClick={() => panel.selection.keepBase()}>
          Compare with this one instead
        </button>
      </div>
      {compared.value === 'values' ? (
        <Values panel={panel} before={base.body} after={body} rows={values} />
      ) : (
        <Bytes panel={panel} before={base.body} after={body} bytes={bytes} />
      )}
    </div>
  );
}

function* compare(before: OpenBody, after: OpenBody): Generator<undefined, Found> {
  const values = yield* diff(before.tree!, after.tree!);
  return { values, bytes: yield* diffBytes(before.bytes, after.bytes) };
}

interface Compared {
  panel: Panel;
  before: OpenBody;
  after: OpenBody;
}

function Values({ panel, before: base, after: body, rows }: Compared & { rows: Difference[] }) {
  return (
    <table class="sizes">
      <caption class="muted">
        {rows.length === 0 ? 'The values are the same.' : `${formatCount(rows.length)} ${rows.length === 1 ? 'difference' : 'differences'}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Change</th>
          <th scope="col">Path</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, MAX_ROWS).map(({ change, path, before, after }) => (
          <tr key={`${change} ${stepsText(path)}`} class={`diff-${change}`}>
            <td>{change}</td>
            <td>
              <button
                class="sort"
                disabled={after < 0}
                onClick={() => {
                  body.select(after);
                  panel.selection.tab.value = 'tree';
                }}
              >
                <code>{stepsText(path)}</code>
              </button>
            </td>
            <td class="diff-value">{before < 0 ? '' : valueText(base.tree!, before).text}</td>
            <td class="diff-value">{after < 0 ? '' : valueText(body.tree!, after).text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bytes({ panel, before: base, after: body, bytes }: Compared & { bytes: ByteDifference }) {
  const { runs, beforeDiffering, afterDiffering } = bytes;
  return (
    <table class="sizes">
      <caption class="muted">
        {runs.length === 0
          ? 'The bytes are the same.'
          : `${formatCount(runs.length)} ${runs.length === 1 ? 'range' : 'ranges'}: ${formatCount(beforeDiffering)} bytes before, ${formatCount(afterDiffering)} bytes after`}
      </caption>
      <thead>
        <tr>
          <th scope="col" colSpan={2}>
            Before
          </th>
          <th scope="col" colSpan={2}>
            After
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.slice(0, MAX_ROWS).map(({ before, beforeLength, after, afterLength }) => (
          <tr key={`${before} ${after}`} class={`diff-${beforeLength === 0 ? 'added' : afterLength === 0 ? 'removed' : 'changed'}`}>
            <td class="diff-offset">{formatOffset(before)}</td>
            <td class="diff-bytes">{bytesText(base.bytes, before, beforeLength)}</td>
            <td class="diff-offset">
              <button
                class="sort"
                onClick={() => {
                  body.selectByte(after);
                  panel.selection.tab.value = 'tree';
                }}
              >
                {formatOffset(after)}
              </button>
            </td>
            <td class="diff-bytes">{bytesText(body.bytes, after, afterLength)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function bytesText(bytes: Uint8Array, from: number, length: number): string {
  if (length === 0) return '–';
  const shown = hexOf(bytes.subarray(from, from + Math.min(length, SHOWN_BYTES)));
  return length > SHOWN_BYTES ? `${shown} … ${formatCount(length)} bytes` : shown;
}
