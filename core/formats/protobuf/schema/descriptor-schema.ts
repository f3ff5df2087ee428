import { BOOL, BYTES, ENUM, INT32, MESSAGE, type MessageSchema, type ProtobufSchema, STRING } from './schema.ts';

/** `name number type` of the fields that are read, with `*` for a list; for a message, the type is its name. */
export const MESSAGES: Readonly<Record<string, readonly string[]>> = {
  FileDescriptorSet: ['file 1 FileDescriptorProto*'],
  FileDescriptorProto: [
    'name 1 string',
    'package 2 string',
    'dependency 3 string*',
    'message_type 4 DescriptorProto*',
    'enum_type 5 EnumDescriptorProto*',
    'extension 7 FieldDescriptorProto*',
    'options 8 FileOptions',
    'syntax 12 string',
    'edition 14 enum',
  ],
  DescriptorProto: [
    'name 1 string',
    'field 2 FieldDescriptorProto*',
    'nested_type 3 DescriptorProto*',
    'enum_type 4 EnumDescriptorProto*',
    'extension 6 FieldDescriptorProto*',
    'options 7 MessageOptions',
    'oneof_decl 8 OneofDescriptorProto*',
  ],
  FieldDescriptorProto: [
    'name 1 string',
    'extendee 2 string',
    'number 3 int32',
    'label 4 enum',
    'type 5 enum',
    'type_name 6 string',
    'default_value 7 string',
    'options 8 FieldOptions',
    'oneof_index 9 int32',
    'json_name 10 string',
    'proto3_optional 17 bool',
  ],
  OneofDescriptorProto: ['name 1 string', 'options 2 OneofOptions'],
  EnumDescriptorProto: ['name 1 string', 'value 2 EnumValueDescriptorProto*', 'options 3 EnumOptions'],
  EnumValueDescriptorProto: ['name 1 string', 'number 2 int32'],
  FileOptions: ['features 50 FeatureSet'],
  MessageOptions: ['map_entry 7 bool', 'features 12 FeatureSet'],
  FieldOptions: ['packed 2 bool', 'features 21 FeatureSet'],
  OneofOptions: ['features 1 FeatureSet'],
  EnumOptions: ['features 7 FeatureSet'],
  FeatureSet: ['field_presence 1 enum', 'enum_type 2 enum', 'repeated_field_encoding 3 enum', 'utf8_validation 4 enum', 'message_encoding 5 enum'],
};

const TYPES: Readonly<Record<string, number>> = { string: STRING, int32: INT32, bool: BOOL, bytes: BYTES, enum: ENUM };

/** Schema of a FileDescriptorSet: the parts of descriptor.proto that are read. */
export function descriptorSchema(): ProtobufSchema {
  const names = Object.keys(MESSAGES);
  const messages: MessageSchema[] = names.map((name) => ({
    name,
    fields: MESSAGES[name]!.map((line) => {
      const [field, number, typeText] = line.split(' ') as [string, string, string];
      const typeName = typeText.replace('*', '');
      const type = TYPES[typeName] ?? MESSAGE;
      const ref = type === MESSAGE ? names.indexOf(typeName) : type === ENUM ? 0 : -1;
      const repeated = typeText.endsWith('*');
      return {
        name: field,
        jsonName: field,
        number: Number(number),
        type,
        ref,
        repeated,
        presence: 'explicit',
        oneof: -1,
        default: undefined,
        packed: false,
        utf8: true,
      };
    }),
    oneofs: [],
    mapEntry: false,
  }));
  return { root: 0, messages, enums: [{ name: 'number', closed: false, names: [], numbers: [] }] };
}
