import { createDecoder } from '../../../main/decoder/create-decoder.ts';
import { CORE } from '../../../main/decoder/core.ts';
import type { Decoder } from '../../../main/decoder/decoder.ts';
import type { ResultForm } from '../../../main/materialise/form.ts';
import { Materialiser } from '../../../main/materialise/index.ts';
import { Rows } from '../../../main/materialise/rows.ts';
import { newReport } from '../../../main/decoder/observe.ts';
import { Operation } from '../../../main/decoder/operation.ts';
import { decodePieces } from '../../../main/parallel/decode-parallel.ts';
import { PoolDecode } from '../../../main/decoder/pool-decode.ts';
import { jobOf } from '../../../main/decoder/prepare.ts';
import { MemoryInput } from '../../../main/input/memory-input.ts';
import type { Schema } from '../../../main/decoder/schemas.ts';
import { fullRevive } from '../../../main/decoder/revive.ts';
import { loadFormat } from '../../../worker/formats/loaders.ts';
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
export async function decodeCut(
  decoder: Decoder,
  bytes: Uint8Array,
  cuts: readonly number[],
  decoding: Decoding,
): Promise<Ending & { spliced: number }> {
  const { format: id, options = {}, limits, schema: input, as = 'objects' } = decoding;
  const core = decoder[CORE];
  const entry = formatEntry(id)!;
  const format = await loadFormat(id);
  const materialiser = new Materialiser({ as, revive: fullRevive(format, undefined) });
  const operation = new Operation(newReport({ as }), {}, () => {});
  const payload = new Uint8Array(bytes);
  const schema = input === undefined ? undefined : schemaOf(id, input);
  if (schema) schema.compiled = await format.compileSchema!(input);
  const prepared = { entry, options, schema, limits: resolveLimits(limits), revive: undefined };
  const head = (await format.cutting?.())?.head?.(payload, options) ?? 0;
  const pieces = cuts.map((start, index) => ({ id: index, start, end: cuts[index + 1] ?? bytes.length, head }));
  const alone = (): Promise<unknown> =>
    new PoolDecode(new MemoryInput({ bytes: payload }, { own: false, precious: true }), jobOf(prepared), operation, materialiser).run(core.pool);
  const result = cuts.length === 0 ? alone() : decodePieces({ core, operation, prepared, bytes: payload, options: {}, materialiser }, pieces);
  result.then(
    (value) => operation.resolve(value),
    (error: unknown) => operation.reject(error),
  );
  try {
    return { value: plain(await operation.promise, as), spliced: materialiser.segments };
  } catch (error) {
    const { name, code, limit, offset, path, reason } = error as Record<string, unknown>;
    // How much of a text is shown depends on how much of it had come.
    const [what] = String(reason).split('; the payload begins');
    if (name !== 'DecodeError' && name !== 'LimitError') throw error;
    return { error: { name, code, limit, offset, path, reason: what }, spliced: materialiser.segments };
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

/**
 * The value without what may differ from one way of decoding to the other: which lists of records are `Rows`, or columns,
 * and which typed array holds a column's numbers. `as` is the form of the whole. Throws where the columns of `Rows` are
 * not those of its records.
 */
function plain(value: unknown, as: ResultForm): unknown {
  if (value instanceof Rows) {
    const records = value.toArray();
    const where = difference(plain(structuredClone(value.columns()), 'columns'), plain(columnsOf(records), 'columns'));
    if (where !== undefined) throw new Error(`the columns differ from the records: ${where}`);
    return plain(records, as);
  }
  if (Array.isArray(value))
    return as === 'columns' && value.length > 0 && value.every(isRecord) ? plain(columnsOf(value), as) : value.map((item) => plain(item, as));
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, plain(item, as)] as const);
  // So may the order of columns, and which there are beside those that a list's records have values for.
  return Object.fromEntries(as === 'columns' ? entries.filter(([, item]) => !isAbsent(item)).toSorted(byKey) : entries);
}

function columnsOf(records: readonly object[]): Record<string, unknown[]> {
  const keys = new Set(records.flatMap((record) => Object.keys(record)));
  return Object.fromEntries([...keys].map((key) => [key, records.map((record) => (Object.hasOwn(record, key) ? record[key as never] : undefined))]));
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isAbsent(column: unknown): boolean {
  return Array.isArray(column) && column.length > 0 && column.every((item) => item === undefined);
}

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
