import { SchemaError } from '../../../errors.ts';
import { COMMON } from '../common.ts';
import { checkName, type Definitions } from './definitions.ts';
import { definitionsOf } from './descriptor-set.ts';
import type { Descriptor, FieldDescriptor, FileDescriptor } from './descriptors.ts';
import { parseProto } from './proto-parser.ts';
import { ENUM, GROUP, MESSAGE } from './schema.ts';

/** `.proto` texts by the path that imports them. */
export type Imports = Readonly<Record<string, string>>;

/** Limit on the characters of all texts together. */
const LONGEST = 16_000_000;

/**
 * Reads the definitions of a `.proto` text and its imports. The well-known types of `google/protobuf` need not be
 * given. Other files that are missing are returned as `absent`, and matter only if one of their types is used.
 */
export function readProtoText(text: string, imports: Imports): { definitions: Definitions; absent: string[] } {
  const files: FileDescriptor[] = [];
  const absent: string[] = [];
  const seen = new Set<string>();
  const queue: [file: string, text: string][] = [['', text]];
  let length = 0;
  for (const [file, source] of queue) {
    length += source.length;
    if (length > LONGEST) throw new SchemaError(`.proto texts of more than ${LONGEST} characters`);
    const parsed = inFile(file, () => parseProto(source));
    files.push(parsed);
    for (const path of parsed.dependency) {
      if (seen.has(path)) continue;
      seen.add(path);
      const given = Object.hasOwn(imports, path) ? imports[path] : COMMON.get(path);
      if (given === undefined) absent.push(path);
      else queue.push([path, given]);
    }
  }
  resolveNames(files);
  return { definitions: definitionsOf(files), absent };
}

function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SchemaError && file !== '' ? new SchemaError(`${file}: ${error.reason}`) : error;
  }
}

/** Resolves the type names of fields to full names and kinds, where these are defined. */
function resolveNames(files: readonly FileDescriptor[]): void {
  const kinds = new Map<string, number>();
  const define = (name: string, kind: number): void => {
    if (kinds.has(checkName(name))) throw new SchemaError(`${name} is defined twice`);
    kinds.set(name, kind);
  };
  const uses: [field: FieldDescriptor, scope: string][] = [];
  const visit = (message: Descriptor, outer: string): void => {
    const scope = `${outer}${message.name}`;
    define(scope, MESSAGE);
    for (const field of message.field) uses.push([field, scope]);
    for (const field of message.extension) uses.push([field, scope]);
    for (const { name } of message.enum_type) define(`${scope}.${name}`, ENUM);
    for (const nested of message.nested_type) visit(nested, `${scope}.`);
  };
  for (const file of files) {
    const scope = file.package ?? '';
    const outer = scope === '' ? '' : `${scope}.`;
    for (const { name } of file.enum_type) define(`${outer}${name}`, ENUM);
    for (const message of file.message_type) visit(message, outer);
    for (const field of file.extension) uses.push([field, scope]);
  }
  for (const [field, scope] of uses) {
    if (field.extendee !== undefined) field.extendee = fullName(field.extendee, scope, kinds);
    if (field.type_name === undefined) continue;
    field.type_name = fullName(field.type_name, scope, kinds);
    if (field.type !== GROUP) field.type = kinds.get(field.type_name) ?? 0;
  }
}

/** Resolves a name in the scope where it is used, then outwards. A name that begins with a dot is full. */
function fullName(name: string, scope: string, kinds: ReadonlyMap<string, number>): string {
  if (name.startsWith('.')) return name.slice(1);
  checkName(scope);
  for (let inner = scope; inner !== ''; inner = inner.slice(0, Math.max(0, inner.lastIndexOf('.')))) {
    if (kinds.has(`${inner}.${name}`)) return `${inner}.${name}`;
  }
  return name;
}
