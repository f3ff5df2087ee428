import { formatEntry, type FormatId } from '../../core/formats/registry.ts';
import type { AnyFormatWriter, Writer } from '../../core/writing/writer.ts';
import type { Limits } from '../../core/limits.ts';
import { KeepAlive } from '../../core/keep-alive.ts';
import type { SchemaReference } from '../decoder/options/options.ts';
import type { Schemas } from '../decoder/schemas.ts';

/** By class. */
const keepAlive = new KeepAlive<unknown>();

/** What writes the values of one call. */
export interface MadeWriter {
  readonly writer: Writer;
  readonly id: FormatId;
  /** Whether it writes lists whose length is not known before their end. */
  readonly takesItems: boolean;
  /** The options it was made with, and the schema in its compiled form; undefined where there is none. */
  readonly options: object;
  readonly schema: unknown;
}

/** What a writer is made of. */
export interface WriterSetting {
  readonly id: FormatId;
  readonly options: object;
  readonly schema: SchemaReference | undefined;
  readonly schemas: Schemas;
  readonly limits: Limits;
}

/** Makes what writes a format, once its schema is compiled and what else it needs is loaded. */
export async function makeWriter(format: AnyFormatWriter, { id, options, schema: reference, schemas, limits }: WriterSetting): Promise<MadeWriter> {
  const schema = schemas.resolve(reference, formatEntry(id)!);
  await Promise.all([schema && schemas.compile(schema, format), format.prepare?.(options)]);
  const create = (): Writer => format.createWriter(options, limits, schema?.compiled);
  const writer = create();
  keepAlive.keep(writer.constructor, () => create().keepAliveInstance());
  const takesItems = writer.takesItems || (options as { sequence?: boolean }).sequence === true;
  return { writer, id, takesItems, options, schema: schema?.compiled };
}
