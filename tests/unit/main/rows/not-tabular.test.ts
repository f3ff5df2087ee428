import { expect, test } from 'vitest';
import { Materialiser } from '../../../../main/rows/materialise.ts';
import { DecodeSession } from '../../../../core/format/decode-session.ts';
import json from '../../../../core/formats/json/index.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { RowSink } from '../../../../core/kernels/row-sink.ts';

/** True if a value, sent as JSON, is classified as not tabular from a worker's parts. */
async function notTabular(value: unknown): Promise<boolean> {
  const limits = resolveLimits();
  const materialiser = new Materialiser({ as: 'rows', revive: () => undefined });
  const sink = new RowSink((part) => materialiser.push(part), limits, { raw: true });
  const session = new DecodeSession({ id: 'json', format: json, options: {}, limits }, sink);
  session.push(new TextEncoder().encode(JSON.stringify(value)));
  session.end();
  sink.finish();
  await materialiser.done();
  return materialiser.notTabular;
}

const points = Array.from({ length: 1_000 }, (_, at) => [at / 7, -at / 3]);
const records = points.map(([x, y], id) => ({ id, x, y, name: `point ${id}` }));
/** GeoJSON features, each with `lines` lines of points. */
const features = (count: number, lines: number): unknown[] =>
  Array.from({ length: count }, (_, id) => ({
    id,
    geometry: { type: 'Polygon', coordinates: Array.from({ length: lines }, () => points.slice(0, 50)) },
  }));

test.each([
  [true, 'lists of numbers', { points }],
  [true, 'a few records with long lists of numbers', [points, points, points].map((line, id) => ({ id, line }))],
  [true, 'a dictionary of records with long texts', Object.fromEntries(records.map((record) => [record.id, { ...record, text: 'x'.repeat(500) }]))],
  [true, 'features of 200 kB each, of which most are kept as bytes', features(20, 100)],
  [false, 'features of 2 kB each, of which most are kept as bytes', features(500, 1)],
  [false, 'records', records],
  [false, 'records with a list or two besides', { records, points: points.slice(0, 100) }],
])('isNotTabular returns %s for %s', async (expected, _, value) => {
  expect(await notTabular(value)).toBe(expected);
});
