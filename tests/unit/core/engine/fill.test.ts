import { describe, expect, it } from 'vitest';
import { buildRows } from '../../../../core/engine/fill.ts';
import { FILLERS } from '../../../../core/engine/fillers.ts';

const COUNT = 5;
/** Enough rows to get a separate filler. */
const MANY = 128;

describe('buildRows', () => {
  it('sets each key in its place, for any number of keys', () => {
    for (let width = 0; width <= 40; width++) {
      const keys = Array.from({ length: width }, (_unused, index) => (index === 3 ? '__proto__' : `key ${width - index}`));
      const columns = keys.map((key, index) => Array.from({ length: COUNT }, (_unused, row) => (index % 2 ? row + index / 8 : `${key} ${row}`)));
      const rows = buildRows(keys, columns, COUNT);
      expect(rows).toHaveLength(COUNT);
      for (const [row, record] of rows.entries()) {
        expect(Object.entries(record)).toEqual(keys.map((key, index) => [key, columns[index]![row]]));
        expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
      }
    }
  });

  it('sets the right keys with more shapes than fillers, and with repeated keys of other values', () => {
    for (let round = 0; round < 3; round++) {
      for (let shape = 0; shape < 2 * FILLERS.length; shape++) {
        const keys = Array.from({ length: 1 + (shape % 40) }, (_unused, index) => `${shape} ${index}`);
        const columns = keys.map((key, index) =>
          Array.from({ length: MANY }, (_unused, row) => [`${key} ${row}`, row, row / 8, null, row % 2 === 0][(index + shape + round) % 5]),
        );
        const rows = buildRows(keys, columns, MANY);
        expect(rows).toStrictEqual(Array.from(rows, (_unused, row) => Object.fromEntries(keys.map((key, index) => [key, columns[index]![row]]))));
      }
    }
  });

  it('reads numbers from typed arrays', () => {
    const rows = buildRows(['x', 'y'], [new Int32Array([1, 2]), new Float64Array([0.5, -0])], 2);
    expect(rows).toStrictEqual([
      { x: 1, y: 0.5 },
      { x: 2, y: -0 },
    ]);
  });
});
