import type { FormatId } from '../../core/format/format-id.ts';
import { formatEntry } from '../../core/formats/registry.ts';
import type { AnyFormatWriter, Writer } from '../../core/writing/writer.ts';
import type { Limits } from '../../core/limits.ts';
import { keepAlive } from '../../core/engine/keep-alive.ts';
import type { SchemaReference } from '../call/options/options.ts';
import type { Schemas } from '../call/schemas.ts';

/** Writer for the values of one call. */
export interface MadeWriter {
  readonly writer: Writer;
  readonly id: FormatId;
  /** True if it can write lists of unknown length. */
  readonly takesItems: boolean;
  /** Options of the writer, and its compiled schema; undefined for a format without schemas. */
  readonly options: object;
  readonly schema: unknown;
}

/** Parameters of a writer. */
export interface WriterSetting {
  readonly id: FormatId;
  readonly options: object;
  readonly schema: SchemaReference | undefined;
  readonly schemas: Schemas;
  readonly limits: Limits;
}

/** Creates the writer of a format, after compiling its schema and loading the code it needs. */
export async function makeWriter(format: AnyFormatWriter, { id, options, schema: reference, schemas, limits }: WriterSetting): Promise<MadeWriter> {
  const schema = schemas.resolve(reference, formatEntry(id)!);
  await Promise.all([schema && schemas.compile(schema, format), format.prepare?.(options)]);
  const create = (): Writer => format.createWriter(options, limits, schema?.compiled);
  const writer = create();
  keepAlive(writer.constructor, () => create().keepAliveInstance());
  const takesItems = writer.takesItems || (options as { sequence?: boolean }).sequence === true;
  return { writer, id, takesItems, options, schema: schema?.compiled };
}
