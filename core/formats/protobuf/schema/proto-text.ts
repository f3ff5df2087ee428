import { SchemaError } from '../../../errors.ts';
import { checkName, type Definitions } from './definitions.ts';
import { type DescriptorFile, descriptorsOf } from './descriptor-objects.ts';
import { definitionsOf } from './descriptor-set.ts';
import type { Descriptor, FieldDescriptor, FileDescriptor } from './descriptors.ts';
import { parseProto } from './proto-parser.ts';
import { ENUM, GROUP, MESSAGE } from './schema.ts';

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

const WELL_KNOWN_MESSAGES: Readonly<Record<string, string>> = {
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
const WELL_KNOWN_FILES: ReadonlyMap<string, string> = new Map(
  Object.entries(WELL_KNOWN_MESSAGES).map(([name, text]) => [`google/protobuf/${name}.proto`, `syntax = "proto3"; package google.protobuf; ${text}`]),
);

/** Definitions by the descriptor of a message of protobuf-es. */
export function readDescriptor(file: DescriptorFile): Definitions {
  return definitionsOf(descriptorsOf(file));
}

/** `.proto` texts by the path that imports them. */
type Imports = Readonly<Record<string, string>>;

/** Problems that are listed. */
const MAX_PROBLEMS = 100;
/** Limit on the characters of all texts together. */
const MAX_LENGTH = 16_000_000;

/**
 * Reads the definitions of a `.proto` text and its imports. The well-known types of `google/protobuf` need not be
 * given. Other files that are missing are returned as `absent`, and matter only if one of their types is used. `problems` is what
 * protoc refuses although its meaning is plain.
 */
export function readProtoText(text: string, imports: Imports): { definitions: Definitions; absent: string[]; problems: string[] } {
  const files: FileDescriptor[] = [];
  const problems: string[] = [];
  const absent: string[] = [];
  const seen = new Set<string>();
  const queue: [file: string, text: string][] = [['', text]];
  let length = 0;
  for (const [file, source] of queue) {
    length += source.length;
    if (length > MAX_LENGTH) throw new SchemaError(`the .proto texts have more than ${MAX_LENGTH} characters`);
    const found: string[] = [];
    const parsed = inFile(file, () => parseProto(source, found));
    parsed.name = file;
    files.push(parsed);
    for (const problem of found) problems.push(file === '' ? problem : `${file}: ${problem}`);
    for (const path of parsed.dependency) {
      if (seen.has(path)) continue;
      seen.add(path);
      const given = Object.hasOwn(imports, path) ? imports[path] : WELL_KNOWN_FILES.get(path);
      if (given === undefined) absent.push(path);
      else queue.push([path, given]);
    }
  }
  for (const path of absent) problems.push(`the imported file ${path} is not in imports`);
  resolveNames(files, problems);
  return { definitions: definitionsOf(files), absent, problems };
}

/** The full name of a message by its index in the text, and by those of the messages nested in it. Entries of maps do not count. */
export function messageAt(text: string, indexes: readonly number[]): string {
  const { package: scope = '', message_type: first } = parseProto(text);
  let messages: readonly Descriptor[] = first;
  const names = scope === '' ? [] : [scope];
  for (const index of indexes) {
    const message = messages.filter(({ options }) => !options?.map_entry)[index];
    if (!message) throw new SchemaError(`the .proto text has no message with the index ${indexes.join('.')}`);
    names.push(message.name!);
    messages = message.nested_type;
  }
  return names.join('.');
}

function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SchemaError && file !== '' ? new SchemaError(`${file}: ${error.reason}`) : error;
  }
}

/** Resolves the type names of fields to full names and kinds, where these are defined. */
function resolveNames(files: readonly FileDescriptor[], problems: string[]): void {
  const kinds = new Map<string, number>();
  const origins = new Map<string, string>();
  let path = '';
  const define = (name: string, kind: number): void => {
    if (kinds.has(checkName(name))) throw new SchemaError(`${name} is defined twice`);
    kinds.set(name, kind);
    origins.set(name, path);
  };
  const uses: [field: FieldDescriptor, scope: string, path: string][] = [];
  const visit = (message: Descriptor, outer: string): void => {
    const scope = `${outer}${message.name}`;
    define(scope, MESSAGE);
    for (const field of message.field) uses.push([field, scope, path]);
    for (const field of message.extension) uses.push([field, scope, path]);
    for (const { name } of message.enum_type) define(`${scope}.${name}`, ENUM);
    for (const nested of message.nested_type) visit(nested, `${scope}.`);
  };
  for (const file of files) {
    path = file.name!;
    const scope = file.package ?? '';
    const outer = scope === '' ? '' : `${scope}.`;
    for (const { name } of file.enum_type) define(`${outer}${name}`, ENUM);
    for (const message of file.message_type) visit(message, outer);
    for (const field of file.extension) uses.push([field, scope, path]);
  }
  const visible = visibleFiles(files);
  for (const [field, scope, user] of uses) {
    if (field.extendee !== undefined) field.extendee = fullName(field.extendee, scope, kinds);
    if (field.type_name === undefined) continue;
    field.type_name = fullName(field.type_name, scope, kinds);
    if (field.type !== GROUP) field.type = kinds.get(field.type_name) ?? 0;
    const origin = origins.get(field.type_name);
    if (origin !== undefined && problems.length < MAX_PROBLEMS && !visible(user).has(origin))
      problems.push(`${user === '' ? '' : `${user}: `}${scope}.${field.name} has the type ${field.type_name} of ${origin}, which must be imported`);
  }
}

/** The files whose types each file may use: itself, those that it imports, and those that these import publicly. */
function visibleFiles(files: readonly FileDescriptor[]): (path: string) => ReadonlySet<string> {
  const byPath = new Map(files.map((file) => [file.name!, file]));
  const known = new Map<string, ReadonlySet<string>>();
  return (path) => {
    const found = known.get(path);
    if (found) return found;
    const visible = new Set(byPath.get(path)!.dependency);
    for (const each of visible) for (const next of byPath.get(each)?.public_dependency ?? []) visible.add(next);
    known.set(path, visible.add(path));
    return visible;
  };
}

/** Resolves a name in the scope where it is used, then outwards. A name that begins with a dot is full. */
function fullName(name: string, scope: string, kinds: ReadonlyMap<string, number>): string {
  if (name.startsWith('.')) return name.slice(1);
  checkName(scope);
  for (let enclosing = scope; enclosing !== ''; enclosing = enclosing.slice(0, Math.max(0, enclosing.lastIndexOf('.')))) {
    if (kinds.has(`${enclosing}.${name}`)) return `${enclosing}.${name}`;
  }
  return name;
}
