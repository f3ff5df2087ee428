import type { FormatId } from '../../core/format/format-id.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { formatEntry } from '../../core/formats/registry.ts';
import type { Limits } from '../../core/limits.ts';
import { checkOptions } from '../../core/option-table.ts';
import type { Shaping } from '../../core/shaping.ts';
import { ReaderSlices } from '../../core/slicing/reader-slices.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';
import type { Schemas } from '../call/schemas.ts';

/** Everything that determines how a body is decoded. */
export interface BodySetting {
  readonly format: FormatId;
  readonly options: object;
  /** The schemas of the body, by their formats. */
  readonly schemas: Schemas;
  readonly limits: Partial<Limits>;
  readonly invalidText: Shaping['invalidText'];
  /** True for a body in Zstandard. */
  readonly zstd: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * The decode of a body that the engine does not parse, with the reader of its format. A file of its own, since many servers receive
 * JSON alone.
 */
export async function readerOf(setting: BodySetting, limits: Limits, slicer: Slicer): Promise<ReaderSlices> {
  const { format: id, options, schemas, invalidText } = setting;
  const schema = schemas.resolve(schemas.all.find((own) => own.format === id)?.name, formatEntry(id)!);
  const format = await loadFormat(id);
  if (schema) await schemas.compile(schema, format);
  checkOptions(options, format.options);
  const wrap = invalidText && (await import('../../core/shaping.ts')).wrapper({ invalidText }, {});
  return new ReaderSlices({ id, format, options, limits, schema: schema?.compiled, wrap }, undefined, slicer);
}
