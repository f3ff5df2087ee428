/** Schemas of JSON Schemas: random ones, whose payloads avsc and protobuf.js read, and those of validators. */
import { Type as T } from '@sinclair/typebox';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Type } from 'avsc';
import protobufjs from 'protobufjs';
import * as v from 'valibot';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import avro from '../../../core/formats/avro/index.ts';
import avroEncoder from '../../../core/formats/avro/writer.ts';
import protobuf from '../../../core/formats/protobuf/index.ts';
import protobufEncoder from '../../../core/formats/protobuf/writer.ts';
import { createEncoder } from '../../../main/encode.ts';
import { createDecoder } from '../../../main/index.ts';
import { toAvro, toProtobuf } from '../../../main/json-schema.ts';
import type { JsonSchema } from '../../../main/json-schema/shape.ts';
import { compileSchema, decodeSync, encodeSync } from '../../../main/sync.ts';
import { caseCount } from '../../setup/properties/case-count.ts';
import { Dice } from '../core/formats/protobuf/random.ts';

type Target = 'avro' | 'protobuf';

/** A schema, and a function that makes values of it: as written, and as read. */
interface Drawn {
  readonly schema: Record<string, unknown>;
  readonly make: (depth?: number) => readonly [written: unknown, read: unknown];
}

const KEYS = ['id', 'line', 'Stop', 'name', 'at_last', 'kmTotal', 'x1', '_y', 'constructor', '__proto__', 'message', 'string'];

/** Draws JSON Schemas that have a counterpart. */
class Schemas {
  readonly definitions: Record<string, unknown> = {};
  readonly #dice: Dice;
  readonly #target: Target;
  readonly #records: Drawn[] = [];

  constructor(dice: Dice, target: Target) {
    this.#dice = dice;
    this.#target = target;
  }

  scalar(): Drawn {
    const dice = this.#dice;
    const same = (schema: Record<string, unknown>, make: () => unknown): Drawn => ({
      schema,
      make: () => {
        const value = make();
        return [value, value];
      },
    });
    switch (dice.below(8)) {
      case 0:
        return same({ type: 'boolean' }, () => dice.chance(0.5));
      case 1:
        return same({ type: 'integer', minimum: -(2 ** 31), exclusiveMaximum: 2 ** 31 }, () => dice.below(2 ** 32) - 2 ** 31);
      case 2:
        return same({ type: 'integer' }, () => dice.below(2 ** 52) - 2 ** 51);
      case 3:
        return same({ type: 'number', maximum: 10 }, () => dice.below(1000) / 7);
      case 4:
        return same({ enum: ['north', 'south', '_1'] }, () => dice.pick(['north', 'south', '_1']));
      case 5:
        return same({ anyOf: [{ const: 'a b' }, { const: 'é' }] }, () => dice.pick(['a b', 'é']));
      case 6:
        return same({ enum: [1, 2.5, -3] }, () => dice.pick([1, 2.5, -3]));
      default:
        return same({ type: 'string', minLength: 1, format: 'date' }, () => 'añ€'.slice(0, dice.below(4)));
    }
  }

  any(depth: number): Drawn {
    const kind = this.#dice.below(depth > 3 ? 2 : 6);
    if (kind === 2) return this.record(depth);
    if (kind === 3) return this.list(depth);
    if (kind === 4) return this.map(depth);
    return kind === 5 && this.#records.length > 0 ? this.#dice.pick(this.#records) : this.scalar();
  }

