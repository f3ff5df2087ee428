import type { AnyFormat } from '../../core/format/format.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import { encodeWith } from '../setup/ways/encode-with.ts';
import type { FormatLine } from './formats.ts';
import { isRecord, outcomeOf } from './outcome.ts';
import { decodeSync } from '../../main/sync.ts';
import { type Shape, valueFor } from './shapes.ts';

/** A payload of the matrix, as a call gets it. */
export interface Payload {
  readonly line: FormatLine;
  readonly shape: Shape;
  readonly format: AnyFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly options: object;
  /** The schema as an application gives it, and compiled. */
  readonly schema: unknown;
  readonly compiled: unknown;
  /** The value that was written; undefined if the bytes were not made of one. */
  readonly value: unknown;
  /** True if the bytes are known to be invalid. */
  readonly fails: boolean;
  /** Path of its list. */
  readonly path: readonly string[];
  /** A path of keys for `pick`. */
  readonly pick: readonly string[];
}

const compiled = new Map<unknown, unknown>();

/** A payload of a shape in a format that can have it. `from` is the number of its first item, see `Shape`. */
export async function payloadOf(line: FormatLine, shape: Shape, size: number, from = 0): Promise<Payload> {
  const raw = shape.raw?.[line.name]?.(size);
  const value = raw ? undefined : valueFor(line, shape, size, from);
  const [format, writer] = await Promise.all([loadFormat(line.id), loadWriter(line.id, line.writing ?? {})]);
  const schema = raw && 'schema' in raw ? raw.schema : line.schema;
  if (schema !== undefined && !compiled.has(schema)) compiled.set(schema, await format.compileSchema!(schema));
  const { limits } = shape;
  const setting = { options: line.writing ?? {}, schema: compiled.get(schema), format: line.id, ...(limits && { limits }) };
  await writer.prepare?.(setting.options);
  const bytes = raw?.bytes ?? encodeWith(writer, value, setting);
  await format.prepare?.(bytes);
  const options = { ...line.options, ...raw?.options };
  const known = value ?? (await outcomeOf(() => decodeSync(format, bytes, { options, schema: compiled.get(schema), limits }))).value;
  const path = pathOfList(known);
  return {
    line,
    shape,
    format,
    bytes,
    options,
    schema,
    compiled: compiled.get(schema),
    value,
    fails: raw?.fails === true,
    path,
    pick: raw?.pick ?? pickIn(known, path),
  };
}

/** The path of the longest list that is the value itself or lies directly in it. */
function pathOfList(value: unknown): string[] {
  if (!isRecord(value)) return [];
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
  return lists
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, 1)
    .map(([key]) => key);
}

/** The path of a key of the list’s records, or of the first key. */
function pickIn(value: unknown, path: readonly string[]): string[] {
  const items = path.reduce<unknown>((inner, key) => (inner as Record<string, unknown>)[key], value);
  const record = Array.isArray(items) ? (items as unknown[]).find(isRecord) : items;
  const key = isRecord(record) ? Object.keys(record).at(-1) : undefined;
  return key === undefined ? ['absent'] : [...path, key];
}
