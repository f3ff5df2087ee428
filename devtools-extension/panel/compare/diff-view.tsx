import { diff, type Difference } from './diff.ts';
import { counted, formatCount } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';
import { runSliced } from '../shared/slices.ts';
import { stepsText, valueText } from '../../values/value-text.ts';
import { Note } from '../shared/note.tsx';
import { TableHead } from '../shared/table-head.tsx';
import { useAnswer } from '../shared/use-answer.ts';

const MAX_ROWS = 500;
const COLUMNS = ['Change', 'Path', 'Before', 'After'].map((label) => ({ label }));

export function DiffView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const base = panel.selection.base.value;
  const found = useAnswer(
    (signal) => (base?.body.tree && body.tree && base.body !== body ? runSliced(diff(base.body.tree, body.tree), signal) : undefined),
    [base, body],
  );
  if (!base || base.body === body) {
    return (
      <Note title={base ? 'This is the base of the comparison' : 'Compare two responses'}>
        <p>
          {base
            ? 'Select another request in the list to see the differences.'
            : 'Use this response as the base, then select another. Differences are shown by path. The formats may differ.'}
        </p>
        {!base && (
          <button class="button button-main" onClick={() => panel.selection.keepBase()}>
            Compare others with this
          </button>
        )}
      </Note>
    );
  }
  if (!found) return <Note title="Comparing…">Objects are compared by key, list items by identity.</Note>;
  return (
    <div class="diff" tabIndex={0} role="region" aria-label="Differences">
      <div class="view-bar">
        <span>
          with <strong>{base.label}</strong>
        </span>
        <span class="muted">
          {formatCount(base.body.bytes.length)} and {formatCount(body.bytes.length)} bytes
        </span>
        <button class="button" onClick={() => panel.selection.keepBase()}>
          Compare with this one instead
        </button>
      </div>
      <Values panel={panel} before={base.body} after={body} rows={found} />
    </div>
  );
}

interface ValuesProps {
  panel: Panel;
  before: OpenBody;
  after: OpenBody;
  rows: Difference[];
}

function Values({ panel, before: base, after: body, rows }: ValuesProps) {
  return (
    <table class="sizes">
      <caption class="muted">{rows.length === 0 ? 'The values are the same.' : counted(rows.length, 'difference')}</caption>
      <TableHead columns={COLUMNS} />
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
