import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { counted, formatCount } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { fieldsOf, listsOfRecords, recordTable } from '../../../core/sinks/spans/records.ts';
import { cellText, columnWidths } from './table.ts';
import { pathText } from '../../values/value-text.ts';
import { visibleName } from '../../text/visible-text.ts';
import { Note } from '../shared/note.tsx';
import { Select } from '../shared/select.tsx';
import { movedRow, VirtualList } from '../shared/virtual-list.tsx';

const HEADER = 25;
/** Average character width in digits; capital letters are wider. */
const WIDEST = 1.15;

export function TableView({ body, onShow }: { body: OpenBody; onShow: () => void }) {
  const tree = body.tree!;
  const lists = useMemo(() => listsOfRecords(tree), [tree]);
  const list = useSignal(lists[0] ?? -1);
  const row = useSignal(-1);
  // Runs before the next event, so that a row selected right after the table appears stays selected.
  useLayoutEffect(() => {
    list.value = lists[0] ?? -1;
    row.value = -1;
  }, [tree]);
  const isThere = lists.includes(list.value);
  const table = useMemo(() => (isThere ? recordTable(tree, list.value) : undefined), [tree, list.value]);
  const template = useMemo(
    () =>
      table &&
      `72px ${columnWidths(tree, table)
        .map((width) => `calc(${width * WIDEST}ch + 20px)`)
        .join(' ')}`,
    [table],
  );
  if (!table) return <Note title="No list of records">This value has no list of two or more objects to show as a table.</Note>;
  const showRow = (): void => {
    body.select(table.rows[row.value]!);
    onShow();
  };
  return (
    <div class="table-view">
      <div class="view-bar">
        <label>
          <span class="muted">List </span>
          <Select
            choices={lists.map((node) => ({ value: String(node), label: `${pathText(tree, node)} (${formatCount(tree.childCount(node))})` }))}
            value={String(list.value)}
            onChoose={(node) => {
              list.value = Number(node);
              row.value = -1;
            }}
          />
        </label>
        <span class="muted">
          {counted(table.rows.length, 'row')}, {counted(table.columns.length, 'column')}
        </span>
        <button class="button" disabled={row.value < 0} onClick={showRow}>
          Show in the tree
        </button>
      </div>
      <VirtualList
        class="table"
        role="grid"
        label={`Table of ${pathText(tree, list.value)}`}
        count={table.rows.length}
        columnCount={table.columns.length + 1}
        rowHeight={24}
        headerHeight={HEADER}
        show={row.value}
        activeId={row.value >= 0 ? `record-${row.value}` : undefined}
        header={
          <div class="table-row table-header" role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
            <span role="columnheader" class="number">
              #
            </span>
            {table.columns.map((column) => (
              <span role="columnheader" key={column} title={visibleName(tree.data.names[column]!)}>
                {visibleName(tree.data.names[column]!)}
              </span>
            ))}
          </div>
        }
        row={(at) => {
          const fields = fieldsOf(tree, table.rows[at]!, table.columns);
          return (
            <div
              key={at}
              id={`record-${at}`}
              role="row"
              aria-rowindex={at + 2}
              aria-selected={at === row.value}
              class={`table-row${at === row.value ? ' is-selected' : ''}`}
              style={{ gridTemplateColumns: template }}
              onClick={() => {
                row.value = at;
              }}
              onDblClick={showRow}
            >
              <span role="rowheader" class="number muted">
                {at}
              </span>
              {fields.map((field, index) => {
                if (field < 0) return <span role="gridcell" key={index} class="muted" />;
                const { text, kind } = cellText(tree, field);
                return (
                  <span role="gridcell" key={index} class={`value-${kind}${kind === 'number' ? ' number' : ''}`} title={text}>
                    {text}
                  </span>
                );
              })}
            </div>
          );
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && row.value >= 0) showRow();
          const next = movedRow(event.key, row.value, table.rows.length);
          if (next === undefined) return;
          event.preventDefault();
          row.value = next;
        }}
      />
    </div>
  );
}
