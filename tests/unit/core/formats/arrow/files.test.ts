/** Tests files whose messages do not follow one another directly. */
import { beforeAll, describe, expect, it } from 'vitest';
import arrow from '../../../../../core/formats/arrow/index.ts';
import writer from '../../../../../core/formats/arrow/writer.ts';
import { Table } from '../../../../../core/formats/flatbuffers/read/table.ts';
import { createDecoder } from '../../../../../main/decoder/create-decoder.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';
import { fileOf } from './written.ts';

/** Two record batches with the same three rows. */
const WRITTEN = {
  'Polars 2.1.0, a bare schema before the batches': 'polars',
  'arrow-rs by arro3 0.9.1, messages aligned to 64 bytes': 'arrow-rs',
} as const;
const THREE = [
  { a: 1, s: 'x', k: 'u' },
  { a: 2, s: 'y', k: 'v' },
  { a: 3, s: null, k: 'u' },
];
const FILES = new Map<string, Uint8Array<ArrayBuffer>>();

beforeAll(async () => {
  for (const [name, key] of Object.entries(WRITTEN)) FILES.set(name, await fileOf(key));
});

/** A file of four batches with two rows each, with other bytes between the messages, which the footer skips. */
function spaced(gap: number, fill = 0xaa): { bytes: Uint8Array<ArrayBuffer>; batches: number[] } {
  const rows = Array.from({ length: 8 }, (_, id) => ({ id, name: `name ${id}` }));
  const bytes = encodeWith(writer, rows, { options: { framing: 'file', batchRows: 2 } });
  const { footer, first, count, table } = footerOf(bytes);
  const starts = Array.from({ length: count }, (_, at) => Number(table.int64At(first + at * 24)));
  const parts: Uint8Array[] = [bytes.subarray(0, starts[0])];
  const moved = bytes.slice(footer);
  const view = new DataView(moved.buffer);
  let length = starts[0]!;
  const batches = starts.map((start, at) => {
    const end = starts[at + 1] ?? footer;
    parts.push(new Uint8Array(gap).fill(fill), bytes.subarray(start, end));
    view.setBigInt64(first + at * 24, BigInt(length + gap), true);
    length += gap + end - start;
    return length - (end - start);
  });
  return { bytes: new Uint8Array([...parts.flatMap((part) => [...part]), ...moved]), batches };
}

/** The position of a file's footer, and that of the list of record batches within the footer. */
function footerOf(bytes: Uint8Array): { footer: number; first: number; count: number; table: Table } {
  const view = new DataView(bytes.buffer);
  const footer = bytes.length - 10 - view.getInt32(bytes.length - 10, true);
  const table = Table.root(bytes.subarray(footer, bytes.length - 10));
  const { from, length } = table.vector(3, 24);
  return { footer, first: from, count: length, table };
}

describe('files of Arrow whose messages do not follow one another directly', () => {
  it.each(Object.keys(WRITTEN))('are read as %s writes them, whole and cut anywhere', async (name) => {
    const bytes = FILES.get(name)!;
    expect(decodeWith(arrow, bytes)).toEqual([...THREE, ...THREE]);
    sameInEveryCut(arrow, bytes);
    for (const as of ['objects', 'rows', 'columns'] as const) {
      const value = await createDecoder().decode<object>(bytes, { format: 'arrow', as });
      if (as === 'columns') expect(value).toMatchObject({ a: Int32Array.of(1, 2, 3, 1, 2, 3), k: ['u', 'v', 'u', 'u', 'v', 'u'] });
      else expect([...(value as Iterable<object>)]).toEqual([...THREE, ...THREE]);
    }
    const counts: number[] = [];
    for await (const batch of createDecoder().batches(bytes, { format: 'arrow' })) counts.push(batch.length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(6);
  });

  it.each(Object.keys(WRITTEN))('are read in part with recordBatches and pick, as %s writes them', async (name) => {
    const bytes = FILES.get(name)!;
    const decode = (recordBatches: readonly [number, number]): Promise<unknown> =>
      createDecoder().decode(bytes, { format: 'arrow', options: { recordBatches }, pick: ['k'] });
    expect(await decode([1, 2])).toEqual(THREE.map(({ k }) => ({ k })));
    expect(await decode([2, 9])).toEqual([]);
    expect(await decode([0, 2])).toHaveLength(6);
  });

  it.each([8, 56, 64, 20])('are read past %i bytes of anything before each batch', (gap) => {
    const rows = Array.from({ length: 8 }, (_, id) => ({ id, name: `name ${id}` }));
    for (const fill of [0, 0xaa]) expect(decodeWith(arrow, spaced(gap, fill).bytes)).toEqual(rows);
  });

  it('are malformed if the footer lists a batch outside of the file, one that overlaps another, or too few', () => {
    const { bytes, batches } = spaced(16);
    const { footer, first } = footerOf(bytes);
    const listed = (at: number, offset: number): (() => unknown) => {
      const copy = bytes.slice();
      new DataView(copy.buffer).setBigInt64(footer + first + at * 24, BigInt(offset), true);
      return () => decodeWith(arrow, copy);
    };
    expect(listed(1, batches[1]!)).not.toThrow();
    for (const offset of [2 ** 40, -1, footer, batches[0]!, batches[1]! + 8])
      expect(listed(1, offset)).toThrow(/invalid footer|invalid metadata|lists 4 record batches/);
  });

  it('are refused with a range of batches that is none', () => {
    expect(() => decodeWith(arrow, FILES.values().next().value!, { options: { recordBatches: [1] } })).toThrow(
      /invalid format option recordBatches: 1; expected/,
    );
  });
});
