import type { Exchange, LibraryState } from '../../adapter/adapter.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { formatEntry } from '../../../core/formats/registry.ts';
import type { Detection, SchemaInput } from '../../reading/protocol.ts';
import { reportsOf } from '../page/page-library.ts';
import { fromBase64 } from '../../adapter/bytes.ts';
import { methodsInDescriptors, methodsInProto, type ServiceMethod } from '../../reading/schemas/services.ts';
import { type SchemaFile, schemaInput, toJson } from './schema-files.ts';
import { storedSignal } from '../shared/settings.ts';

/** Confidence above which no schema is tried. */
const SURE = 0.9;
/** Maximum number of page schemas to try on a body. */
const MAX_TRIED = 12;

/** Maps addresses to a schema. */
export interface SchemaMapping {
  /** Part of a URL; `*` matches anything. */
  pattern: string;
  file: string;
  /** Type of responses and received messages; undefined if the mapping does not concern them. Empty if the schema names its type. */
  type?: string | undefined;
  /** Type of requests and sent messages, likewise. */
  request?: string | undefined;
}

/** Direction of a body: schemas of requests and responses differ. */
export type Direction = 'request' | 'response';

export const schemaFiles = storedSignal<SchemaFile[]>('schema-files', []);
export const schemaMappings = storedSignal<SchemaMapping[]>('schema-mappings', []);

export function matchesPattern(pattern: string, url: string): boolean {
  if (pattern === '') return false;
  const parts = pattern.split('*');
  let at = 0;
  for (const part of parts) {
    const found = url.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** Stores a schema, replacing one of the same name. */
export function keepSchema(file: SchemaFile): void {
  schemaFiles.value = [...schemaFiles.value.filter(({ name }) => name !== file.name), file];
}

/** Removes a schema and its mappings. */
export function forgetSchema(name: string): void {
  schemaFiles.value = schemaFiles.value.filter((file) => file.name !== name);
  schemaMappings.value = schemaMappings.value.filter(({ file }) => file !== name);
}

/** Schema mapped to a URL for one direction; the last match wins. */
export function schemaFor(url: string, direction: Direction): SchemaInput | undefined {
  const typeIn = ({ type, request }: SchemaMapping): string | undefined => (direction === 'request' ? request : type);
  const mapping = schemaMappings.value.findLast((candidate) => typeIn(candidate) !== undefined && matchesPattern(candidate.pattern, url));
  const file = mapping && schemaFiles.value.find(({ name }) => name === mapping.file);
  return file && mapping ? schemaInput(file, typeIn(mapping)!, schemaFiles.value) : undefined;
}

/** Schema of a call whose URL ends with the path of a method in the given files. */
export function schemaOfCall(url: string, direction: Direction, files: readonly SchemaFile[]): SchemaInput | undefined {
  const found = typeOfCall(url, direction, files);
  return found && schemaInput(found.file, found.type, files);
}

/** Type of a call, and the file that defines it. */
export function typeOfCall<File extends SchemaFile>(
  url: string,
  direction: Direction,
  files: readonly File[],
): { file: File; type: string } | undefined {
  const types = files.flatMap((file) => file.types);
  const path = url.replace(/[?#].*$/s, '');
  for (const file of files) {
    const type = methodsOf(file, types).find((method) => path.endsWith(`/${method.path}`))?.[direction];
    const owner = type === undefined ? undefined : [file, ...files].find((other) => other.types.includes(type));
    if (owner) return { file: owner, type: type! };
  }
  return undefined;
}

const methods = new WeakMap<SchemaFile, ServiceMethod[]>();

/** Methods of the services in a schema file. */
function methodsOf(file: SchemaFile, types: readonly string[]): ServiceMethod[] {
  if (file.methods) return file.methods;
  if (file.format !== 'protobuf') return [];
  let known = methods.get(file);
  if (!known) {
    known = file.base64 === undefined ? methodsInProto(file.text ?? '', types) : methodsInDescriptors(fromBase64(file.base64));
    methods.set(file, known);
  }
  return known;
}

/** Schema that the library on the page used to decode a response, if registered by name. */
export function pageSchemaFor(state: LibraryState | undefined, exchange: Exchange, all: readonly Exchange[]): SchemaInput | undefined {
  if (!state) return undefined;
  const report = reportsOf(state, exchange, all).findLast(({ schema }) => schema !== undefined);
  const found = report && state.schemas.find(({ name, format }) => name === report.schema && format === report.format);
  return found && inputOf(found);
}

/**
 * Page schemas that may fit a response whose decode was not reported: those of its format, or all if the format is
 * uncertain. Any message fits any Protocol Buffers schema, so that format needs exactly one.
 */
export function candidatesOf(state: LibraryState | undefined, { format, confidence }: Detection): SchemaInput[] {
  const entry = format && formatEntry(format);
  // Avro containers need no schema; single objects do.
  if (!state || (entry && !entry.schema && format !== 'avro' && confidence >= SURE)) return [];
  const fitting = state.schemas.filter((schema) => format === undefined || confidence < SURE || schema.format === format);
  const messages = fitting.filter((schema) => schema.format === 'protobuf');
  const isOne = messages.length === 1 && (format === 'protobuf' || format === undefined);
  return fitting
    .filter((schema) => schema.format !== 'protobuf' || isOne)
    .slice(0, MAX_TRIED)
    .flatMap((schema) => inputOf(schema) ?? []);
}

function inputOf({ name, format, schema }: LibraryState['schemas'][number]): SchemaInput | undefined {
  return formatEntry(format) ? { name: `${name}, from the page`, format: format as FormatId, input: schema } : undefined;
}

/** Schema of the page as a file to keep. */
export function fileOfPage({ name, format, schema }: LibraryState['schemas'][number]): SchemaFile {
  return { name, format: format as FormatId, given: toJson(schema), types: [] };
}
