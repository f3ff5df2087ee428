import { create, toBinary } from '@bufbuild/protobuf';
import {
  Edition,
  FeatureSet_MessageEncoding,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import { assertSame, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';

const proto = `
  edition = "2023";
  option features.message_encoding = DELIMITED;
  message M { map<int32, int32> m = 1; map<int32, S> n = 2; S s = 3; message S { int32 x = 1; } }`;

const number = (name: string, number: number) => ({ name, number, label: Label.OPTIONAL, type: Type.INT32 });
const message = (name: string, number: number, typeName: string, label = Label.REPEATED) => ({ name, number, label, type: Type.MESSAGE, typeName });
const entry = (name: string, value: object) => ({ name, field: [number('key', 1), value], options: { mapEntry: true } });

/** The descriptor set that protoc produces for the text. */
const descriptorSet = toBinary(
  FileDescriptorSetSchema,
  create(FileDescriptorSetSchema, {
    file: [
      {
        name: 'm.proto',
        syntax: 'editions',
        edition: Edition.EDITION_2023,
        options: { features: { messageEncoding: FeatureSet_MessageEncoding.DELIMITED } },
        messageType: [
          {
            name: 'M',
            field: [message('m', 1, '.M.MEntry'), message('n', 2, '.M.NEntry'), message('s', 3, '.M.S', Label.OPTIONAL)],
            nestedType: [
              entry('MEntry', number('value', 2)),
              entry('NEntry', message('value', 2, '.M.S', Label.OPTIONAL)),
              { name: 'S', field: [number('x', 1)] },
            ],
          },
        ],
      },
    ],
  }),
);

describe.each([
  ['text', { proto }],
  ['descriptors', { descriptorSet }],
])('Protocol Buffers maps with delimited encoding, declared by %s', async (_, input) => {
  const schema = await protobuf.compileSchema!({ ...input, message: 'M' });

  test.each([
    ['entries of a map have a length', '0a0408051006', { m: { 5: 6 }, n: {} }],
    ['messages in a map have a length', '1206080112020807', { m: {}, n: { 1: { x: 7 } } }],
    ['a group with the number of a map is unknown', '0b080510060c', { m: {}, n: {} }],
    ['a message outside of maps is delimited', '1b08071c', { m: {}, n: {}, s: { x: 7 } }],
    ['a message outside of maps that has a length is unknown', '1a020807', { m: {}, n: {} }],
  ])('decodes an entry: %s', (_title, bytes, value) => {
    assertSame(sameInEveryCut(protobuf, hex(bytes), { schema, options: { defaults: 'implicit' } }), { value });
  });

  test('treats a group in an entry as an unknown field, and the value as missing', () => {
    const { value } = sameInEveryCut(protobuf, hex('1206080113080714'), { schema }) as { value: { n: unknown } };
    expect(value.n).toEqual({ 1: {} });
  });
});
