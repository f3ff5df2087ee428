import { expect, test } from 'vitest';
import type { ResultForm } from '../../../../main/rows/form.ts';
import { Materialiser } from '../../../../main/rows/materialise.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { reviveCore } from '../../../../core/reading/revive.ts';
import { ColumnSink } from '../../../../core/sinks/columns/columns.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { emit } from '../../../setup/values/emit.ts';

const rows = Array.from({ length: 20_000 }, (_, index) => ({
  id: `${index}:${Math.sin(index)}`,
  name: `n${index % 50}`,
  lat: index / 7,
  bytes: index % 5_000 === 0 ? Uint8Array.of(index, 1, 2) : null,
  nested: { at: `x${index}`, list: [index, 'y'] },
}));
const plain = rows.map(({ id, name, lat }) => ({ id, name, lat }));

/** Passes a value through its parts. Returns the result and the parts, whose memory may have been released. */
async function build(value: unknown, as: ResultForm): Promise<{ result: unknown; parts: ArrayBuffer[] }> {
  const parts: ArrayBuffer[] = [];
  const materialiser = new Materialiser({ as, revive: reviveCore });
  const sink = new ColumnSink((part) => {
    parts.push(part);
    materialiser.push(part);
  }, resolveLimits());
  emit(sink, value);
  sink.finish();
  return { result: await materialiser.done(), parts };
}

const canDetach = 'transfer' in ArrayBuffer.prototype;

test('a part releases its memory once its rows are objects', async () => {
  const { result, parts } = await build({ rows: plain }, 'objects');
  assertSame(result, { rows: plain });
  expect(parts.length).toBeGreaterThan(1);
  const kept = parts.filter((part) => part.byteLength > 0);
  // The last part contains the root value.
  expect(kept).toEqual(canDetach ? [parts.at(-1)] : parts);
});

test('releasing a part keeps everything that the value needs later', async () => {
  const { result } = await build({ rows, again: rows.slice(0, 9_000), text: 'é'.repeat(70_000) }, 'objects');
  assertSame(result, { rows, again: rows.slice(0, 9_000), text: 'é'.repeat(70_000) });
});

test('rows keep the parts that they read', async () => {
  const { result, parts } = await build(plain, 'rows');
  expect(parts.every((part) => part.byteLength > 0)).toBe(true);
  const list = result as Iterable<object>;
  assertSame([...list], plain);
  assertSame([...list], plain);
});