  list(depth: number): Drawn {
    const { schema, make } = this.item(depth + 1);
    return {
      schema: { type: 'array', items: schema },
      make: (at = 0) =>
        this.#several(
          at,
          (values) => values.map(([key]) => key),
          () => make(at + 1),
        ),
    };
  }

  map(depth: number): Drawn {
    const { schema, make } = this.item(depth + 1);
    return {
      schema: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: schema },
      make: (at = 0) =>
        this.#several(
          at,
          (values) => Object.fromEntries(values.map(([value], index) => [`k ${index}`, value])),
          () => make(at + 1),
        ),
    };
  }

  #several(
    depth: number,
    join: (values: readonly (readonly [unknown])[]) => unknown,
    make: () => readonly [unknown, unknown],
  ): readonly [unknown, unknown] {
    const values = Array.from({ length: depth > 5 ? 0 : this.#dice.below(4) }, make);
    return [join(values.map(([written]) => [written])), join(values.map(([, read]) => [read]))];
  }

  /** An item of a list or map: Protocol Buffers have neither lists nor null there. */
  item(depth: number): Drawn {
    if (this.#target === 'protobuf') return this.#dice.chance(0.5) ? this.scalar() : this.record(depth);
    return this.#dice.chance(0.3) ? this.nullable(this.any(depth)) : this.any(depth);
  }

  nullable({ schema, make }: Drawn): Drawn {
    const isNull = this.#dice;
    return {
      schema:
        typeof schema['type'] === 'string' && isNull.chance(0.5)
          ? { ...schema, type: [schema['type'], 'null'] }
          : { anyOf: [schema, { type: 'null' }] },
      make: (depth = 0) => (isNull.chance(0.4) || depth > 5 ? [null, null] : make(depth)),
    };
  }

  record(depth: number): Drawn {
    const dice = this.#dice;
    const name = `record ${this.#records.length}`;
    const properties: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
    const required: string[] = [];
    const made: [key: string, absence: 'none' | 'absent' | 'null', make: Drawn['make']][] = [];
    const self: Drawn = {
      schema: { $ref: `#/$defs/${name}` },
      make: (at = 0) => {
        const written: [string, unknown][] = [];
        const read: [string, unknown][] = [];
        for (const [key, absence, make] of made) {
          const isThere = absence === 'none' || (dice.chance(0.6) && at < 6);
          const [value, expected] = isThere ? make(at + 1) : [null, null];
          if (isThere || absence === 'null') written.push([key, value]);
          if (isThere || this.#target === 'avro') read.push([key, expected]);
        }
        return [Object.fromEntries(written), Object.fromEntries(read)];
      },
    };
    this.#records.push(self);
    for (const key of KEYS) {
      if (dice.chance(0.6)) continue;
      const own = dice.chance(0.2) ? self : this.any(depth + 1);
      const isList = own.schema['items'] !== undefined || own.schema['additionalProperties'] !== undefined;
      // A record that always contains itself has no values.
      const canBeAbsent = own.schema['$ref'] !== undefined || (dice.chance(0.5) && !(isList && this.#target === 'protobuf'));
      const absence = !canBeAbsent ? 'none' : dice.chance(0.5) ? 'absent' : 'null';
      properties[key] = absence === 'null' ? this.nullable(own).schema : own.schema;
      if (absence !== 'absent') required.push(key);
      made.push([key, absence, own.make]);
    }
    // An object without keys would be a map.
    this.definitions[name] = { type: 'object', properties, required, additionalProperties: false };
    return self;
  }
}

/** Calls `check` with many random schemas and a value of each. */
function eachSchema(target: Target, check: (schema: JsonSchema, written: unknown, read: unknown) => void): void {
  for (let seed = 0; seed < caseCount(2000) / 4; seed += 1) {
    const dice = new Dice(500 + seed);
    const schemas = new Schemas(dice, target);
    const { schema, make } = target === 'avro' && dice.chance(0.3) ? schemas.any(0) : schemas.record(0);
    const root = { ...schema, $defs: schemas.definitions };
    for (let count = 0; count < 4; count += 1) {
      const [written, read] = make();
      try {
        check(root, written, read);
      } catch (error) {
        throw new Error(`seed ${seed}\n${JSON.stringify(root)}\n${JSON.stringify(written)}`, { cause: error });
      }
    }
  }
}

/** The reference libraries do not know keys that objects inherit. */
function hasReference(schema: JsonSchema): boolean {
  return !JSON.stringify(schema).includes('"__proto__"');
}

/** The value with plain objects, and without the keys that hold null where there may be none. */
function plain(value: unknown, nulls: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, nulls));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => nulls || item !== null)
      .map(([key, item]) => [key, plain(item, nulls)]),
  );
}

describe('random JSON Schemas', () => {
  test('become Avro schemas by which values are written, and read by Unspool and avsc as they were', async () => {
    const cases: (readonly [JsonSchema, unknown, unknown])[] = [];
    eachSchema('avro', (...given) => cases.push(given));
    for (const [json, written, read] of cases) {
      const made = toAvro(json);
      const schema = await compileSchema(avro, made);
      try {
        const bytes = encodeSync(avroEncoder, written, { schema });
        expect(decodeSync(avro, bytes, { schema })).toEqual(read);
        if (hasReference(json)) expect(plain(Type.forSchema(made.schema as never).fromBuffer(Buffer.from(bytes)), true)).toEqual(read);
      } catch (error) {
        throw new Error(`${JSON.stringify(json)}\n${JSON.stringify(made.schema)}\n${JSON.stringify(written)}`, { cause: error });
      }
    }
  });

  test('become .proto texts by which values are written, and read by Unspool and protobuf.js as they were', async () => {
    const cases: (readonly [JsonSchema, unknown, unknown])[] = [];
    eachSchema('protobuf', (...given) => cases.push(given));
    for (const [json, written, read] of cases) {
      const made = toProtobuf(json);
      try {
        const schema = await compileSchema(protobuf, made);
        const bytes = encodeSync(protobufEncoder, written, { schema });
        expect(decodeSync(protobuf, bytes, { schema })).toEqual(read);
        if (!hasReference(json)) continue;
        const message = protobufjs.parse(made.schema.proto, { keepCase: true }).root.lookupType(made.schema.message);
        const value = message.toObject(message.decode(bytes), { longs: Number, defaults: true, arrays: true, objects: true });
        expect(plain(value, false)).toEqual(read);
      } catch (error) {
        throw new Error(`${JSON.stringify(json)}\n${made.schema.proto}\n${JSON.stringify(written)}`, { cause: error });
      }
    }
  });
});

describe('validators that describe themselves', () => {
  const zod = z.object({ id: z.int32(), line: z.enum(['S1', 'S2']), stops: z.array(z.object({ name: z.string(), km: z.number().optional() })) });
  const ark = type({
    id: '-2147483648 <= number.integer <= 2147483647',
    line: "'S1' | 'S2'",
    stops: type({ name: 'string', 'km?': 'number' }).array(),
  });
  const valibot = v.object({
    id: v.pipe(v.number(), v.integer(), v.minValue(-2_147_483_648), v.maxValue(2_147_483_647)),
    line: v.picklist(['S1', 'S2']),
    stops: v.array(v.object({ name: v.string(), km: v.optional(v.number()) })),
  });
  const typebox = T.Object({
    id: T.Integer({ minimum: -2_147_483_648, maximum: 2_147_483_647 }),
    line: T.Union([T.Literal('S1'), T.Literal('S2')]),
    stops: T.Array(T.Object({ name: T.String(), km: T.Optional(T.Number()) })),
  });
  const trip = { id: 7, line: 'S1', stops: [{ name: 'Zoo', km: 1.5 }, { name: 'Ost' }] } as const;

  test.each([
    ['zod', zod],
    ['arktype', ark],
    ['valibot', toStandardJsonSchema(valibot)],
    ['TypeBox', typebox],
  ])('of %s give the Avro schema and the .proto of their objects', (_, schema) => {
    expect(toProtobuf(schema, { name: 'Trip' })).toEqual({
      format: 'protobuf',
      schema: {
        proto: `syntax = "proto3";

message Trip {
  int32 id = 1;
  string line = 2;
  repeated Stops stops = 3;
}

message Stops {
  string name = 1;
  optional double km = 2;
}
`,
        message: 'Trip',
      },
    });
    const { fields } = toAvro(schema, { name: 'Trip' }).schema as unknown as { fields: { name: string }[] };
    expect(fields.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'id', type: 'int' },
      { name: 'line', type: { type: 'enum', name: 'Trip_line', symbols: ['S1', 'S2'] } },
      {
        name: 'stops',
        type: {
          type: 'array',
          items: {
            type: 'record',
            name: 'Stops',
            fields: [
              { name: 'name', type: 'string' },
              { name: 'km', type: ['null', 'double'], default: null },
            ],
          },
        },
      },
    ]);
  });

  test('give decoders and encoders the type of their values', async () => {
    const encoder = createEncoder();
    const decoder = createDecoder();
    const binary = toProtobuf(zod, { name: 'Trip' });
    const bytes = await encoder.encode({ ...trip, stops: [...trip.stops] }, { schema: binary });
    const decoded = await decoder.decode(bytes, { schema: binary });
    expectTypeOf(decoded).toEqualTypeOf<z.infer<typeof zod>>();
    expectTypeOf(toAvro(ark)['~type']).toEqualTypeOf<typeof ark.infer | undefined>();
    expectTypeOf(toAvro(toStandardJsonSchema(valibot))['~type']).toEqualTypeOf<v.InferInput<typeof valibot> | undefined>();
    expectTypeOf(toAvro(typebox)['~type']).toEqualTypeOf<(typeof typebox)['static'] | undefined>();
    expect(zod.parse(decoded)).toEqual(trip);
    decoder.close();
    encoder.close();
  });

  test('name the way to one that describes itself if they do not', () => {
    expect(() => toAvro(valibot)).toThrow(
      'the schema of valibot does not describe itself as JSON Schema: convert it first, by toStandardJsonSchema of @valibot/to-json-schema',
    );
  });
});

