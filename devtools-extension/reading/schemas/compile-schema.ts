import { SchemaError } from '../../../core/errors.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { SchemaInput } from '../protocol.ts';

/** Schemas compiled, by what they were made from. */
const compiled = new Map<string, unknown>();

/** What the format's `compileSchema` makes of a schema, kept for the next time. */
export async function compileSchema(schema: SchemaInput | undefined): Promise<unknown> {
  if (schema?.input === undefined) return undefined;
  const key = `${schema.format} ${schema.name} ${keyOf(schema.input)}`;
  if (!compiled.has(key)) {
    const module = await loadFormat(schema.format);
    if (!module.compileSchema) throw new SchemaError(`${schema.format} takes no schema`);
    compiled.set(key, await module.compileSchema(schema.input, schema.name));
  }
  return compiled.get(key);
}

/** What tells inputs apart; of bytes JSON would make long text. */
function keyOf(input: unknown): string {
  return JSON.stringify(input, (_, item: unknown) => (item instanceof Uint8Array ? `${item.length} ${item.join()}` : item));
}
