import { SchemaError } from '../errors.ts';
import { isSmall } from '../plain.ts';
import { loadCodecs } from './avro/codecs.ts';
import { MAGIC, readHeader, startsAsContainer } from './avro/container.ts';
import { fingerprintOf } from './avro/fingerprint.ts';
import { parseSchema } from './avro/parse.ts';
import { plainReaderFor } from './avro/plans.ts';
import { AvroReader } from './avro/reader.ts';
import type { AvroSchema } from './avro/schema.ts';
import type { Format } from './format.ts';

/** How Avro is read. What is left out has the value named first. */
export interface AvroOptions {
  /**
   * How the data are framed: as a plain datum, a single object with the fingerprint of its schema, or a container. Left
   * out, the first bytes tell: `Obj 01` begins a container; C3 01 and the fingerprint of a schema that is known begin a
   * single object.
   */
  framing?: 'datum' | 'object' | 'container' | undefined;
  /**
   * The input is any number of data, or of single objects, one after the other; the result is an array. A container is
   * one always. Default false.
   */
  sequence?: boolean;
  /**
   * What the value of a union becomes: the value itself (`plain`); an object with the name of its type as the one key,
   * unless it is null (`wrapped`); or the latter only for unions with types that JavaScript does not tell apart: two of
   * numbers, of string and enums, of bytes and fixeds, or of records and map (`auto`). As `wrapUnions` of avsc. Default
   * `auto`.
   */
  unions?: 'auto' | 'plain' | 'wrapped';
  /** What a map becomes: a plain object or a Map. Default `object`. */
  maps?: 'object' | 'map';
  /**
   * What longs become: a number where it is exact and a bigint elsewhere (`auto`), the nearest number, a bigint, or
   * decimal text. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * Gives logical types as what they mean (https://avro.apache.org/docs/1.12.0/specification/#logical-types): dates and
   * timestamps as Date, a duration as `{ months, days, milliseconds }`, a UUID as text, a decimal as `decimals` says.
   * Times of day are numbers all the same. `false` gives the underlying values. Default true.
   */
  logicalTypes?: boolean;
  /**
   * What dates and timestamps become: a Date, which leaves out what is smaller than a millisecond, or the number that is
   * written. A local timestamp is a Date whose UTC time is the local one. Default `date`.
   */
  timestamps?: 'date' | 'number';
  /** What decimals become: exact text such as `-12.50`, the nearest number, or their bytes. Default `string`. */
  decimals?: 'string' | 'number' | 'bytes';
}

/** An Avro schema: its JSON, parsed or as text. */
export type AvroSchemaJson =
  | string
  | readonly unknown[]
  | { readonly type: unknown }
  | { readonly type: unknown; readonly [attribute: string]: unknown };

/**
 * A schema as the user gives it. One alone is what data are written with, and what a container's data are read as.
 * `reader` is what data are to be read as (https://avro.apache.org/docs/1.12.0/specification/#schema-resolution);
 * `registered` are schemas that single objects may name by their fingerprints.
 */
export type AvroSchemaInput =
  | AvroSchemaJson
  | { writer?: AvroSchemaJson; reader?: AvroSchemaJson; registered?: readonly AvroSchemaJson[] };

/** Avro (https://avro.apache.org/docs/1.12.0/specification/): plain data, single objects and object container files. */
const avro: Format<AvroOptions, AvroSchema | undefined> = {
  createReader: (sink, options, limits, schema) => new AvroReader(sink, options, limits, schema),

  compileSchema(input, name) {
    try {
      return compile(input as AvroSchemaInput);
    } catch (error) {
      throw error instanceof SchemaError && error.schema === undefined ? new SchemaError(error.reason, name, { format: 'avro' }) : error;
    }
  },

  decodePlain(bytes, options, limits, schema, shapeOf) {
    // What may begin a container or a single object is left to the reader.
    if (!schema || bytes[0] === MAGIC[0] || bytes[0] === 0xc3 || !isSmall(bytes, limits)) return undefined;
    return plainReaderFor(schema, options)?.read(bytes, shapeOf);
  },

  cutting: () => import('./avro/cut.ts'),

  /** Loads the codec that a container names; all of them where the head does not reach so far. */
  prepare(head) {
    if (head.length < MAGIC.length || !startsAsContainer(head, 0, head.length)) return undefined;
    try {
      const header = readHeader(head, 0, head.length, 0, head.length);
      return loadCodecs('needed' in header ? undefined : header.codec);
    } catch {
      // The reader will say what is wrong.
      return undefined;
    }
  },
};

function compile(input: AvroSchemaInput): AvroSchema {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || 'type' in input) {
    const writer = parseSchema(input);
    return { writer, reader: undefined, registered: { [fingerprintOf(writer)]: writer } };
  }
  const { writer, reader, registered = [] } = input as Exclude<AvroSchemaInput, AvroSchemaJson>;
  if (writer === undefined && reader === undefined && registered.length === 0) {
    throw new SchemaError('an Avro schema is its JSON, or { writer, reader, registered } of which one at least is given');
  }
  const all = [writer, reader, ...registered].map((json) => (json === undefined ? undefined : parseSchema(json)));
  const prints: Record<string, NonNullable<AvroSchema['writer']>> = {};
  for (const types of all) if (types) prints[fingerprintOf(types)] ??= types;
  return { writer: all[0], reader: all[1], registered: prints };
}

export default avro;
