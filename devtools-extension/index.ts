/** Entry point for pages that embed the panel. */
export { ABOUT } from '../core/formats/registry.ts';
export type { Exchange, LibraryState } from './adapter/adapter.ts';
export { createPageAdapter, type PageAdapter, type PageSource } from './adapter/page.ts';
export type { OpenBody } from './panel/body/open-body.ts';
export { type EmbeddedBody, type EmbeddedPanel, type EmbeddedPayload, embedBody, embedPanel } from './panel/embed.ts';
export { isDoubtful, type SchemaFile, schemaFileOf, schemaInput } from './panel/schemas/schema-files.ts';
export { type RecordList, recordListOf } from './panel/table/records.ts';
export type { BodyState } from './panel/selection/selection.ts';
export type { EncodedForm, EncodeRequest, InferredForm, ReadingClient, SchemaInput } from './reading/protocol.ts';
