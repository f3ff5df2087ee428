import { expect, test } from 'vitest';
import { Materialiser } from '../../../main/materialise/index.ts';
import { resolveLimits } from '../../../worker/limits.ts';
import { ColumnSink } from '../../../worker/sinks/columns/columns.ts';
import { emit } from '../../setup/emit.ts';

/** Whether most of what a value becomes in a worker are tapes. */
async function isTaped(value: unknown): Promise<boolean> {
  const materialiser = new Materialiser({ as: 'rows', revive: () => undefined });
  const sink = new ColumnSink((part) => materialiser.push(part), resolveLimits());
  emit(sink, value);
  sink.finish();
  await materialiser.done();
  return materialiser.isTaped;
}

const points = Array.from({ length: 1_000 }, (_, at) => [at / 7, -at / 3]);
const records = points.map(([x, y], id) => ({ id, x, y, name: `point ${id}` }));

test.each([
  [true, 'lists of numbers', { points }],
  [true, 'a few records with long lists of numbers', [points, points, points].map((line, id) => ({ id, line }))],
  [true, 'a dictionary of records with long texts', Object.fromEntries(records.map((record) => [record.id, { ...record, text: 'x'.repeat(500) }]))],
  [false, 'records', records],
  [false, 'records with a list or two besides', { records, points: points.slice(0, 100) }],
])('says %s of %s', async (expected, _, value) => {
  expect(await isTaped(value)).toBe(expected);
});
