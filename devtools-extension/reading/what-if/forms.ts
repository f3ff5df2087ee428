import type { FormatId } from '../../../core/format/format-id.ts';
import { ABOUT, FORMATS } from '../../../core/formats/registry.ts';
import { inferAvro } from '../infer/avro.ts';
import { inferBebop } from '../infer/bebop.ts';
import { inferCapnProto } from '../infer/capnproto.ts';
import { inferFlatBuffers } from '../infer/flatbuffers.ts';
import { inferJsBinary } from '../infer/jsbinary.ts';
import { inferProtobuf } from '../infer/protobuf.ts';
import { asRecord, datesAsNumbers, isRecord, withoutNulls } from '../infer/shape.ts';
import { encodeWhole } from '../whole-values/whole-value.ts';

/** A value as a form can represent it, and the schema for writing and reading it. */
interface Fitted {
  value: unknown;
  schema?: unknown;
  note?: string;
  /** Options of the reader, instead of the form's. */
  reading?: object;
}

/** A value encoded in a form. */
export interface Encoded extends Fitted {
  bytes: Uint8Array<ArrayBuffer>;
  /** Encodes it once more. */
  write: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** A format with options for writing and reading it. */
export interface Form {
  /** Distinguishes variants of a format. */
  variant?: string;
  format: FormatId;
  note?: string;
  /** Options of the format's writer. */
  writing?: object;
  /** Options of the format's reader. */
  reading?: object;
  /** Adapts a value for the writer, if the schema lacks types for parts of it. */
  give?(value: unknown): unknown;
  /** Adapts a value to the form. Throws if the form cannot represent it. */
  fit?(value: unknown): Fitted;
}

/** Display name of a form. */
export function formName({ format, variant }: Form): string {
  const { label } = ABOUT[format];
  return variant === undefined ? label : `${label}, ${variant}`;
}

const INFERRED = 'schema inferred from this value';

/** Forms that take more than the name of a format. */
const SPECIAL: readonly Form[] = [
  { format: 'json', writing: { bigints: 'string', maps: 'object', sets: 'array', bytes: 'base64' } },
  { format: 'messagepack' },
  { variant: 'records', format: 'messagepack', note: 'msgpackr extension: stores keys once per shape', writing: { records: true } },
  { format: 'cbor' },
  { variant: 'records', format: 'cbor', note: 'cbor-x tags: store keys once per shape', writing: { records: true } },
  {
    format: 'bson',
    writing: { undefined: 'null' },
    fit: (value) => ({ value: asRecord(value), ...(!isRecord(value) && { note: 'wrapped in a document, as BSON requires at the root' }) }),
  },
  {
    format: 'arrow',
    reading: { maps: 'map' },
    fit: (value) => ({
      value: Array.isArray(value) ? value : [value],
      ...(!Array.isArray(value) && { note: 'wrapped in a list, as Arrow requires at the root' }),
    }),
  },
  { format: 'protobuf', note: INFERRED, give: datesAsNumbers, fit: inferProtobuf },
  { format: 'avro', note: INFERRED, writing: { unions: 'plain' }, reading: { unions: 'plain' }, fit: fitAvro },
  { format: 'bebop', note: INFERRED, fit: inferBebop },
  { format: 'flatbuffers', note: INFERRED, give: datesAsNumbers, reading: { vectors: 'bytes' }, fit: inferFlatBuffers },
  {
    format: 'capnproto',
    note: INFERRED,
    give: (value) => withoutNulls(datesAsNumbers(value)),
    reading: { defaults: 'none' },
    fit: inferCapnProto,
  },
  { format: 'jsbinary', note: INFERRED, fit: inferJsBinary },
];

/** All forms that What if tries. */
export const FORMS: readonly Form[] = [
  ...SPECIAL,
  ...FORMATS.filter(({ id, schema }) => schema === false && !SPECIAL.some(({ format }) => format === id)).map(({ id }) => ({ format: id })),
];

function fitAvro(value: unknown): Fitted {
  const { schema, value: renamed, note } = inferAvro(value);
  return { schema, value: renamed, note: note === undefined ? INFERRED : `${INFERRED}; ${note}` };
}

/** Format and schema of the body whose value is encoded. */
export interface OwnSchema {
  format: FormatId;
  schema: unknown;
  /** True for a sequence of values. */
  sequence: boolean;
}

/** Options for reading a body by its schema, and for writing its value again. */
export function ownOptions({ format, schema, sequence }: OwnSchema): object {
  return { sequence, ...(format === 'protobuf' && schema !== undefined && { names: 'proto' }) };
}

/** Encodes a value in a form; in the body's own format with its schema. Throws an UnsupportedError or an EncodeError if the form cannot represent it. */
export async function encodeIn(form: Form, value: unknown, own?: OwnSchema): Promise<Encoded> {
  if (own && own.format === form.format && own.schema !== undefined) {
    const options = ownOptions(own);
    const write = (): Promise<Uint8Array<ArrayBuffer>> => encodeWhole(form.format, value, options, own.schema);
    return { value, schema: own.schema, note: 'schema of this body', reading: options, bytes: await write(), write };
  }
  const fitted = form.fit?.(value) ?? { value };
  const given = form.give ? form.give(fitted.value) : fitted.value;
  const write = (): Promise<Uint8Array<ArrayBuffer>> => encodeWhole(form.format, given, form.writing ?? {}, fitted.schema);
  return { ...fitted, bytes: await write(), write };
}
