import type { Exchange, LibraryState } from '../../adapter/adapter.ts';
import { type FormatId, formatEntry } from '../../../worker/formats/registry.ts';
import type { SchemaInput } from '../../reading/protocol.ts';
import { reportsOf } from './library.ts';
import { type SchemaFile, schemaInput, toJson } from './schema-files.ts';
import { keptSignal } from './settings.ts';

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
  return found && formatEntry(found.format) ? { name: `${found.name}, from the page`, format: found.format as FormatId, input: found.schema } : undefined;
}

/** A schema of the page as one to keep. */
export function fileOfPage({ name, format, schema }: LibraryState['schemas'][number]): SchemaFile {
  return { name, format: format as FormatId, given: toJson(schema), types: [] };
}
