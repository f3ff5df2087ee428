import type { Cutting } from '../../worker/formats/format.ts';
import type { Piece } from './segment.ts';

/** The least bytes of a piece: fewer are decoded about as soon as another worker could begin. */
const LEAST_BYTES = 4 * 1024 * 1024;

/**
 * The pieces of a payload that other workers than the first are to decode, where places to cut it were found near to
 * where it falls into `workers` parts of about one size. `index` are places that the caller names.
 */
export function choosePieces(cutting: Cutting, bytes: Uint8Array, options: object, workers: number, index?: ArrayLike<number>): Piece[] {
  const parts = Math.min(workers, Math.floor(bytes.length / LEAST_BYTES));
  if (parts < 2) return [];
  const head = cutting.head?.(bytes, options) ?? 0;
  const starts: number[] = [];
  for (let part = 1; part < parts; part += 1) {
    const near = Math.max(Math.round((bytes.length * part) / parts), head);
    const start = cutting.find(bytes, near, options, index);
    if (start > (starts.at(-1) ?? 0) && start < bytes.length) starts.push(start);
  }
  return starts.map((start, id) => ({ id, start, end: starts[id + 1] ?? bytes.length, head }));
}
