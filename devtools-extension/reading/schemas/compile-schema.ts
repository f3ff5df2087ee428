import { SchemaError } from '../../../core/errors.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { SchemaInput } from '../protocol.ts';

/** Compiled schemas that are kept. */
const MAX_KEPT = 200;

/** Compiled schemas, with what they were compiled from; the oldest first. */
const kept: { schema: SchemaInput; compiled: unknown }[] = [];

/** Compiles a schema with the format's `compileSchema`, cached. */
export async function compileSchema(schema: SchemaInput | undefined): Promise<unknown> {
  if (schema?.input === undefined) return undefined;
  const { format, name, input } = schema;
  const known = kept.findLast((one) => one.schema.format === format && one.schema.name === name && isEqual(one.schema.input, input));
  if (known) return known.compiled;
  const module = await loadFormat(format);
  if (!module.compileSchema) throw new SchemaError(`${format} takes no schema`);
  const compiled = await module.compileSchema(input, name);
  kept.push({ schema, compiled });
  if (kept.length > MAX_KEPT) kept.shift();
  return compiled;
}

/** True if two inputs, which are cloned or JSON, have the same contents. A key made of them would be as long as a descriptor set. */
function isEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array && a.length === b.length && a.every((byte, index) => byte === b[index]);
  const [own, others] = [Object.entries(a), Object.entries(b)];
  return own.length === others.length && own.every(([key, item], index) => others[index]![0] === key && isEqual(item, others[index]![1]));
}
