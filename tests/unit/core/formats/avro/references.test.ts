import { expect, test } from 'vitest';
import { compileAvroSchema } from '../../../../../core/formats/avro/compile-schema.ts';
import type { AvroSchemaInput, AvroSchemaJson } from '../../../../../core/formats/avro/options.ts';
import { canonicalForm } from '../../../../../core/formats/avro/schema/fingerprint.ts';
import { withReferences } from '../../../../../core/formats/avro/schema/references.ts';
import { createEncoder } from '../../../../../main/encode.ts';
import { createDecoder } from '../../../../../main/index.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { Dice, forSchema, type Json, nameOf, SchemaMaker } from './random.ts';

const address = { type: 'record', name: 'Address', namespace: 'shop', fields: [{ name: 'city', type: 'string' }] };
const person = {
  type: 'record',
  name: 'Person',
  namespace: 'shop',
  fields: [
    { name: 'home', type: 'Address' },
    { name: 'work', type: ['null', 'shop.Address'] },
  ],
};
const order = {
  type: 'record',
  name: 'Order',
  namespace: 'sales',
  fields: [
    { name: 'by', type: 'shop.Person' },
    { name: 'items', type: { type: 'array', items: { type: 'map', values: 'shop.Address' } } },
  ],
};
const canonical = (schema: AvroSchemaInput): string => canonicalForm(compileAvroSchema(schema).writerSchema!);

test('reads and writes Avro by schemas that refer to each other, in any order', async () => {
  const value = { by: { home: { city: 'Lyon' }, work: null }, items: [{ a: { city: 'Kyiv' } }] };
  const encoder = createEncoder();
  const decoder = createDecoder();
  for (const references of [
    [address, person],
    [JSON.stringify(person), JSON.stringify(address)],
  ]) {
    const schema = { schema: order, references };
    const bytes = await encoder.encode(value, { format: 'avro', schema });
    expect(await decoder.decode(bytes, { format: 'avro', schema })).toEqual(value);
    // The header of a container has all definitions.
    const file = await encoder.encode([value], { format: 'avro', schema, options: { framing: 'container' } });
    expect(await decoder.decode(file)).toEqual([value]);
    const longer = { ...address, fields: [...address.fields, { name: 'country', type: 'string', default: '?' }] };
    const resolved = await decoder.decode(bytes, {
      format: 'avro',
      schema: { writer: schema, reader: { schema: order, references: [longer, person] } },
    });
    expect(resolved).toEqual({ by: { home: { city: 'Lyon', country: '?' }, work: null }, items: [{ a: { city: 'Kyiv', country: '?' } }] });
  }
  decoder.close();
});

test('takes copies of a type in several files, and files that refer to each other in a circle', () => {
  const copy = { ...person, fields: [{ name: 'home', type: address }, person.fields[1]] };
  expect(canonical({ schema: order, references: [copy, address] })).toBe(canonical({ schema: order, references: [person, address] }));
  const one = { type: 'record', name: 'One', fields: [{ name: 'two', type: ['null', 'Two'] }] };
  const two = { type: 'record', name: 'Two', fields: [{ name: 'one', type: ['null', 'One'] }] };
  const ring = { ...one, fields: [{ name: 'two', type: ['null', { ...two }] }] };
  expect(canonical({ schema: one, references: [two] })).toBe(canonical(ring));
  expect(canonical({ schema: one, references: [two, one] })).toBe(canonical(ring));
});

test.each<[unknown, string]>([
  [{ schema: order, references: [person] }, 'the Avro type Address is not defined'],
  [{ schema: order, references: [person, address, { ...address, fields: [] }] }, 'the Avro type shop.Address is defined twice, and differently'],
  [{ schema: order, references: 'Person' }, 'the references of an Avro schema must be a list of schemas'],
  [{ schema: order, references: ['{'] }, 'an Avro schema that is not JSON'],
  [{ schema: { type: 'array' }, references: [] }, 'requires the type of its items'],
  [{ schema: null, references: [null, { type: 'record', name: 'A', fields: [null] }] }, 'invalid Avro type: null'],
])('names what is wrong with an Avro schema and its references: %j', (schema, message) => {
  expect(() => compileAvroSchema(schema as AvroSchemaInput)).toThrow(message);
});

test('joins a schema that was split into files to the same schema', () => {
  for (let seed = 0; seed < caseCount(400); seed += 1) {
    const dice = new Dice(seed);
    const whole = new SchemaMaker(dice).make(4);
    const references: Json[] = [];
    const split = cut(whole, references, true);
    const json = withReferences(split, dice.shuffled(references));
    expect(canonical(json as AvroSchemaJson), `seed ${seed}`).toBe(canonical(whole as AvroSchemaJson));
    // avsc has no way back from a namespace to a name without one.
    if (!JSON.stringify(json).includes('"namespace":""')) forSchema(json);
  }
});

/** Moves each named type inside a schema to a file of its own. */
function cut(json: Json, files: Json[], isRoot = false): Json {
  if (typeof json === 'string') return json;
  if (Array.isArray(json)) return json.map((branch) => cut(branch, files));
  const { items, values, fields } = json as Record<string, Json | undefined>;
  const parts = {
    ...json,
    ...(items !== undefined && { items: cut(items, files) }),
    ...(values !== undefined && { values: cut(values, files) }),
    ...(fields !== undefined && { fields: (fields as { type: Json }[]).map((field) => ({ ...field, type: cut(field.type, files) })) }),
  };
  if (isRoot || json['name'] === undefined) return parts;
  files.push(parts);
  return nameOf(json);
}
