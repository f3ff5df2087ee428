import { SchemaError } from '../../../core/errors.ts';
import { FORMATS, NAMED_FORMS } from '../../../core/formats/registry.ts';
import { check, checkLimits, checkNames } from '../../../core/check-names.ts';
import type { DecodeOptions, DecoderOptions, SchemaDefinition } from './options.ts';

/** Throws for options of a decoder that a compiler would reject: for callers in plain JavaScript. */
export function checkDecoder(options: DecoderOptions): void {
  const { workers = 1, formatOptions, schemas } = options;
  checkCall(options, DECODER);
  if (!(Number.isInteger(workers) && workers > 0)) {
    throw new RangeError(`invalid option workers: ${workers}; expected an integer of at least 1`);
  }
  checkFormats('formatOptions', Object.keys(formatOptions ?? {}));
  checkSchemas(schemas);
}

/** The same for the options of a call, whose names these are. */
export function checkCall(options: Pick<DecodeOptions, 'as' | 'route' | 'limits' | 'schema'>, names: readonly string[] = CALL): void {
  checkNames(options, names);
  checkSchema(options.schema);
  checkLimits(options.limits);
  checkForm(options.as);
  check('invalid option route:', options.route, ROUTES);
}

/** Throws for a form that does not exist. */
export function checkForm(as: string | undefined): void {
  check('invalid option as:', as, FORMS);
}

/** Throws for a compression that the library does not undo. */
export function checkCompression(compression: string | undefined): void {
  check('invalid option compression:', compression, ['zstd']);
}

/** The same for a list of formats. */
export function checkFormats(option: string, ids: readonly string[]): void {
  for (const id of ids)
    check(
      `invalid option ${option}:`,
      id,
      [...FORMATS, ...NAMED_FORMS].map((format) => format.id),
    );
}

/** Throws for a schema that is given as text, which is the name of a registered one. */
export function checkSchema(schema: unknown): void {
  if (typeof schema === 'string' && schema.includes('{')) {
    throw new SchemaError('text given as a schema: pass { proto, message }, or an Avro schema as parsed JSON');
  }
}

/** The same for registered schemas. */
export function checkSchemas(schemas: Readonly<Record<string, SchemaDefinition>> | undefined): void {
  for (const [name, schema] of Object.entries(schemas ?? {})) {
    checkNames(schema, SCHEMA);
    checkFormats(`schemas.${name}.format`, [schema.format]);
  }
}

/** Names of the options of a registered schema. */
const SCHEMA = ['format', 'schema', 'urls', 'mediaTypes'];
/** Names of the options of a decoder. */
const DECODER =
  'workers createWorker kernel queueLimit idleTimeout timeout route limits reviveTag invalidText syncBelow formatOptions schemas measure keepBodies'.split(
    ' ',
  );
/** Names of the options of a call. */
const CALL =
  'format options schema as transfer signal compression stallTimeout timeout route limits reviveTag invalidText label onProgress path batchSize buildMs previous key validate pick numbers checkPrevious'.split(
    ' ',
  );
const FORMS = ['objects', 'rows', 'columns'];
const ROUTES = ['auto', 'page', 'worker'];
