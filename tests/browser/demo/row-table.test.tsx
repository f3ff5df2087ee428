import { describe, expect, it } from 'vitest';
import { render } from 'vitest-browser-preact';
import { RowTable } from '../../../demo/table/row-table.tsx';
import '../../../demo/styles/index.css';

const COLUMNS = ['ride_id', 'start_station_name', 'start_lat', 'end_station_name'];

/** Rows that are created on demand and record which were read. */
function lazyRows(length: number) {
  const read = new Set<number>();
  return {
    length,
    read,
    at(index: number) {
      read.add(index);
      return { ride_id: `R${index}`, start_station_name: `Station ${index}`, start_lat: 40 + index / 1e7, end_station_name: null };
    },
  };
}

const poll = <Value,>(read: () => Value, message = '') => expect.poll(read, { message });

function show(rows: { length: number; at(index: number): unknown }) {
  const screen = render(<RowTable rows={rows} columns={COLUMNS} label="Trips" layout="rows-trips" />);
  const grid = screen.container.querySelector<HTMLElement>('[role=grid]')!;
  const shown = (): string[] =>
    [...grid.querySelectorAll('.rows-view [role=row]')]
      .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => row.querySelector('[role=gridcell]')!.textContent);
  const active = (): string | undefined => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent;
  const press = (key: string, ctrlKey = false): void => {
    grid.focus();
    grid.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
  };
  return { screen, grid, shown, active, press };
}

/** True if a cell is fully visible. */
function isInSight(grid: HTMLElement, cell: Element): boolean {
  const header = grid.querySelector('.rows-head')!.getBoundingClientRect();
  const outer = grid.getBoundingClientRect();
  const { top, bottom } = cell.getBoundingClientRect();
  return top >= header.bottom - 1 && bottom <= outer.bottom + 1;
}

describe('RowTable', () => {
  it('reads and renders only the visible rows of a million', async () => {
    const rows = lazyRows(1_000_000);
    const { grid, shown } = show(rows);
    await poll(() => shown()[0]).toBe('R0');
    expect(shown().length).toBeLessThan(20);
    expect(rows.read.size).toBeLessThan(20);
    expect(grid.getAttribute('aria-rowcount')).toBe('1000001');
    expect(grid.getAttribute('aria-colcount')).toBe('5');
    const [first] = grid.querySelectorAll('.rows-view [role=row]');
    expect(first!.getAttribute('aria-rowindex')).toBe('2');
    expect([...first!.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)).toEqual(['R0', 'Station 0', '40', '–']);
  });

  it('moves to the last row and back by keyboard, with each active row fully visible', async () => {
    const { grid, shown, active, press } = show(lazyRows(1_000_000));
    await poll(() => active()).toBe('R0');
    const steps: [key: string, active: string][] = [
      ['ArrowDown', 'R1'],
      ['End', 'R999999'],
      ['ArrowUp', 'R999998'],
      ['PageUp', 'R999985'],
      ['PageDown', 'R999998'],
      ['PageDown', 'R999999'],
      ['Home', 'R0'],
      ['PageDown', 'R13'],
      ['ArrowDown', 'R14'],
    ];
    for (const [key, id] of steps) {
      press(key);
      await poll(() => active(), key).toBe(id);
      await poll(() => isInSight(grid, document.getElementById(grid.getAttribute('aria-activedescendant')!)!)).toBe(true);
    }
    press('End');
    await poll(() => shown().at(-1)).toBe('R999999');
  });

  it('moves between columns and scrolls horizontally', async () => {
    const { grid, active, press } = show(lazyRows(50));
    grid.style.width = '390px';
    press('ArrowRight');
    await poll(() => active()).toBe('Station 0');
    press('ArrowRight', true);
    await poll(() => active()).toBe('–');
    expect(grid.scrollLeft).toBeGreaterThan(0);
    press('Home', true);
    await poll(() => grid.scrollLeft).toBe(0);
  });

  it('shows the rows at the position of the scroll bar', async () => {
    const { grid, shown } = show(lazyRows(1_000_000));
    grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2;
    await poll(() => Number(shown()[0]!.slice(1))).toBeGreaterThan(499_900);
    expect(Number(shown()[0]!.slice(1))).toBeLessThan(500_100);
    grid.scrollTop = grid.scrollHeight;
    await poll(() => shown().at(-1)).toBe('R999999');
  });

  it('shows a few rows or none', async () => {
    const { screen, shown } = show(lazyRows(3));
    await poll(() => shown()).toEqual(['R0', 'R1', 'R2']);
    screen.rerender(<RowTable rows={lazyRows(0)} columns={COLUMNS} label="Trips" layout="rows-trips" />);
    await poll(() => shown()).toEqual([]);
  });

  it('returns to the top when the rows change', async () => {
    const { screen, shown, press } = show(lazyRows(1_000));
    press('End');
    await poll(() => shown().at(-1)).toBe('R999');
    screen.rerender(<RowTable rows={lazyRows(2_000)} columns={COLUMNS} label="Trips" layout="rows-trips" />);
    await poll(() => shown()[0]).toBe('R0');
  });

  it('activates a clicked cell', async () => {
    const { grid, active } = show(lazyRows(100));
    await poll(() => grid.querySelector('#rows-2-1')).not.toBeNull();
    grid.querySelector('#rows-2-1')!.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
    await poll(() => active()).toBe('Station 2');
  });
});
