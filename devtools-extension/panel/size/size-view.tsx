import { useSignal } from '@preact/signals';
import { formatCount, formatPercent } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { storedSignal } from '../shared/settings.ts';
import { measure, type SizeRow } from './size.ts';
import { type Choice, Segments } from '../shared/segments.tsx';
import { runSliced } from '../shared/slices.ts';
import { useAnswer } from '../shared/use-answer.ts';
import { Note } from '../shared/note.tsx';

type By = 'byPath' | 'byKey' | 'byType';
type Column = 'name' | 'count' | 'keys' | 'headers' | 'payload' | 'between' | 'total';

const COLUMNS: readonly { id: Column; label: string; title: string }[] = [
  { id: 'count', label: 'Values', title: 'Number of values' },
  { id: 'keys', label: 'Keys', title: 'Bytes of keys and tags' },
  { id: 'headers', label: 'Headers', title: 'Bytes of types and lengths' },
  { id: 'payload', label: 'Payload', title: 'Bytes of the values themselves' },
  { id: 'between', label: 'Between', title: 'Commas, white space, terminators, padding' },
  { id: 'total', label: 'Total', title: 'All bytes' },
];

const GROUPINGS: readonly Choice<By>[] = [
  { value: 'byPath', label: 'By path' },
  { value: 'byKey', label: 'By key' },
  { value: 'byType', label: 'By type' },
];

const by = storedSignal<By>('size-by', 'byPath');
const MAX_ROWS = 500;

/** Size tab: bytes of a body by path, key and type. */
export function SizeView({ body }: { body: OpenBody }) {
  const report = useAnswer((signal) => runSliced(measure(body), signal), [body]);
  const sorted = useSignal<{ column: Column; isUp: boolean }>({ column: 'total', isUp: false });
  if (!report) return <Note title="Measuring…">Every byte is counted once.</Note>;
  const { column, isUp } = sorted.value;
  const rows = [...report[by.value]].sort((a, b) => compare(a, b, column) * (isUp ? 1 : -1));
  const total = body.bytes.length;
  const sort = (id: Column): void => {
    sorted.value = { column: id, isUp: sorted.value.column === id ? !isUp : id === 'name' };
  };
  return (
    <div class="size-view" tabIndex={0} role="region" aria-label="Size by path, key or type">
      <div class="view-bar">
        <Segments
          label="Bytes by"
          choices={GROUPINGS}
          value={by.value}
          onChoose={(value) => {
            by.value = value;
          }}
        />
        <span class="muted">
          {formatCount(rows.reduce((sum, row) => sum + row.total, 0))} of {formatCount(total)} bytes
        </span>
      </div>
      <table class="sizes">
        <thead>
          <tr>
            {(
              [{ id: 'name', label: by.value === 'byPath' ? 'Path' : by.value === 'byKey' ? 'Key' : 'Type', title: '' }, ...COLUMNS] as typeof COLUMNS
            ).map(({ id, label, title }) => (
              <th key={id} scope="col" class={id === 'name' ? '' : 'number'} aria-sort={column === id ? (isUp ? 'ascending' : 'descending') : 'none'}>
                <button class="sort" title={title} onClick={() => sort(id)}>
                  {label}
                  <span aria-hidden="true">{column === id ? (isUp ? ' ↑' : ' ↓') : ''}</span>
                </button>
              </th>
            ))}
            <th scope="col" class="number">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MAX_ROWS).map((row) => (
            <tr key={row.name}>
              <th scope="row" class="size-name" title={row.name}>
                {row.name}
              </th>
              {COLUMNS.map(({ id }) => (
                <td class="number" key={id}>
                  {formatCount(row[id] as number)}
                </td>
              ))}
              <td class="number">
                <span class="share" aria-hidden="true">
                  <span style={{ width: `${(row.total / total) * 100}%` }} />
                </span>
                <span class="percent">{formatPercent(row.total / total)}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MAX_ROWS && <p class="muted">and {formatCount(rows.length - MAX_ROWS)} more rows</p>}
    </div>
  );
}

function compare(a: SizeRow, b: SizeRow, column: Column): number {
  return column === 'name' ? a.name.localeCompare(b.name) : a[column] - b[column];
}
