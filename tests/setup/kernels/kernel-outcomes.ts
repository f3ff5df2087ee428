import { Materialiser } from '../../../main/rows/materialise.ts';
import { shaped } from '../../../core/shaping.ts';
import type { PickPath } from '../../../core/sinks/pick/tree.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import { DecodeSession } from '../../../core/format/decode-session.ts';
import { reviveCore } from '../../../core/reading/revive.ts';
import type { AnyFormat } from '../../../core/format/format.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { type Limits, resolveLimits } from '../../../core/limits.ts';
import { ObjectSink } from '../../../core/sinks/objects/objects.ts';
import { RowSink } from '../../../core/kernels/row-sink.ts';
import { assertSame } from '../ways/differential.ts';
import { giveKernel, kernelOf, KERNELS, type MakeChecked } from './kernels.ts';

/** An input with the options of its decode. */
export interface KernelCase {
  id: FormatId;
  format: unknown;
  bytes: Uint8Array;
  options?: object;
  schema?: unknown;
  limits?: Partial<Limits>;
  /** Keeps nested objects of lists as bytes, as for rows. Default false. */
  raw?: boolean;
  /** The parts to decode. Default: all. */
  pick?: readonly PickPath[] | undefined;
  /** With `typed`: lists of numbers become typed arrays. */
  numbers?: 'typed' | undefined;
  /** Chunk sizes to try. Default: one chunk, and 1,000 bytes. */
  sizes?: readonly number[];
}

/** The value or the error of a decode. */
export type KernelOutcome = { value: unknown } | { error: { code?: unknown; path?: unknown[] | undefined; [said: string]: unknown } };

/** Decodes into columns, then objects, with one of `KERNELS`. Also returns the number of rows that the kernel read. */
export async function decodeColumns(
  { id, format, bytes, options = {}, schema, limits, raw = false, pick, numbers }: KernelCase,
  size: number,
  kernel: string,
  makeChecked?: MakeChecked,
): Promise<{ outcome: KernelOutcome; rows: number }> {
  const module = format as AnyFormat;
  const materialiser = new Materialiser({
    as: 'objects',
    revive: (tag, inner) => (tag.includes(':') ? module.revive?.(tag, inner) : reviveCore(tag, inner)),
    readItems: (items) => {
      const objects = new ObjectSink(reviveCore);
      module.createReader(objects, { ...options, sequence: true }, resolveLimits(), undefined).end(items);
      return objects.result as unknown[];
    },
  });
  const resolved = resolveLimits(limits);
  const used = kernelOf(kernel, module, makeChecked);
  const sink = new RowSink((part) => materialiser.push(part), resolved, { raw, picked: pick !== undefined }, used);
  try {
    const wrap = (pick ?? numbers) === undefined ? undefined : (inner: Sink) => shaped(inner, { pick, numbers });
    const session = new DecodeSession({ id, format: module, options, schema, limits: resolved, wrap }, sink);
    for (let at = 0; at < bytes.length; at += size) {
      const chunk = bytes.slice(at, at + size);
      session.push(chunk);
      chunk.fill(0xff);
    }
    session.end();
    sink.finish();
  } catch (error) {
    const { name, code, limit, offset, path, reason } = error as Record<string, unknown>;
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    return { outcome: { error: { name, code, limit, offset, path: path as unknown[] | undefined, reason } }, rows: sink.kernelRows };
  } finally {
    if (!makeChecked) giveKernel(used, kernel, module);
  }
  return { outcome: { value: await materialiser.done() }, rows: sink.kernelRows };
}

/** Kernels that read chunks of any size. */
const OF_CHUNKS = ['with an eager kernel', 'with a kernel of small windows'];
/** Bytes of chunks that a kernel as in a worker leaves to the reader. */
const SHORT = 1000;

/**
 * Decodes with each of `KERNELS` that takes part, in chunks of further sizes with those of `OF_CHUNKS`, and throws if they disagree. Returns
 * the outcome and the total number of rows that kernels read, which shows whether they took part.
 */
export async function sameWithKernels(given: KernelCase): Promise<{ outcome: KernelOutcome; rows: number }> {
  const { bytes, sizes = [Math.max(bytes.length, 1), 1000] } = given;
  let first: KernelOutcome | undefined;
  let rows = 0;
  for (const [index, size] of sizes.entries()) {
    const kernels = index > 0 ? OF_CHUNKS : Object.keys(KERNELS).filter((kernel) => size >= SHORT || kernel !== 'with a kernel');
    for (const kernel of kernels) {
      const found = await decodeColumns(given, size, kernel);
      rows += found.rows;
      first ??= found.outcome;
      // The reader has lost the path of an invalid string when the table's list has ended; kernels still know it.
      for (const [one, other] of [
        [found.outcome, first],
        [first, found.outcome],
      ] as const) {
        if ('error' in one && 'error' in other && one.error.code === 'invalid-utf8' && one.error.path?.length === 0)
          one.error.path = other.error.path;
      }
      try {
        assertSame(found.outcome, first);
      } catch (error) {
        throw new Error(`${kernel}, in chunks of ${size}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
  return { outcome: first!, rows };
}
