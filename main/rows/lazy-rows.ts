import type { RawRows } from './block.ts';

/** Reads consecutive self-contained values of the payload's format. */
export type ReadItems = (bytes: Uint8Array) => unknown[];

/** Bytes of rows read in one go, well within a slice. */
const RAW_BYTES = 128 * 1024;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Number of rows from `from` on to read in one go. */
export function rawChunk({ ends, separator }: RawRows, from: number): number {
  const limit = startOf(ends, separator, from) + RAW_BYTES;
  let to = from + 1;
  while (to < ends.length && ends[to]! <= limit) to += 1;
  return to - from;
}

/** Reads rows in one go: JSON with the engine's parser, other formats with `read`. */
export function readRaw({ ends, bytes, separator }: RawRows, from: number, to: number, read: ReadItems | undefined): object[] {
  const run = bytes.subarray(startOf(ends, separator, from), ends[to - 1]);
  if (separator < 0) return read!(run) as object[];
  const text = decoder.decode(run);
  return to - from === 1 ? [JSON.parse(text) as object] : (JSON.parse(`[${text}]`) as object[]);
}

function startOf(ends: Uint32Array, separator: number, row: number): number {
  return row === 0 ? 0 : ends[row - 1]! + (separator < 0 ? 0 : 1);
}
