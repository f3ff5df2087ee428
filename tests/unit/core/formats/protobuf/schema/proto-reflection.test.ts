import protobufjs from 'protobufjs';
import { describe, expect, test } from 'vitest';
import protobuf from '../../../../../../core/formats/protobuf/index.ts';
import { ENUM, type FieldSchema, type ProtobufSchema } from '../../../../../../core/formats/protobuf/schema/schema.ts';
import { createEncoder } from '../../../../../../main/encode.ts';
import { createDecoder, defineSchema } from '../../../../../../main/index.ts';
import { caseCount } from '../../../../../setup/properties/case-count.ts';
import { assertSame } from '../../../../../setup/ways/differential.ts';
import { Dice, randomProto, type Syntax } from '../random.ts';

const parse = (proto: string, keepCase = true): protobufjs.Root => protobufjs.parse(proto, { keepCase }).root;

/** A schema with its types in the order of their names, which each reference has too. */
function named(schema: ProtobufSchema | undefined): unknown {
  const { root, messages, enums } = schema!;
  const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);
  const field = ({ ref, ...rest }: FieldSchema): object => ({ ...rest, ref: ref < 0 ? '' : (rest.type === ENUM ? enums : messages)[ref]!.name });
  return {
    root: messages[root]!.name,
    messages: messages.map(({ fields, ...message }) => ({ ...message, fields: fields.map(field) })).toSorted(byName),
    enums: enums.toSorted(byName),
  };
}

test('reads what protobuf.js parses of a random text as the schema of the text', async () => {
  for (let seed = 0; seed < caseCount(400); seed += 1) {
    const syntax = (['proto2', 'proto3', '2023'] as Syntax[])[seed % 3]!;
    const proto = randomProto(new Dice(seed), syntax);
    const own = await protobuf.compileSchema!({ proto, message: 't.M0', strict: true });
    const root = parse(proto);
    try {
      assertSame(named(await protobuf.compileSchema!({ root, message: 't.M0' })), named(own));
      assertSame(
        await protobuf.compileSchema!(root.lookupType('t.M0')),
        await protobuf.compileSchema!({ root: JSON.parse(JSON.stringify(root)) as object, message: 't.M0' }),
      );
    } catch (error) {
      throw new Error(`seed ${seed}:\n${proto}\n${JSON.stringify(root)}`, { cause: error });
    }
  }
});

test('decodes and encodes by a type of protobuf.js as it does itself', async () => {
  const root = protobufjs.parse(
    'syntax = "proto3"; package a; message Trip { int32 start_id = 1; repeated Stop stops = 2; map<string, int32> m = 3; message Stop { double x = 1; } }',
  ).root;
  const type = root.lookupType('a.Trip');
  const value = { startId: 7, stops: [{ x: 1.5 }], m: { a: 1 } };
  const schema = defineSchema<typeof value>({ format: 'protobuf', schema: type });
  const decoder = createDecoder({ schemas: { trip: schema, json: { format: 'protobuf', schema: { root: root.toJSON(), message: 'a.Trip' } } } });
  const bytes = await createEncoder().encode(value, { schema });
  expect(bytes).toEqual(new Uint8Array(type.encode(value).finish()));
  expect((await decoder.decode(bytes, { schema: 'trip' })).stops[0]!.x).toBe(1.5);
  expect(await decoder.decode(bytes, { schema: 'json' })).toEqual(value);
  expect(await decoder.decode(bytes, { format: 'protobuf', schema: { root, message: 'a.Trip' } })).toEqual(value);
  decoder.close();
});

describe('rejects', () => {
  const M = (fields: object, more: object = {}): object => ({ nested: { M: { fields, ...more } } });
  let deep: object = { fields: {} };
  for (let depth = 0; depth < 200; depth += 1) deep = { nested: { N: deep } };

  test.each([
    [M({ a: { type: 'Nothing', id: 1 } }), 'the type Nothing of M.a is not defined'],
    [M({ a: { id: 1 } }), 'the field a of M has no type'],
    [M({ a: { type: 'int32' } }), 'the field a has no id'],
    [M({}, { edition: '2099' }), 'unknown edition 2099'],
    [{ nested: { x: deep, M: { fields: {} } } }, 'types are nested more than 100 levels deep'],
    [{ nested: { ['x'.repeat(600)]: { fields: {} }, M: { fields: {} } } }, 'a full name of more than 500 characters'],
    [{ nested: { N: { fields: {} } } }, 'unknown message M'],
  ])('%#: $1', async (root, message) => {
    const compile = async (): Promise<unknown> => protobuf.compileSchema!({ root, message: 'M' }, 'mine');
    await expect(compile()).rejects.toMatchObject({ name: 'SchemaError', schema: 'mine', message: expect.stringContaining(message) as string });
  });
});
