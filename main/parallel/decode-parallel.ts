import type { WorkerCrashError } from '../../worker/errors.ts';
import type { DecodeJob, WorkerStats } from '../../worker/thread/protocol.ts';
import type { Core } from '../decoder/core.ts';
import { loadFormat } from '../decoder/formats.ts';
import { PoolDecode } from '../decoder/pool-decode.ts';
import type { Operation } from '../decoder/operation.ts';
import type { DecodeOptions } from '../decoder/options.ts';
import { jobOf, type Prepared } from '../decoder/prepare.ts';
import type { Materialiser } from '../materialise/index.ts';
import type { CompiledSchema } from '../pool/task.ts';
import { LeadInput } from './lead-input.ts';
import { choosePieces } from './pieces.ts';
import { type Piece, Segment } from './segment.ts';

/** How deep the list may lie that is cut; its segments may be so much less deep than the payload. */
const MOST_DEPTH = 8;

/** A payload in memory that several workers are to decode. */
export interface ParallelWork {
  readonly core: Core;
  readonly operation: Operation;
  readonly prepared: Prepared;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options: Pick<DecodeOptions, 'index' | 'transfer'>;
  readonly materialiser: Materialiser;
}

/**
 * Decodes a long payload in several workers, each a piece of it: the first from the start, the others from what seem to be
 * beginnings of items of a list. Resolves to undefined where it is not cut, and nothing was done.
 */
export async function decodeInParallel(work: ParallelWork): Promise<{ value: unknown } | undefined> {
  const { core, operation, prepared, bytes, options } = work;
  const { entry, limits } = prepared;
  const cutting = await (await loadFormat(entry.id)).format.cutting?.();
  operation.check();
  const workers = Math.min(core.pool.spare, workersFor(work));
  // Near to a limit, which value is one too many shows only where one worker counts them all.
  const near = limits.depth < 2 * MOST_DEPTH || limits.values < bytes.length;
  if (!cutting || workers < 2 || near) return undefined;
  const pieces = choosePieces(cutting, bytes, prepared.options, workers, options.index);
  return pieces.length > 0 ? { value: await decodePieces(work, pieces) } : undefined;
}

/** Decodes what lies before, between and behind the pieces in one worker, and each piece in another. */
export function decodePieces(work: ParallelWork, pieces: readonly Piece[]): Promise<unknown> {
  const { core, operation, prepared, materialiser, options } = work;
  const { pool } = core;
  const { job, schema } = jobOf(prepared);
  const source = { bytes: options.transfer ? taken(work.bytes) : work.bytes, format: prepared.entry.id };
  const limits = { ...job.limits, depth: job.limits.depth - MOST_DEPTH + 1 };
  const crashed = (error: WorkerCrashError): void => operation.reject(error);
  const task = { job: { ...job, limits, segment: true }, schema };
  const segments = pieces.map((piece) => new Segment(source, piece, task, materialiser.segment(piece.id), crashed));
  const drop = (segment: Segment): void => {
    if (segment.drop()) pool.cancel(segment);
    materialiser.drop(segment.piece.id);
  };
  const input = new LeadInput(source, segments, { depth: MOST_DEPTH, values: limits.values }, drop);
  const result = new LeadDecode(input, { job, schema }, operation, materialiser, segments).run(pool);
  for (const segment of segments) pool.submit(segment);
  return result;
}

/** The most workers that are to decode a payload. Where objects are wanted, this thread builds them at the same time. */
function workersFor({ core, operation }: ParallelWork): number {
  const { parallel = true } = core.options;
  if (parallel !== true) return Number(parallel);
  return (globalThis.navigator?.hardwareConcurrency ?? 2) - (operation.report.as === 'objects' ? 1 : 0);
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
class LeadDecode extends PoolDecode {
  readonly #operation: Operation;
  readonly #segments: readonly Segment[];

  constructor(
    input: LeadInput,
    task: { job: DecodeJob; schema: CompiledSchema | undefined },
    operation: Operation,
    materialiser: Materialiser,
    segments: readonly Segment[],
  ) {
    super(input, task, operation, materialiser);
    this.#operation = operation;
    this.#segments = segments;
  }

  override end(stats: WorkerStats): void {
    super.end({ ...stats, decodeMs: Math.max(stats.decodeMs, ...this.#segments.map((segment) => segment.decodeMs)) });
    this.#operation.measure(() => ({ workers: 1 + this.#segments.length }));
  }
}
