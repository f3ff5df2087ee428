import { SchemaError } from '../../core/errors.ts';
import { detectByMediaType } from '../../core/formats/detect.ts';
import type { SessionSetting } from '../../core/format/decode-session.ts';
import { READ_OPTIONS } from '../../core/formats/json/options.ts';
import { checkOptions } from '../../core/option-table.ts';
import type { AnyFormat } from '../../core/format/format.ts';
import type { FormatEntry, FormatOptions } from '../../core/formats/registry.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import type { Shaping } from '../../core/shaping.ts';
import type { DecodeJob } from '../../worker/protocol.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import type { CompiledSchema } from '../pool/task.ts';
import { checkCall } from './options/check.ts';
import { mediaTypeOf } from './input/sources.ts';
import { chooseFormat, emptyPayload } from './choose-format.ts';
import type { DecodeReport } from './observe.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions, DecoderOptions, DecodeSource } from './options/options.ts';
import { schemaFor } from './options/schema-scope.ts';
import type { Schema, Schemas } from './schemas.ts';

/** Settings of a decoder, or of a service worker's, for all its payloads. */
export interface Defaults {
  readonly schemas: Schemas;
  readonly limits: Limits;
  readonly formats?: Partial<FormatOptions> | undefined;
  readonly revive?: ReviveTag | undefined;
  /** The options of a decoder. */
  readonly options?: Pick<DecoderOptions, 'invalidText'>;
}

/** Everything that determines how a payload is decoded. */
export interface Prepared {
  readonly entry: FormatEntry;
  /** The format's options: those of the call override the decoder's, and both override the media type's. */
  readonly options: object;
  readonly schema: Schema | undefined;
  readonly limits: Limits;
  /** The caller's function for the values of tags. */
  readonly revive: ReviveTag | undefined;
  /** The options `pick`, `numbers` and `invalidText`; undefined without all of them. */
  readonly shaping: Shaping | undefined;
  /** Makes the sink for them; see `shaping`. */
  readonly wrap?: SessionSetting['wrap'];
}

const NO_OPTIONS: object = Object.freeze({});

/**
 * Finds format, schema, options and limits of a payload. `head` has its first bytes; `length` is that of the whole payload,
 * undefined if unknown. Throws a DecodeError if the format cannot be detected, a SchemaError if the schema does not fit, and a
 * TypeError for an option with an unknown value.
 */
export function prepare(
  defaults: Defaults,
  source: DecodeSource,
  callOptions: DecodeOptions,
  head: Uint8Array,
  length: number | undefined = head.length,
): Prepared {
  checkCall(callOptions);
  const { format, pick, numbers, invalidText = defaults.options?.invalidText } = callOptions;
  let { schema } = callOptions;
  const { url, ok } = source as Partial<Response>;
  const type = mediaTypeOf(source);
  const typed = detectByMediaType(type);
  // A response may be JSON although its schema is known: an endpoint that sends either, or an error. With a schema for ProtoJSON, it is a
  // message, which may also come as bytes.
  const isJson = format === undefined && typed?.entry.id === 'json';
  if (isJson && schema !== undefined && defaults.schemas.formatOf(schema) !== 'protojson') schema = undefined;
  else if (!isJson || ok !== false) schema ??= schemaFor(defaults.schemas, type, url, format ?? typed?.entry.id);
  if (typeof schema === 'string' && format === undefined) defaults.schemas.byName(schema);
  if (head.length === 0 && ok === false) throw emptyPayload();
  const own = defaults.schemas.formatOf(schema);
  const isMessage = own === 'protojson' && typed !== undefined;
  const named = format ?? (isMessage && typed.entry.id === 'protobuf' ? 'protobuf' : own);
  const { entry, sequence } = chooseFormat(named, typed, head, length);
  const options = mergeOptions(isMessage ? typed.sequence : sequence, defaults.formats?.[entry.id], callOptions.options);
  // Checks options of other formats once their code is loaded.
  if (entry.id === 'json') checkOptions(options, READ_OPTIONS);
  if (schema === undefined && entry.schema && !(options as { schemaless?: boolean }).schemaless) {
    const name = defaults.schemas.all.find((own) => own.format === entry.id)?.name;
    if (name)
      throw new SchemaError(`a schema is required: set the option schema to '${name}', or schemas.${name}.urls`, undefined, { format: entry.id });
  }
  return {
    entry,
    options,
    schema: defaults.schemas.resolve(schema, entry),
    limits: resolveLimits(callOptions.limits, defaults.limits),
    revive: callOptions.reviveTag ?? defaults.revive,
    shaping: (pick || numbers || invalidText) && { pick, numbers, invalidText },
  };
}

/** Code for the options that change which values are made. */
const loadShaping = () => import('../../core/shaping.ts');

/** Loads the code for the options that change which values are made, and checks them. */
export async function shaping(operation: Operation, prepared: Prepared, options: DecodeOptions): Promise<Prepared> {
  if (!prepared.shaping) return prepared;
  operation.isTypical = false;
  return { ...prepared, wrap: (await loadShaping()).wrapper(prepared.shaping, options) };
}

/** Enters format and schema in the report of a decode. */
export function reportPrepared(report: DecodeReport, { entry, schema }: Prepared): void {
  report.format = entry.id;
  report.schema = schema?.name;
}

/** The setting of a reader on this thread. The schema must be compiled. Throws a TypeError for an option that the format does not have. */
export function settingOf({ entry, options, limits, schema, wrap }: Prepared, format: AnyFormat): SessionSetting {
  checkOptions(options, format.options);
  return { id: entry.id, format, options, limits, schema: schema?.compiled, wrap };
}

/** The job of a worker. The schema must be compiled. */
export function jobOf(
  { entry, options, limits, schema, shaping }: Prepared,
  more: Partial<DecodeJob> = {},
): { job: DecodeJob; schema: CompiledSchema | undefined } {
  return {
    job: { format: entry.id, options, limits, schema: schema?.id, shaping, ...more },
    schema: schema && { id: schema.id, compiled: schema.compiled },
  };
}

/** True for JSON whose options the engine's parser satisfies, and which is decoded as a whole. Text that is not UTF-8 is left to the reader. */
export function readByEngine({ entry, options, shaping }: Prepared): boolean {
  const { bigints, ranges } = options as { bigints?: string; ranges?: boolean };
  return entry.id === 'json' && !(shaping?.pick ?? shaping?.numbers) && bigints !== 'bigint' && !ranges;
}

/** True if the payload is a sequence of values, whose list is the result. */
export function isSequence({ options }: Prepared): boolean {
  return (options as { sequence?: boolean }).sequence === true;
}

function mergeOptions(sequence: boolean, decoders: object | undefined, calls: object | undefined): object {
  return sequence || decoders || calls ? { ...(sequence && { sequence }), ...decoders, ...calls } : NO_OPTIONS;
}