const object = (properties: object, more: object = {}): object => ({ type: 'object', properties, required: Object.keys(properties), ...more });

describe('a JSON Schema without a counterpart', () => {
  test.each([
    ['a union (string, number)', '#/properties/a', object({ a: { type: ['string', 'number'] } })],
    ['a union (object)', '#', { anyOf: [object({ a: { type: 'string' } }), object({ b: { type: 'string' } })] }],
    ['a union (string, boolean)', '#/properties/a~1b', object({ 'a/b': { enum: ['x', true] } })],
    [
      'an object with both known and other keys',
      '#/properties/a/additionalProperties',
      object({ a: object({ b: { type: 'null' } }, { additionalProperties: {} }) }),
    ],
    ['a value of any type', '#/properties/a', object({ a: {} })],
    ['a value of any type', '#/additionalProperties', { type: 'object' }],
    ['a value of any type', '#/properties/a/items', object({ a: { type: 'array' } })],
    ['a schema without values', '#/properties/a', object({ a: false })],
    ['a constant object or array', '#/properties/a', object({ a: { const: [] } })],
    ['the type "any"', '#/properties/a', object({ a: { type: 'any' } })],
    ['the keyword prefixItems', '#/properties/a', object({ a: { type: 'array', prefixItems: [{}] } })],
    ['the keyword allOf', '#', { allOf: [object({})] }],
    ['the reference "other.json" to another document or an anchor', '#/properties/a', object({ a: { $ref: 'other.json' } })],
    [
      'a schema that contains itself without an object in between',
      '#/$defs/a',
      object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { $ref: '#/$defs/a' } } }),
    ],
    ['a schema that contains itself without an object in between', '#', { type: 'array', items: { $ref: '#' } }],
  ])('is an error that names %s and its place, %s', (part, pointer, schema) => {
    for (const [make, target] of [
      [toAvro, 'Avro'],
      [toProtobuf, 'Protocol Buffers'],
    ] as const) {
      expect(() => make(schema)).toThrow(`${part} has no counterpart in ${target} (at ${pointer} of the JSON Schema)`);
    }
  });

  test.each([
    ['the key "a-b"', '#/properties/a-b', object({ 'a-b': { type: 'string' } })],
    ['a key that may be absent as well as null', '#/properties/a', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
    ['a key that may be absent as well as null', '#/properties/a', { type: 'object', properties: { a: { type: 'null' } } }],
  ])('of Avro is an error that names %s and its place, %s', (part, pointer, schema) => {
    expect(() => toAvro(schema)).toThrow(`${part} has no counterpart in Avro (at ${pointer} of the JSON Schema)`);
  });

  test.each([
    ['a root that is not an object with known keys', '#', { type: 'array', items: { type: 'string' } }],
    ['a root that is not an object with known keys', '#', { anyOf: [object({ a: { type: 'string' } }), { type: 'null' }] }],
    ['null', '#/properties/a', object({ a: { type: 'null' } })],
    ['null in a list or map', '#/properties/a/items', object({ a: { type: 'array', items: { type: ['string', 'null'] } } })],
    [
      'a list or map directly in a list or map',
      '#/properties/a/items',
      object({ a: { type: 'array', items: { type: 'array', items: { type: 'string' } } } }),
    ],
    [
      'a list that may be absent or null as well as empty',
      '#/properties/a',
      { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } },
    ],
    [
      'a map that may be absent or null as well as empty',
      '#/properties/a',
      object({ a: { type: ['object', 'null'], additionalProperties: { type: 'string' } } }),
    ],
    ['a key that may be absent as well as null', '#/properties/a', { type: 'object', properties: { a: { type: ['string', 'null'] } } }],
  ])('of Protocol Buffers is an error that names %s and its place, %s', (part, pointer, schema) => {
    expect(() => toProtobuf(schema)).toThrow(`${part} has no counterpart in Protocol Buffers (at ${pointer} of the JSON Schema)`);
  });

  test('is an error if a reference names no part of it', () => {
    expect(() => toAvro(object({ a: { $ref: '#/$defs/b' } }))).toThrow(
      'the reference "#/$defs/b" names no part of the JSON Schema (at #/properties/a)',
    );
  });
});

test('skips the numbers that Protocol Buffers reserve', async () => {
  const made = toProtobuf(object(Object.fromEntries(Array.from({ length: 19_001 }, (_, index) => [`k${index}`, { type: 'boolean' }]))));
  expect(made.schema.proto).toContain('bool k18998 = 18999;\n  bool k18999 = 20000;');
  await expect(compileSchema(protobuf, made)).resolves.toBeDefined();
});
