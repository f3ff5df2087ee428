import type { WorkerCrashError } from '../../worker/errors.ts';
import type { DecodeJob, WorkerStats } from '../../worker/protocol.ts';
import type { Work } from '../decoder/decode-later.ts';
import type { Materialiser } from '../materialise/index.ts';
import type { Pool } from '../pool/pool.ts';
import { PoolDecode } from '../decoder/pool-decode.ts';
import { buildTools } from '../decoder/tools.ts';
import { LeadInput } from './lead-input.ts';
import { choosePieces } from './pieces.ts';
import { type Piece, Segment } from './segment.ts';

/** How deep the list may lie that is cut; its segments may be so much less deep than the payload. */
const MOST_DEPTH = 8;

/**
 * Decodes a long payload in several workers, each a piece of it: the first from the start, the others from what seem to be
 * beginnings of items of a list. Returns false where it is not cut, and nothing was done.
 */
export async function decodeInParallel(work: Work, job: DecodeJob, materialiser: Materialiser, pool: Pool): Promise<boolean> {
  const { operation, options, content, entry, reading } = work;
  const cutting = await buildTools.get(entry.id)!.format.cutting?.();
  if (operation.settled) return true;
  const workers = Math.min(pool.spare, workersFor(work));
  // Near to a limit, which value is one too many shows only where one worker counts them all.
  const near = job.limits.depth < 2 * MOST_DEPTH || job.limits.values < content.bytes.length;
  if (!cutting || workers < 2 || near) return false;
  const pieces = choosePieces(cutting, content.bytes, reading, workers, options.index);
  if (pieces.length > 0) decodePieces(work, job, materialiser, pool, pieces);
  return pieces.length > 0;
}

/** Decodes what lies before, between and behind the pieces in one worker, and each piece in another. */
export function decodePieces(work: Work, job: DecodeJob, materialiser: Materialiser, pool: Pool, pieces: readonly Piece[]): void {
  const { operation, options, content, entry, schema } = work;
  const compiled = schema && { id: schema.id, compiled: schema.compiled };
  const source = { bytes: options.transfer ? taken(content.bytes) : content.bytes, format: entry.id };
  const limits = { ...job.limits, depth: job.limits.depth - MOST_DEPTH + 1 };
  const crashed = (error: WorkerCrashError): void => operation.abandon(error);
  const task = { job: { ...job, limits, segment: true }, schema: compiled };
  const segments = pieces.map((piece) => new Segment(source, piece, task, materialiser.segment(piece.id), crashed));
  const drop = (segment: Segment): void => {
    if (segment.drop()) pool.cancel(segment);
    materialiser.drop(segment.piece.id);
  };
  const input = new LeadInput(source, segments, { depth: MOST_DEPTH, values: limits.values }, drop);
  new ParallelDecode(work, input, job, compiled, materialiser, segments).submit(pool);
  for (const segment of segments) pool.submit(segment);
}

/** The most workers that are to decode a payload. Where objects are wanted, this thread builds them at the same time. */
function workersFor({ core, report }: Work): number {
  const { parallel = true } = core.options;
  if (parallel !== true) return Number(parallel);
  return (globalThis.navigator?.hardwareConcurrency ?? 2) - (report.as === 'objects' ? 1 : 0);
}

/** The bytes in a buffer of our own; the one that they were in is detached, as if a worker had got it. */
function taken(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  try {
    return new Uint8Array(structuredClone(buffer, { transfer: [buffer] }), byteOffset, length);
  } catch {
    // Some buffers cannot be transferred: those of a WebAssembly memory.
    return bytes;
  }
}

/** The worker that leads, and the end of the whole. */
class ParallelDecode extends PoolDecode {
  readonly #work: Work;
  readonly #segments: readonly Segment[];

  constructor(
    work: Work,
    input: LeadInput,
    job: DecodeJob,
    schema: PoolDecode['schema'],
    materialiser: Materialiser,
    segments: readonly Segment[],
  ) {
    super({ bytes: new Uint8Array(0), own: true, input }, job, schema, work.operation, materialiser, work.report);
    this.#work = work;
    this.#segments = segments;
  }

  override end(stats: WorkerStats): void {
    const { report } = this.#work;
    const { readMs } = report;
    const decodeMs = Math.max(stats.decodeMs, ...this.#segments.map((segment) => segment.decodeMs));
    super.end({ ...stats, decodeMs, bytes: report.bytes });
    report.readMs = readMs;
    report.workers = 1 + this.#segments.length;
  }
}
