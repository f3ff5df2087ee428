/** The parts of descriptor.proto that are read. Lists are never missing. */
export interface FeatureSet {
  field_presence?: number;
  enum_type?: number;
  repeated_field_encoding?: number;
  utf8_validation?: number;
  message_encoding?: number;
}

/** The options of a file, message, field, oneof or enum. */
export interface Options {
  features?: FeatureSet;
  map_entry?: boolean;
  packed?: boolean;
}

/** A FieldDescriptorProto. */
export interface FieldDescriptor {
  name?: string;
  extendee?: string;
  number?: number;
  label?: number;
  type?: number;
  type_name?: string;
  default_value?: string;
  options?: Options;
  oneof_index?: number;
  json_name?: string;
  proto3_optional?: boolean;
}

/** An EnumDescriptorProto. */
export interface EnumDescriptor {
  name?: string;
  value: { name?: string; number?: number }[];
  options?: Options;
}

/** A DescriptorProto. */
export interface Descriptor {
  name?: string;
  field: FieldDescriptor[];
  nested_type: Descriptor[];
  enum_type: EnumDescriptor[];
  extension: FieldDescriptor[];
  options?: Options;
  oneof_decl: { name?: string; options?: Options }[];
}

/** A FileDescriptorProto. */
export interface FileDescriptor {
  name?: string;
  package?: string;
  dependency: string[];
  /** Public imports, which are also in `dependency`; set by the reader of texts alone. */
  public_dependency?: string[];
  message_type: Descriptor[];
  enum_type: EnumDescriptor[];
  extension: FieldDescriptor[];
  options?: Options;
  syntax?: string;
  edition?: number;
}

/** Labels of a field. */
export const OPTIONAL = 1;
export const REQUIRED = 2;
export const REPEATED = 3;

/** Values of the enums in FeatureSet. */
export const EXPLICIT = 1;
export const IMPLICIT = 2;
export const LEGACY_REQUIRED = 3;
export const OPEN = 1;
export const CLOSED = 2;
export const PACKED = 1;
export const EXPANDED = 2;
export const VERIFY = 2;
export const NONE = 3;
export const LENGTH_PREFIXED = 1;
export const DELIMITED = 2;

/** Numbers of the value names, by feature. */
export const FEATURE_VALUES: Readonly<Record<keyof FeatureSet, Readonly<Record<string, number>>>> = {
  field_presence: { EXPLICIT, IMPLICIT, LEGACY_REQUIRED },
  enum_type: { OPEN, CLOSED },
  repeated_field_encoding: { PACKED, EXPANDED },
  utf8_validation: { VERIFY, NONE },
  message_encoding: { LENGTH_PREFIXED, DELIMITED },
};
