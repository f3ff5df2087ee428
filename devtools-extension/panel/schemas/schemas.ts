import type { Exchange, LibraryState } from '../../adapter/adapter.ts';
import { type FormatId, formatEntry } from '../../../core/formats/registry.ts';
import type { Detection, SchemaInput } from '../../reading/protocol.ts';
import { reportsOf } from '../page/library.ts';
import { type SchemaFile, schemaInput, toJson } from './schema-files.ts';
import { keptSignal } from '../shared/settings.ts';

/** Surer than this, a format is not asked of schemas. */
const SURE = 0.9;
/** Schemas of a page that a body is read by at most. */
const MOST_TRIED = 12;

/** Which requests a schema is for. */
export interface SchemaMapping {
  /** Part of a URL; `*` stands for anything. */
  pattern: string;
  file: string;
  type: string;
}

export const schemaFiles = keptSignal<SchemaFile[]>('schema-files', []);
export const schemaMappings = keptSignal<SchemaMapping[]>('schema-mappings', []);

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

/** Keeps a schema, in place of another of its name. */
export function keepSchema(file: SchemaFile): void {
  schemaFiles.value = [...schemaFiles.value.filter(({ name }) => name !== file.name), file];
}

/** Forgets a schema and what it was for. */
export function forgetSchema(name: string): void {
  schemaFiles.value = schemaFiles.value.filter((file) => file.name !== name);
  schemaMappings.value = schemaMappings.value.filter(({ file }) => file !== name);
}

/** The schema that was set for a URL: the last mapping that fits. */
export function schemaFor(url: string): SchemaInput | undefined {
  const mapping = schemaMappings.value.findLast(({ pattern }) => matchesPattern(pattern, url));
  const file = mapping && schemaFiles.value.find(({ name }) => name === mapping.file);
  return file && mapping ? schemaInput(file, mapping.type, schemaFiles.value) : undefined;
}

/** The schema by which the library on the page has decoded a response, where it was registered by a name. */
export function pageSchemaFor(state: LibraryState | undefined, exchange: Exchange, all: readonly Exchange[]): SchemaInput | undefined {
  if (!state) return undefined;
  const report = reportsOf(state, exchange, all).findLast(({ schema }) => schema !== undefined);
  const found = report && state.schemas.find(({ name, format }) => name === report.schema && format === report.format);
  return found && inputOf(found);
}

/**
 * The schemas of the page that a response may be by, where no decode of it was reported: those of its format, or of any
 * where that is not sure. Any message fits any schema of Protocol Buffers: of these there must be one alone.
 */
export function candidatesOf(state: LibraryState | undefined, { format, confidence }: Detection): SchemaInput[] {
  const entry = format && formatEntry(format);
  // Avro's containers need none, its other data do.
  if (!state || (entry && !entry.schema && format !== 'avro' && confidence >= SURE)) return [];
  const fitting = state.schemas.filter((schema) => format === undefined || confidence < SURE || schema.format === format);
  const messages = fitting.filter((schema) => schema.format === 'protobuf');
  const isOne = messages.length === 1 && (format === 'protobuf' || format === undefined);
  return fitting
    .filter((schema) => schema.format !== 'protobuf' || isOne)
    .slice(0, MOST_TRIED)
    .flatMap((schema) => inputOf(schema) ?? []);
}

function inputOf({ name, format, schema }: LibraryState['schemas'][number]): SchemaInput | undefined {
  return formatEntry(format) ? { name: `${name}, from the page`, format: format as FormatId, input: schema } : undefined;
}

/** A schema of the page as one to keep. */
export function fileOfPage({ name, format, schema }: LibraryState['schemas'][number]): SchemaFile {
  return { name, format: format as FormatId, given: toJson(schema), types: [] };
}
