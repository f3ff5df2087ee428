import { SchemaError } from '../../../core/errors.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { SchemaInput } from '../protocol.ts';

/** Cache of compiled schemas, by input. */
const compiled = new Map<string, unknown>();

/** Compiles a schema with the format's `compileSchema`, cached. */
export async function compileSchema(schema: SchemaInput | undefined): Promise<unknown> {
  if (schema?.input === undefined) return undefined;
  const key = `${schema.format} ${schema.name} ${keyOf(schema.input)}`;
  if (!compiled.has(key)) {
    const module = await loadFormat(schema.format);
    if (!module.compileSchema) throw new SchemaError(`${schema.format} takes no schema`);
    // Types of generated code are checked when they are found.
    const { compiled: ready } = schema.input as { compiled?: unknown };
    compiled.set(key, ready ?? (await module.compileSchema(schema.input, schema.name)));
  }
  return compiled.get(key);
}

/** Cache key of an input. Bytes are joined, because their JSON would be longer; bigints have none. */
function keyOf(input: unknown): string {
  return JSON.stringify(input, (_, item: unknown) =>
    typeof item === 'bigint' ? `${item}n` : item instanceof Uint8Array ? `${item.length} ${item.join()}` : item,
  );
}
