import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatPath } from '../../../worker/errors.ts';
import { diff, diffBytes, type Difference } from '../models/diff.ts';
import { formatCount, formatOffset } from '../models/numbers.ts';
import type { OpenBody } from '../models/open-body.ts';
import type { Panel } from '../models/panel.ts';
import { runSliced } from '../models/slices.ts';
import { valueText } from '../models/value-text.ts';

const MOST_ROWS = 500;

export function DiffView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const found = useSignal<Difference[] | undefined>(undefined);
  const base = panel.base.value;
  useEffect(() => {
    let isGone = false;
    found.value = undefined;
    if (base?.body.tree && base.body !== body) {
      void runSliced(diff(base.body.tree, body.tree!), () => isGone).then((done) => {
        if (done && !isGone) found.value = done;
      });
    }
    return () => {
      isGone = true;
    };
  }, [base, body]);
  if (!base || base.body === body) {
    return (
      <div class="empty">
        <h2>{base ? 'This is the one to compare with' : 'Compare two responses'}</h2>
        <p>{base ? 'Choose another request in the list to see what differs.' : 'Keep this response, then choose another in the list.'}</p>
        {!base && (
          <button class="button" onClick={() => panel.keepBase()}>
            Compare others with this
          </button>
        )}
      </div>
    );
  }
  const bytes = diffBytes(base.body.bytes, body.bytes);
  const rows = found.value;
  return (
    <div class="diff" tabIndex={0} role="region" aria-label="Differences">
      <div class="view-bar">
        <span>
          Against <strong>{base.label}</strong>
        </span>
        <span class="muted">
          {formatCount(bytes.before)} and {formatCount(bytes.after)} bytes;{' '}
          {bytes.first < 0 ? 'the bytes are the same' : `${formatCount(bytes.differing)} differ, the first at ${formatOffset(bytes.first)}`}
        </span>
        <button class="button" onClick={() => panel.keepBase()}>
          Compare with this one instead
        </button>
      </div>
      {rows && (
        <table class="sizes">
          <caption class="muted">{rows.length === 0 ? 'The values are the same.' : `${formatCount(rows.length)} differences`}</caption>
          <thead>
            <tr>
              <th scope="col">Change</th>
              <th scope="col">Path</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map(({ change, path, before, after }) => (
              <tr key={formatPath(path)} class={`diff-${change}`}>
                <td>{change}</td>
                <td>
                  <button
                    class="sort"
                    disabled={after < 0}
                    onClick={() => {
                      body.select(after);
                      panel.tab.value = 'tree';
                    }}
                  >
                    <code>{formatPath(path)}</code>
                  </button>
                </td>
                <td class="diff-value">{before < 0 ? '' : valueText(base.body.tree!, before).text}</td>
                <td class="diff-value">{after < 0 ? '' : valueText(body.tree!, after).text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
