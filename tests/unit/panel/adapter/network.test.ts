import { beforeEach, describe, expect, test } from 'vitest';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import type { Exchange } from '../../../../devtools-extension/adapter/adapter.ts';
import {
  columnsIn,
  columnWidths,
  nextSorting,
  setColumnWidth,
  sortRows,
  templateOf,
  toggleColumn,
} from '../../../../devtools-extension/panel/requests/columns.ts';
import { formFieldsOf, queryOf } from '../../../../devtools-extension/panel/detail/payload.ts';
import { isFailed, newRow, type Row } from '../../../../devtools-extension/panel/requests/row.ts';

const exchange = (given: Partial<Exchange>): Exchange => createPageAdapter().add({ url: 'https://a.test/x', ...given });
const header = (name: string, value: string) => ({ name, value });

describe('request list', () => {
  beforeEach(() => {
    columnWidths.value = {};
  });

  test('hides columns one by one as it narrows, except for the name, which takes more room next to an open request', () => {
    const ids = (width: number, isBeside = false): string =>
      columnsIn(width, isBeside)
        .map(({ id }) => id)
        .join(' ');
    expect(ids(700)).toBe('name status format size sent time');
    expect(ids(350)).toBe('name status format size');
    expect(ids(349)).toBe('name status format');
    expect(ids(234)).toBe('name status format');
    expect(ids(233)).toBe('name status');
    expect(ids(60)).toBe('name');
    expect(ids(420, true)).toBe('name status format size');
    expect(ids(300, true)).toBe('name status');
    expect(ids(237, true)).toBe('name');
    toggleColumn('start');
    toggleColumn('method');
    toggleColumn('sent');
    expect(ids(700)).toBe('name method status format size start time');
    for (const id of ['start', 'method', 'sent'] as const) toggleColumn(id);
    expect(ids(700)).toBe('name status format size sent time');
  });

  test('narrows the format before it hides it, unless the user has set its width', () => {
    expect(templateOf(columnsIn(240, false))).toBe('minmax(min(110px, 100%), 1fr) 58px minmax(66px, 118px)');
    setColumnWidth('format', 100);
    expect(templateOf(columnsIn(300, false))).toBe('minmax(min(110px, 100%), 1fr) 58px 100px');
  });

  test('uses the column widths that the user chose, within bounds', () => {
    setColumnWidth('status', 100.4);
    setColumnWidth('size', 2);
    expect(columnWidths.value).toEqual({ status: 100, size: 36 });
  });

  test('sorts up, down, and not at all', () => {
    const up = nextSorting(undefined, 'size');
    const down = nextSorting(up, 'size');
    expect([up?.isDescending, down?.isDescending, nextSorting(down, 'size')]).toEqual([false, true, undefined]);
    expect(nextSorting(down, 'name')).toEqual({ column: 'name', isDescending: false });
  });

  test('keeps equal rows in arrival order', () => {
    const rows: Row[] = [3, 1, 3, 2].map((size, id) => ({ ...newRow(exchange({ id })), size }));
    const order = (isDescending: boolean): number[] => sortRows(rows, { column: 'size', isDescending }).map(({ exchange: { id } }) => id);
    expect(order(false)).toEqual([1, 3, 0, 2]);
    expect(order(true)).toEqual([0, 2, 3, 1]);
  });
});

test.each<[string, Partial<Exchange>, boolean]>([
  ['has a status of 500', { status: 500 }, true],
  ['has no answer', { status: 0 }, true],
  ['was blocked after its answer, as by CORS', { status: 200, hasFailed: true }, true],
  ['was answered', { status: 200 }, false],
  ['is a file', { status: 0, method: 'FILE' }, false],
  ['is an open WebSocket', { status: 0, initiator: 'websocket' }, false],
])('a request that %s is shown as failed or not', (_, given, failed) => {
  expect(isFailed(newRow(exchange(given)))).toBe(failed);
});

test('parameters of an address and fields of a form are decoded', () => {
  expect(queryOf('https://a.test/?a=1&b=two+words&c=%C3%A9#d')).toEqual([
    ['a', '1'],
    ['b', 'two words'],
    ['c', 'é'],
  ]);
  const form = exchange({ requestHeaders: [header('Content-Type', 'application/x-www-form-urlencoded; charset=utf-8')] });
  expect(formFieldsOf(form, new TextEncoder().encode('n=Oak+St'))).toEqual([['n', 'Oak St']]);
  expect(formFieldsOf(exchange({}), new Uint8Array(0))).toBeUndefined();
});
