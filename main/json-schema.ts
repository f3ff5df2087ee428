import { SchemaError } from '../core/errors.ts';
import type { AvroSchemaJson } from '../core/formats/avro/options.ts';
import { pascal } from '../core/format/schema-names.ts';
import { avroSchemaOf } from './json-schema/avro.ts';
import { protoOf } from './json-schema/protobuf.ts';
import { type JsonSchema, type Place, shapeOf } from './json-schema/shape.ts';

/** The part of Standard JSON Schema 1 (standardschema.dev/json-schema) that is used, as zod and arktype implement it. */
interface Described {
  readonly vendor: string;
  readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => JsonSchema } | undefined;
}

/** Type of the values that a schema describes: that of a validator's input, or of TypeBox; unknown for other JSON Schemas. */
export type DescribedBy<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly input: infer Input }
    ? Input
    : unknown
  : S extends { static: infer Value }
    ? Value
    : unknown;

/** Options of `toAvro` and `toProtobuf`. */
export interface ToSchemaOptions {
  /** Name of the root type if the JSON Schema has no `title`. Default `Root`. */
  name?: string | undefined;
}

/** An Avro schema, with its format and the type of its values. */
export interface MadeAvro<T> {
  readonly format: 'avro';
  readonly schema: AvroSchemaJson;
  /** Never there: the type of the values, for inference. */
  readonly '~type'?: T;
}

/** A Protocol Buffers schema: the text of a `.proto` and its message, with the format and the type of the values. */
export interface MadeProtobuf<T> {
  readonly format: 'protobuf';
  readonly schema: { readonly proto: string; readonly message: string };
  /** Never there: the type of the values, for inference. */
  readonly '~type'?: T;
}

/**
 * Makes an Avro schema of a JSON Schema, or of a validator that describes itself as one: of its input, the values before validation.
 * Objects become records, or maps without `properties`; integers `int` if their bounds fit, otherwise `long`; other numbers `double`;
 * strings of a list an enum if they are names of Avro, otherwise `string`. A key that may be absent is nullable with the default null,
 * and read as null. Constraints such as `pattern` are left out. Throws a SchemaError with the JSON pointer of the first part that has
 * no counterpart.
 *
 * @example
 * const trip = toAvro(z.object({ id: z.int(), line: z.string() }), { name: 'Trip' });
 * const bytes = await encoder.encode({ id: 7, line: 'S1' }, { schema: trip });
 */
export function toAvro<const S extends object>(schema: S, { name = 'Root' }: ToSchemaOptions = {}): MadeAvro<DescribedBy<S>> {
  return { format: 'avro', schema: avroSchemaOf(shapeFrom(schema, name, 'Avro'), pascal(name)) };
}

/**
 * Makes the text of a `.proto` of a JSON Schema, or of a validator that describes itself as one, as `toAvro` does. Fields are numbered
 * in the order of the properties, so that new properties go to the end. Integers become `int32` if their bounds fit, otherwise
 * `int64`; a key that may be absent or null is `optional`, and read as absent. Lists in lists, null in lists, and lists and maps that
 * may be absent have no counterpart.
 *
 * @example
 * const trip = toProtobuf(z.object({ id: z.int(), line: z.string() }), { name: 'Trip' });
 * console.log(trip.schema.proto); // syntax = "proto3"; …
 */
export function toProtobuf<const S extends object>(schema: S, { name = 'Root' }: ToSchemaOptions = {}): MadeProtobuf<DescribedBy<S>> {
  return { format: 'protobuf', schema: protoOf(shapeFrom(schema, name, 'Protocol Buffers')) };
}

function shapeFrom(schema: object, name: string, target: string): Place {
  return shapeOf(jsonSchemaOf(schema), name, target);
}

function jsonSchemaOf(schema: object): JsonSchema {
  const described = (schema as { '~standard'?: Described })['~standard'];
  if (described === undefined) return schema as JsonSchema;
  const { vendor, jsonSchema } = described;
  if (jsonSchema === undefined) {
    const advice = vendor === 'valibot' ? 'toStandardJsonSchema of @valibot/to-json-schema' : 'a function of the library';
    throw new SchemaError(`the schema of ${vendor} does not describe itself as JSON Schema: convert it first, by ${advice}`);
  }
  return jsonSchema.input({ target: 'draft-2020-12' });
}
