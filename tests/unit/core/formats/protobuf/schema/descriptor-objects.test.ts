import { create, createFileRegistry, type DescFile, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  ApiSchema,
  Edition,
  FeatureSet_RepeatedFieldEncoding as Encoding,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  StructSchema,
  TimestampSchema,
  timestampFromMs,
} from '@bufbuild/protobuf/wkt';
import { expect, test } from 'vitest';
import protobuf from '../../../../../../core/formats/protobuf/index.ts';
import { createEncoder } from '../../../../../../main/encode.ts';
import { createDecoder, defineSchema } from '../../../../../../main/index.ts';
import { openFolder } from '../../../../../setup/servers/folders.ts';

/** A file and those that it imports, directly or not, as protoc writes them. */
function descriptorSet(file: DescFile): Uint8Array {
  const files = new Set([file]);
  for (const { dependencies } of files) for (const each of dependencies) files.add(each);
  return toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: [...files].map(({ proto }) => proto) }));
}

test('takes the messages of protobuf-es for the schemas that their descriptor sets are', async () => {
  const fixtures = (await openFolder('fixtures', 'protobuf'))!;
  const set = fromBinary(FileDescriptorSetSchema, await fixtures.bytes('everything.desc'));
  const list = {
    name: 'list',
    number: 1,
    label: Label.REPEATED,
    type: Type.INT32,
    options: { features: { repeatedFieldEncoding: Encoding.EXPANDED } },
  };
  const one = { name: 'one', number: 2, label: Label.OPTIONAL, type: Type.INT32, defaultValue: '7' };
  const edition = { name: 'm.proto', syntax: 'editions', edition: Edition.EDITION_2023, messageType: [{ name: 'M', field: [list, one] }] };
  set.file.push(create(FileDescriptorSetSchema, { file: [edition] }).file[0]!);
  const own = [...createFileRegistry(set)].filter((each): each is DescMessage => each.kind === 'message');
  expect(own.length).toBeGreaterThan(4);
  for (const message of [...own, StructSchema, ApiSchema, FileDescriptorProtoSchema]) {
    const expected = await protobuf.compileSchema!({ descriptorSet: descriptorSet(message.file), message: message.typeName });
    expect(await protobuf.compileSchema!(message), message.typeName).toEqual(expected);
  }
});

test('encodes and decodes by a message of protobuf-es, named or given in the call', async () => {
  const schema = defineSchema<{ seconds: number; nanos: number }>({ format: 'protobuf', schema: TimestampSchema });
  const bytes = await createEncoder().encode({ seconds: 5, nanos: 1_000_000 }, { schema });
  expect(bytes).toEqual(toBinary(TimestampSchema, timestampFromMs(5001)));
  const decoder = createDecoder({ schemas: { time: schema } });
  expect((await decoder.decode(bytes, { schema: 'time' })).seconds).toBe(5);
  expect(await decoder.decode(bytes, { format: 'protobuf', schema: TimestampSchema })).toEqual({ seconds: 5, nanos: 1_000_000 });
  decoder.close();
});
