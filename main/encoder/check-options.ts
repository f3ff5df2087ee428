import { check, checkLimits, checkNames } from '../../core/check-names.ts';
import { SchemaError } from '../../core/errors.ts';
import { checkOptions as checkFormatOptions } from '../../core/option-table.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { WRITING } from '../../core/formats/write-options.ts';
import { checkFormats, checkSchema, checkSchemas } from '../call/options/check.ts';
import type { Schemas } from '../call/schemas.ts';
import type { Compression, EncodeOptions, EncoderOptions } from './options.ts';

/** Names of the options of an encoder, and of a call. */
const ENCODER = ['formatOptions', 'schemas', 'limits', 'worker', 'createWorker'];
const CALL = ['format', 'schema', 'options', 'signal', 'compression', 'onProgress'];
const COMPRESSIONS: readonly Compression[] = ['gzip', 'deflate'];

/**
 * Throws a TypeError for options of an encoder, of a call, or of a format's writer that a compiler would reject: for callers in
 * plain JavaScript.
 */
export function checkOptions(encoder: EncoderOptions, call: EncodeOptions, id: FormatId, writing: object): void {
  checkNames(encoder, ENCODER);
  checkFormats('formatOptions', Object.keys(encoder.formatOptions ?? {}));
  checkLimits(encoder.limits);
  checkSchemas(encoder.schemas);
  checkNames(call, CALL);
  check('invalid option compression:', call.compression, COMPRESSIONS);
  checkSchema(call.schema);
  checkFormatOptions(writing, WRITING[id]);
}

/** Throws for a call whose format is unknown or missing. */
export function refuseFormat(format: FormatId | undefined, schema: EncodeOptions['schema'], schemas: Schemas): never {
  if (format !== undefined) checkFormats('format', [format]);
  checkSchema(schema);
  if (typeof schema === 'string') {
    const names = schemas.all.map(({ name }) => name).join(', ') || 'none';
    throw new SchemaError(`the schema ${schema.slice(0, 60)} is not registered; known: ${names}`, schema);
  }
  throw new TypeError("no format given: pass { format: 'json' } or another format, or a schema with its format");
}
