/** Tests files whose messages do not follow one another directly. */
import { beforeAll, describe, expect, it } from 'vitest';
import arrow from '../../../../../core/formats/arrow/index.ts';
import writer from '../../../../../core/formats/arrow/writer.ts';
import { Table } from '../../../../../core/formats/flatbuffers/read/table.ts';
import { createDecoder } from '../../../../../main/decoder/create-decoder.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';

/** Two record batches with the same three rows, as gzip in Base64. */
const WRITTEN = {
  'Polars 2.1.0, a bare schema before the batches':
    'H4sIAAAAAAACA+1VvUoDQRD+cneGUw+JMUUUi5SWMTZCGo8gRggkhIBltBO0ECSinQ9gaeUTpPQRLHwEC5/AykpEAgrnN/sj55IYEtsMzM3szM6387Pcxu1282ATCAC8JUlSgOgZfhewiJDfAKe0i98nP5H70PtfaL+lvCEfkw/JRXKmmMcadxSxSoQIORQUosS8M6ZEGZHFF/AbUi9Xy9XeVqVKlfuBbqvRrcWd3b1me78WNyowNGC8jg0V4ofBA7K0BHjmWs46IT9SXzd4ocpLY3ypenSV5+RXrrcpSzZ/T2Ly3JHDsoqMVJzkviN+hTevchf9iExXMjA1Cp5ykHQ/fSKsKEypWPrmm3qkfxtmH7DE8wPVMZiepSmL0WRKw46RNvbayLKRD06cXUcpm28Yji2N6/qt3RvhH0ef+B/J+ZfO+moKjGlpNv/Z/Pup+ds56Pl7v+bv/sPkPti+dSa4D94f+ZScurwhtfac9cWE9SJV7xll66deuU95Zh2of7ycXc84TTay7g+3W7U+p/V7537P3qRxb9IdRaxe9285Cynj5AcAAA==',
  'arrow-rs by arro3 0.9.1, messages aligned to 64 bytes':
    'H4sIAAAAAAACA+1WvU7DQAy2c1dRSgQVChAhBkaGLkg8QLsjFXVhYWFmRCDY8hg8CmMeg4EH4BHYymfnLlxObRFNJqgl36/9OffZp9xkNpten9PaMod8oh/qbEApdJssWqK+LLGlEjYWQwN9gd5AM/XJ0e/SHuyHsBaMC+hIsbgn8zPFESTrWmAA77QKz9K8Yy6DO+gbxjn6NMAg9bPqK3b3GjuDVrHJxRa/CpeTE11NsbujccdBPGlug/O/uvOnQDikA/1SiS8YZUhWIjuD+iyesxzWfcfZyK0ngRtHcy8msqHv73TnJyp86GX5o/bCK/B/kofHdrHD+kvpGFwe1fxLLktuUmYjvi+dr4l4NUu45gXce9lakY88yoff9/UxjBw9n2Nu2hfczO+8g9yF8cwv/U2H9bNODT09t6yfjr5/U7+b+v2v9Ut1/Wa072pT8vsh/0B27wD6u+8AyXuZNMn097boLV73S/5+lNF9usL6RN9mXy2/5ciiCQAA',
};
const THREE = [
  { a: 1, s: 'x', k: 'u' },
  { a: 2, s: 'y', k: 'v' },
  { a: 3, s: null, k: 'u' },
];
const FILES = new Map<string, Uint8Array<ArrayBuffer>>();

beforeAll(async () => {
  for (const [name, text] of Object.entries(WRITTEN)) {
    const packed = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
    FILES.set(name, new Uint8Array(await unpacked.arrayBuffer()));
  }
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
