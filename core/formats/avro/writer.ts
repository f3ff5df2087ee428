import { writeBytes } from '../../writing/binary-values.ts';
import { SchemaError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import type { FormatWriter, Writer } from '../../writing/writer.ts';
import { compileAvroSchema } from './compile-schema.ts';
import { loadCompressor } from './container/compressors.ts';
import { ContainerWriter } from './container/container-writer.ts';
import { DatumWriter } from './write/datum-writer.ts';
import { fingerprintOf } from './schema/fingerprint.ts';
import type { AvroSchemaInput, AvroWriteOptions } from './options.ts';
import type { AvroSchema, AvroTypes } from './schema/schema.ts';
import { SEQUENCE, WriteNode, writePlanFor } from './write/plan.ts';

export type { AvroSchemaInput, AvroSchemaJson, AvroSchemaSource, AvroWriteOptions } from './options.ts';
export { avroSchemaOf } from './schema/infer.ts';

/** Writes Avro (https://avro.apache.org/docs/1.12.0/specification/): plain data, single objects and object container files. */
const avroEncoder: FormatWriter<AvroWriteOptions, AvroSchema | undefined> = {
  id: 'avro',
  createWriter(options, limits, schema) {
    const types = typesOf(schema);
    if (options.framing === 'container') return new ContainerWriter(types, options, limits);
    if (types === undefined)
      throw new SchemaError('a schema is required to write Avro; only for containers it can be inferred', undefined, { format: 'avro' });
    return dataWriter(types, options, limits);
  },
  compileSchema: (input, name) => compileAvroSchema(input as AvroSchemaInput, name),
  prepare: loadCompressor,
};

/** The schema to write by: the writer's, else the reader's, else the only registered one. */
function typesOf(schema: AvroSchema | undefined): AvroTypes | undefined {
  if (schema === undefined) return undefined;
  const { writerSchema, readerSchema, registered } = schema;
  return writerSchema ?? readerSchema ?? Object.values(registered)[0];
}

function dataWriter(types: AvroTypes, options: AvroWriteOptions, limits: Limits): Writer {
  const { framing, sequence = false } = options;
  const datum = writePlanFor(types, options);
  const prefix = framing === 'object' ? objectPrefix(types) : undefined;
  if (!sequence) return prefix === undefined ? new DatumWriter(datum, options, limits) : new ObjectWriter(prefix, datum, options, limits);
  const root = new WriteNode(SEQUENCE, 'sequence');
  root.item = datum;
  root.prefix = prefix;
  return new DatumWriter(root, options, limits);
}

/** Writes single objects (https://avro.apache.org/docs/1.12.0/specification/#single-object-encoding). */
class ObjectWriter extends DatumWriter {
  readonly #prefix: Uint8Array;

  constructor(prefix: Uint8Array, root: WriteNode, options: AvroWriteOptions, limits: Limits) {
    super(root, options, limits);
    this.#prefix = prefix;
  }

  override write(value: unknown, at: number): number {
    return super.write(value, writeBytes(this.#prefix, at));
  }
}

const prefixes = new WeakMap<AvroTypes, Uint8Array>();

/** C3 01 and the schema's fingerprint. */
function objectPrefix(types: AvroTypes): Uint8Array {
  let prefix = prefixes.get(types);
  if (prefix === undefined) {
    prefix = Uint8Array.from(`c301${fingerprintOf(types)}`.match(/../g)!, (digits) => Number.parseInt(digits, 16));
    prefixes.set(types, prefix);
  }
  return prefix;
}

export default avroEncoder;
