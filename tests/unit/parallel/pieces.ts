import { createDecoder } from '../../../main/create-decoder.ts';
import { CORE } from '../../../main/core.ts';
import type { Decoder } from '../../../main/decoder.ts';
import { Materialiser, type ResultForm } from '../../../main/materialise/index.ts';
import { Rows } from '../../../main/materialise/rows.ts';
import { newReport } from '../../../main/observe.ts';
import { Operation } from '../../../main/operation.ts';
import { decodePieces } from '../../../main/parallel/decode-parallel.ts';
import { PoolDecode } from '../../../main/pool-decode.ts';
import { fullRevive } from '../../../main/revive.ts';
import { formatEntry, type FormatId } from '../../../worker/formats/registry.ts';
import { type Limits, resolveLimits } from '../../../worker/limits.ts';
import { localWorker } from '../../setup/local-workers.ts';

/** How a payload is decoded. */
export interface Decoding {
  format: FormatId;
  options?: object;
  limits?: Partial<Limits>;
  as?: ResultForm;
}

/** A decoder with enough workers, which is to be closed. */
export function localDecoder(): Decoder {
  return createDecoder({ createWorker: localWorker, workers: 6 });
}

/** How a decode ended: a value, in which `Rows` tell themselves from arrays, or an error with its place. */
export type Ending = { value: unknown } | { error: Record<string, unknown> };

/** Decodes by one worker, or, where there are places to cut, by one more than those. `spliced` counts the pieces that were used. */
export async function decodeCut(decoder: Decoder, bytes: Uint8Array, cuts: readonly number[], decoding: Decoding): Promise<Ending & { spliced: number }> {
  const { format: id, options = {}, limits, as = 'objects' } = decoding;
  const core = decoder[CORE];
  const { pool } = await core.workers.get();
  const entry = formatEntry(id)!;
  const format = (await entry.load()).default;
  const materialiser = new Materialiser({ as, codegen: false, revive: fullRevive(format, undefined) });
  const operation = new Operation(undefined, undefined, () => {});
  const report = newReport({ as });
  const content = { bytes: new Uint8Array(bytes), own: false };
  const job = { format: id, options, schema: undefined, limits: resolveLimits(limits) };
  const head = (await format.cutting?.())?.head?.(content.bytes, options) ?? 0;
  if (cuts.length === 0) new PoolDecode(content, job, undefined, operation, materialiser, report).submit(pool);
  else {
    const work = { core, operation, options: {}, report, content, entry, reading: options, schema: undefined };
    const pieces = cuts.map((start, index) => ({ id: index, start, end: cuts[index + 1] ?? bytes.length, head }));
    decodePieces(work, job, materialiser, pool, pieces);
  }
  try {
    return { value: plain(await operation.promise), spliced: materialiser.segments };
  } catch (error) {
    const { name, code, limit, offset, path, reason } = error as Record<string, unknown>;
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    return { error: { name, code, limit, offset, path, reason }, spliced: materialiser.segments };
  }
}

/** The value with each `Rows` as an object that has its keys, its records and its columns. */
function plain(value: unknown): unknown {
  if (value instanceof Rows) return { rows: value.toArray(), columns: structuredClone(value.columns()) };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
