import { describe, expect, it } from 'vitest';
import {
  MAX_SCROLL_HEIGHT,
  moveCell,
  scrollHeight,
  scrollScale,
  scrollTopForRow,
  tableWindow,
  type TableMeasures,
} from '../../../demo/table/table-window.ts';

const small: TableMeasures = { rowCount: 100, rowHeight: 28, viewport: 400 };
const large: TableMeasures = { rowCount: 1_000_000, rowHeight: 28, viewport: 400 };
const huge: TableMeasures = { rowCount: 10_000_000, rowHeight: 28, viewport: 400 };

/** Maximum scroll position that a browser allows. */
const bottom = (measures: TableMeasures): number => scrollHeight(measures) - measures.viewport;

describe('tableWindow', () => {
  it('scrolls pixel by pixel while the table fits an element', () => {
    expect(scrollScale(small)).toBe(1);
    expect(tableWindow(small, 0)).toEqual({ first: 0, count: 16, offset: 0 });
    expect(tableWindow(small, 30)).toEqual({ first: 1, count: 16, offset: -2 });
  });

  it('limits the element to the height that browsers can draw', () => {
    expect(scrollHeight(large)).toBe(MAX_SCROLL_HEIGHT);
    expect(scrollHeight(huge)).toBe(MAX_SCROLL_HEIGHT);
    expect(scrollScale(huge)).toBeGreaterThan(18);
  });

  it.each([small, large, huge])('shows the first row at the top and the last at the bottom ($rowCount rows)', (measures) => {
    expect(tableWindow(measures, 0).first).toBe(0);
    const { first, count, offset } = tableWindow(measures, bottom(measures));
    expect(first + count).toBe(measures.rowCount);
    expect(offset + count * measures.rowHeight).toBeCloseTo(measures.viewport, 3);
  });

  it('stays inside the table when a browser overscrolls', () => {
    expect(tableWindow(large, -500).first).toBe(0);
    const { first, count } = tableWindow(large, bottom(large) + 5_000);
    expect(first + count).toBe(large.rowCount);
  });

  it('shows no rows for an empty table', () => {
    expect(tableWindow({ ...small, rowCount: 0 }, 0)).toEqual({ first: 0, count: 0, offset: 0 });
    expect(tableWindow({ ...small, rowCount: 3 }, 0)).toEqual({ first: 0, count: 3, offset: 0 });
  });
});

describe('scrollTopForRow', () => {
  it.each([small, large, huge])('brings any row fully into view, at a whole pixel ($rowCount rows)', (measures) => {
    const { rowCount, rowHeight, viewport } = measures;
    for (const row of [0, 1, 14, 15, 57, Math.floor(rowCount / 3), rowCount - 2, rowCount - 1]) {
      for (const from of [0, 1_234, bottom(measures)]) {
        const scrollTop = Math.min(Math.round(scrollTopForRow(measures, Math.min(from, bottom(measures)), row)), bottom(measures));
        const top = scrollTop * scrollScale(measures);
        expect(row * rowHeight).toBeGreaterThanOrEqual(top - 0.001);
        expect((row + 1) * rowHeight).toBeLessThanOrEqual(top + viewport + 0.001);
      }
    }
  });

  it('leaves the scroll position if the row is in view', () => {
    expect(scrollTopForRow(small, 100, 5)).toBe(100);
  });
});

describe('moveCell', () => {
  const from = { row: 50, column: 3 };
  const press = (key: string, ctrlKey = false, cell = from) => moveCell({ key, ctrlKey }, cell, small, 13);

  it.each([
    ['ArrowDown', false, 51, 3],
    ['ArrowUp', false, 49, 3],
    ['ArrowRight', false, 50, 4],
    ['ArrowLeft', false, 50, 2],
    ['ArrowRight', true, 50, 12],
    ['ArrowLeft', true, 50, 0],
    ['ArrowDown', true, 99, 3],
    ['PageDown', false, 63, 3],
    ['PageUp', false, 37, 3],
    ['Home', false, 0, 3],
    ['End', false, 99, 3],
    ['Home', true, 0, 0],
    ['End', true, 99, 12],
  ])('%s (with Control: %s) moves to row %d, column %d', (key, ctrlKey, row, column) => {
    expect(press(key, ctrlKey)).toEqual({ row, column });
  });

  it('stays inside the table and ignores other keys', () => {
    expect(press('ArrowUp', false, { row: 0, column: 0 })).toEqual({ row: 0, column: 0 });
    expect(press('ArrowRight', false, { row: 0, column: 12 })).toEqual({ row: 0, column: 12 });
    expect(press('PageDown', false, { row: 95, column: 0 })).toEqual({ row: 99, column: 0 });
    expect(press('a')).toBeUndefined();
    expect(press('Tab')).toBeUndefined();
  });
});
