import { createDecoder } from '../../../main/create-decoder.ts';
import { CORE } from '../../../main/core.ts';
import type { Decoder } from '../../../main/decoder.ts';
import { Materialiser, type ResultForm } from '../../../main/materialise/index.ts';
import { Rows } from '../../../main/materialise/rows.ts';
import { newReport } from '../../../main/observe.ts';
import { Operation } from '../../../main/operation.ts';
import { decodePieces } from '../../../main/parallel/decode-parallel.ts';
import { PoolDecode } from '../../../main/pool-decode.ts';
import type { Schema } from '../../../main/schemas.ts';
import { fullRevive } from '../../../main/revive.ts';
import { formatEntry, type FormatId } from '../../../worker/formats/registry.ts';
import { type Limits, resolveLimits } from '../../../worker/limits.ts';
import { difference } from '../../setup/differential.ts';
import { localWorker } from '../../setup/local-workers.ts';

const schemas = new Map<unknown, Schema>();

/** How a payload is decoded. */
export interface Decoding {
  format: FormatId;
  options?: object;
  limits?: Partial<Limits>;
  /** As the format takes it. */
  schema?: unknown;
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
  const { format: id, options = {}, limits, schema: input, as = 'objects' } = decoding;
  const core = decoder[CORE];
  const { pool } = await core.workers.get();
  const entry = formatEntry(id)!;
  const format = (await entry.load()).default;
  const materialiser = new Materialiser({ as, codegen: false, revive: fullRevive(format, undefined) });
  const operation = new Operation(undefined, undefined, () => {});
  const report = newReport({ as });
  const content = { bytes: new Uint8Array(bytes), own: false };
  const schema = input === undefined ? undefined : schemaOf(id, input);
  if (schema) schema.compiled = await format.compileSchema!(input);
  const job = { format: id, options, schema: schema?.id, limits: resolveLimits(limits) };
  const head = (await format.cutting?.())?.head?.(content.bytes, options) ?? 0;
  if (cuts.length === 0) new PoolDecode(content, job, schema && { id: schema.id, compiled: schema.compiled }, operation, materialiser, report).submit(pool);
  else {
    const work = { core, operation, options: {}, report, content, entry, reading: options, schema };
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

/** Decodes in one piece and in several, one way of cutting after the other. Throws where two differ. Gives how many pieces were used. */
export async function same(decoder: Decoder, bytes: Uint8Array, ways: readonly (readonly number[])[], decoding: Decoding): Promise<number> {
  const { spliced: none, ...alone } = await decodeCut(decoder, bytes, [], decoding);
  let used = none;
  for (const cuts of ways) {
    const { spliced, ...shared } = await decodeCut(decoder, bytes, cuts, decoding);
    const where = difference(shared, alone);
    if (where !== undefined) throw new Error(`cut at ${cuts.join()} as ${decoding.as}: ${where}`);
    used += spliced;
  }
  return used;
}

/** One cut, at every place of a text. */
export const everyCut = (bytes: Uint8Array): number[][] => Array.from({ length: bytes.length - 1 }, (_, at) => [at + 1]);

/** A schema as the decoder keeps it, one for each input. */
function schemaOf(format: FormatId, input: unknown): Schema {
  let schema = schemas.get(input);
  if (!schema) schemas.set(input, (schema = { id: schemas.size + 1, name: undefined, format, source: input }));
  return schema;
}

/** The value with each `Rows` as an object that has its keys, its records and its columns. */
function plain(value: unknown): unknown {
  if (value instanceof Rows) return { rows: value.toArray(), columns: plain(structuredClone(value.columns())) };
  if (Array.isArray(value)) return value.map(plain);
  // Which kind of array holds a column's numbers may differ, not the numbers.
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
