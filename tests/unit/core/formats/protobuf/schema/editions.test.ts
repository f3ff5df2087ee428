import { create, toBinary } from '@bufbuild/protobuf';
import { Edition, FieldDescriptorProto_Label as Label, FieldDescriptorProto_Type as Type, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import protobuf from '../../../../../../core/formats/protobuf/index.ts';
import { decodeWith } from '../../../../../setup/ways/differential.ts';

/** The schema of a message with a repeated number, as protoc describes it in an edition. */
async function described(edition: Edition): Promise<unknown> {
  const list = { name: 'list', number: 1, label: Label.REPEATED, type: Type.INT32 };
  const one = { name: 'one', number: 2, label: Label.OPTIONAL, type: Type.INT32 };
  const set = create(FileDescriptorSetSchema, { file: [{ name: 'm.proto', edition, messageType: [{ name: 'M', field: [list, one] }] }] });
  return await protobuf.compileSchema!({ descriptorSet: toBinary(FileDescriptorSetSchema, set), message: 'M' });
}

describe('the edition of a file', () => {
  test.each(['2023', '2024'])('may be %s in a .proto', async (edition) => {
    const schema = await protobuf.compileSchema!({ proto: `edition = "${edition}"; message M { int32 x = 1; }`, message: 'M' });
    expect(decodeWith(protobuf, Uint8Array.of(8, 5), { schema })).toEqual({ x: 5 });
  });

  test.each(['2099', 'UNSTABLE', 'proto3', '', '2023 '])('is rejected in a .proto if it is "%s", whose defaults are not known', (edition) => {
    const compile = async (): Promise<unknown> =>
      await protobuf.compileSchema!({ proto: `edition = "${edition}"; message M { int32 x = 1; }`, message: 'M' });
    return expect(compile()).rejects.toMatchObject({
      name: 'SchemaError',
      message: expect.stringContaining(`unknown edition "${edition}"; expected 2023 or 2024`) as string,
    });
  });

  test.each([Edition.EDITION_2023, Edition.EDITION_2024])('has explicit presence in a descriptor set of %i', async (edition) => {
    expect(decodeWith(protobuf, new Uint8Array(), { schema: await described(edition) })).toEqual({ list: [] });
  });

  test('means the syntax of the same name for proto2 and proto3', async () => {
    expect(decodeWith(protobuf, new Uint8Array(), { schema: await described(Edition.EDITION_PROTO3) })).toEqual({ list: [], one: 0 });
    expect(decodeWith(protobuf, new Uint8Array(), { schema: await described(Edition.EDITION_PROTO2) })).toEqual({ list: [] });
  });

  test.each([Edition.EDITION_UNSTABLE, 1099, Edition.EDITION_LEGACY])('is rejected in a descriptor set if it is %i', async (edition) => {
    await expect(described(edition)).rejects.toMatchObject({
      name: 'SchemaError',
      message: expect.stringContaining(`unknown edition ${edition} of the file m.proto`) as string,
    });
  });
});
