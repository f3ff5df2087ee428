import type { Exchange, LibraryState } from '../../adapter/adapter.ts';
import { type FormatId, formatEntry } from '../../../core/formats/registry.ts';
import type { Detection, SchemaInput } from '../../reading/protocol.ts';
import { reportsOf } from '../page/page-library.ts';
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
  type: string;
}

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

/** Schema mapped to a URL; the last match wins. */
export function schemaFor(url: string): SchemaInput | undefined {
  const mapping = schemaMappings.value.findLast(({ pattern }) => matchesPattern(pattern, url));
  const file = mapping && schemaFiles.value.find(({ name }) => name === mapping.file);
  return file && mapping ? schemaInput(file, mapping.type, schemaFiles.value) : undefined;
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
