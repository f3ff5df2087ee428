import { describe, expect, test } from 'vitest';
import { Materialiser } from '../../../../main/rows/materialise.ts';
import { blockParts, HEADER_BYTES, isBlockFile, serialiseBlock } from '../../../../core/block/block-file.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { reviveCore } from '../../../../core/reading/revive.ts';
import { ColumnSink } from '../../../../core/sinks/columns/columns.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { emit } from '../../../setup/values/emit.ts';

const trips = { trips: Array.from({ length: 30_000 }, (_, index) => ({ id: index, name: `n${index % 50}`, lat: index / 7 })), when: new Date(5) };

function parts(value: unknown): ArrayBuffer[] {
  const made: ArrayBuffer[] = [];
  const sink = new ColumnSink((part) => made.push(part), resolveLimits());
  emit(sink, value);
  sink.finish();
  return made;
}

describe('block file', () => {
  const file = serialiseBlock(parts(trips));

  test('decodes to the same value as its parts', async () => {
    for (const as of ['objects', 'rows'] as const) {
      const materialiser = new Materialiser({ as, revive: reviveCore });
      for (const { offset } of blockParts(file)) materialiser.push(file, offset);
      const result = (await materialiser.done()) as { trips: Iterable<object>; when: Date };
      assertSame({ trips: [...result.trips], when: result.when }, trips);
    }
  });

  test('recognises a file by its first bytes', () => {
    expect(isBlockFile(file)).toBe(true);
    expect(isBlockFile(new ArrayBuffer(0))).toBe(false);
    expect(isBlockFile(new TextEncoder().encode('{"trips": [1, 2, 3]}').buffer)).toBe(false);
  });

  test('rejects a file that is truncated or of another version', () => {
    expect(() => blockParts(new ArrayBuffer(64))).toThrow('not a serialised block');
    expect(() => blockParts(file.slice(0, 20))).toThrow('incomplete');
    expect(() => blockParts(file.slice(0, -8))).toThrow('incomplete');
    const other = file.slice(0);
    for (const version of [0, 99]) {
      new Int32Array(other)[1] = version;
      expect(() => blockParts(other)).toThrow(`version ${version}`);
    }
  });

  test.each([
    ['offset', 0, -8],
    ['offset', 0, Number.NaN],
    ['offset', 2, HEADER_BYTES],
    ['length', 1, -8],
    ['length', 1, Number.NaN],
    ['length', 1, 2 ** 40],
  ])('rejects a part with a wrong %s (%#)', (_, at, value) => {
    const damaged = file.slice(0);
    new Float64Array(damaged, HEADER_BYTES)[at] = value;
    expect(() => blockParts(damaged)).toThrow(expect.objectContaining({ name: 'DecodeError', code: 'malformed' }));
  });

  test('aligns parts of exact length to 8 bytes', () => {
    for (const { offset } of blockParts(file)) expect(offset % 8).toBe(0);
    expect(blockParts(file).length).toBeGreaterThan(1);
  });
});
