import { tableFromIPC } from '@uwdata/flechette';
import { expect, test } from 'vitest';
import { loadIpc, loadTable } from '../../../docs/examples/09-arrow/index.ts';
import type { Trip } from '../../../docs/examples/01-fetch/trip.ts';
import { expectTrips } from './trips.ts';

test('the columns of a result become an Arrow table', async () => {
  const table = await loadTable('/trips?rows=5000');
  expect(table.numRows).toBe(5_000);
  expect(table.names).toEqual(['id', 'station', 'minutes', 'member']);
  expectTrips(table.toArray() as Trip[], 5_000);
  // The column is not copied.
  expect(table.getChild('id').toArray()).toBeInstanceOf(Int32Array);
  expect(table.getChild('minutes').toArray()).toBeInstanceOf(Float64Array);
});

test('the IPC bytes of an Arrow table decode to the same rows', async () => {
  const bytes = await loadIpc('/trips?rows=5000');
  expectTrips(tableFromIPC(bytes!).toArray() as Trip[], 5_000);
});
