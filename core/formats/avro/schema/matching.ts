import { SchemaError } from '../../../errors.ts';
import { ARRAY, type AvroType, type AvroTypes, BYTES, DECIMAL, DOUBLE, FIXED, FLOAT, INT, isNamed, LONG, MAP, STRING, UNION } from './schema.ts';

/**
 * True if data of a writer's type can be read as a reader's type, by the conditions of
 * https://avro.apache.org/docs/1.12.0/specification/#schema-resolution. Fields of records are not compared.
 */
export function matches(writerSchema: AvroTypes, w: number, readerSchema: AvroTypes, r: number): boolean {
  const from = writerSchema.types[w]!;
  const to = readerSchema.types[r]!;
  if (from.kind === UNION || to.kind === UNION) return true;
  if (from.kind !== to.kind) return promotes(from.kind, to.kind);
  if (from.kind === ARRAY || from.kind === MAP) return matches(writerSchema, from.items, readerSchema, to.items);
  if (from.logical === DECIMAL && to.logical === DECIMAL && (from.scale !== to.scale || from.precision !== to.precision)) return false;
  if (from.kind === FIXED && from.size !== to.size) return false;
  return !isNamed(from.kind) || isNameOf(from.name, to);
}

/** True if data of the writer's type `from` are promoted to the reader's type `to`. */
function promotes(from: number, to: number): boolean {
  switch (from) {
    case INT:
      return to === LONG || to === FLOAT || to === DOUBLE;
    case LONG:
      return to === FLOAT || to === DOUBLE;
    case FLOAT:
      return to === DOUBLE;
    case STRING:
      return to === BYTES;
    case BYTES:
      return to === STRING;
    default:
      return false;
  }
}

/** Namespaces are ignored. */
function isNameOf(name: string, { name: own, aliases }: AvroType): boolean {
  const simple = unqualified(name);
  return simple === unqualified(own) || aliases.some((alias) => simple === unqualified(alias));
}

function unqualified(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/**
 * Branch of a reader's union for data of a writer's type: the same type if present, else the first that matches; −1
 * if none matches.
 *
 * A string is thus read as the string of `[bytes, string]`. The specification says "the first schema in the reader's
 * union that matches", here bytes, and fastavro does that. This library follows Avro for Java
 * (`Resolver.ReaderUnion.firstMatchingBranch`), which looks for the same type first, so that a value does not change
 * its type without need.
 */
export function chooseBranch(writerSchema: AvroTypes, w: number, readerSchema: AvroTypes, branches: readonly number[]): number {
  const from = writerSchema.types[w]!;
  const fits = branches.filter((r) => matches(writerSchema, w, readerSchema, r));
  const same = fits.find((r) => readerSchema.types[r]!.name === from.name) ?? fits.find((r) => readerSchema.types[r]!.kind === from.kind);
  return same ?? fits[0] ?? -1;
}

/**
 * Maps each field of the writer's record to the reader's field with its name or else an alias; −1 if there is no such
 * field. Throws a SchemaError if an alias is ambiguous.
 */
export function matchFields(from: AvroType, to: AvroType): Int32Array {
  const indices = new Map(from.fields.map(({ name }, place) => [name, place]));
  const targets = new Int32Array(from.fields.length).fill(-1);
  to.fields.forEach(({ name }, index) => {
    const place = indices.get(name);
    if (place !== undefined) targets[place] = index;
  });
  to.fields.forEach(({ name, aliases }, index) => {
    if (indices.has(name)) return;
    const found = new Set(aliases.map((alias) => indices.get(alias)).filter((place) => place !== undefined && targets[place]! < 0));
    if (found.size > 1) throw new SchemaError(`the aliases of ${to.name}.${name} are ambiguous: they match several fields of ${from.name}`);
    for (const place of found) targets[place!] = index;
  });
  return targets;
}
