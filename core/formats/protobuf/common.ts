const WRAPPERS = [
  ['Double', 'double'],
  ['Float', 'float'],
  ['Int64', 'int64'],
  ['UInt64', 'uint64'],
  ['Int32', 'int32'],
  ['UInt32', 'uint32'],
  ['Bool', 'bool'],
  ['String', 'string'],
  ['Bytes', 'bytes'],
];

const FILES: Readonly<Record<string, string>> = {
  any: 'message Any { string type_url = 1; bytes value = 2; }',
  duration: 'message Duration { int64 seconds = 1; int32 nanos = 2; }',
  empty: 'message Empty {}',
  field_mask: 'message FieldMask { repeated string paths = 1; }',
  struct: `
    message Struct { map<string, Value> fields = 1; }
    message Value {
      oneof kind {
        NullValue null_value = 1; double number_value = 2; string string_value = 3; bool bool_value = 4; Struct struct_value = 5;
        ListValue list_value = 6;
      }
    }
    enum NullValue { NULL_VALUE = 0; }
    message ListValue { repeated Value values = 1; }`,
  timestamp: 'message Timestamp { int64 seconds = 1; int32 nanos = 2; }',
  wrappers: WRAPPERS.map(([name, type]) => `message ${name}Value { ${type} value = 1; }`).join('\n'),
};

/** Texts of the well-known types by path (https://protobuf.dev/reference/protobuf/google.protobuf). */
export const COMMON: ReadonlyMap<string, string> = new Map(
  Object.entries(FILES).map(([name, text]) => [`google/protobuf/${name}.proto`, `syntax = "proto3"; package google.protobuf; ${text}`]),
);
