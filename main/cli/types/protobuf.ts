import { compileProtobufSchema } from '../../../core/formats/protobuf/compile-schema.ts';
import { type Definitions, link } from '../../../core/formats/protobuf/schema/definitions.ts';
import { readDescriptorSet } from '../../../core/formats/protobuf/schema/descriptor-set.ts';
import { readProtoText } from '../../../core/formats/protobuf/schema/proto-text.ts';
import {
  BOOL,
  BYTES,
  ENUM,
  type FieldSchema,
  FIXED64,
  GROUP,
  INT64,
  MESSAGE,
  type ProtobufSchema,
  SFIXED64,
  SINT64,
  STRING,
  UINT64,
} from '../../../core/formats/protobuf/schema/schema.ts';
import { SchemaError } from '../../../core/errors.ts';
import { Declarations, listType } from './declarations.ts';
import type { SchemaFile } from '../schema-file.ts';

const LONG = [INT64, UINT64, SINT64, FIXED64, SFIXED64];
/** Messages that every schema may use, and declares only if it does. */
const GOOGLE = 'google.protobuf.';

/** Types of the messages of a `.proto` or a FileDescriptorSet: of one and those it uses, or of all. */
export async function protobufTypes({ content, imports }: SchemaFile, root: string | undefined, warn: (problem: string) => void): Promise<string> {
  if (typeof content === 'string') for (const problem of readProtoText(content, imports).problems) warn(problem);
  if (root !== undefined) {
    const source = typeof content === 'string' ? { proto: content, imports } : { descriptorSet: content };
    const schema = await compileProtobufSchema({ ...source, message: root });
    return write(schema, [schema.root]);
  }
  const { definitions, absent } = typeof content === 'string' ? readProtoText(content, imports) : readDescriptorSet(content);
  const roots = rootsOf(definitions);
  const first = definitions.messages[roots[0] ?? -1];
  if (!first) throw new SchemaError('the schema has no messages');
  return write(link(definitions, first.name, absent), roots);
}

function rootsOf({ messages }: Definitions): number[] {
  return messages.flatMap(({ mapEntry, name }, index) => (mapEntry || name.startsWith(GOOGLE) ? [] : [index]));
}

function write({ messages, enums }: ProtobufSchema, roots: readonly number[]): string {
  const declarations = new Declarations([...messages.filter(({ mapEntry }) => !mapEntry), ...enums].map(({ name }) => name));
  const message = (index: number): string => {
    const { name, fields } = messages[index]!;
    declarations.object(name, () => fields.map((field) => ({ name: field.jsonName, type: fieldType(field), isOptional: !isAlwaysPresent(field) })));
    return declarations.name(name);
  };
  const valueType = ({ type, ref }: FieldSchema): string => {
    if (type === ENUM) {
      const { name, names, numbers, closed } = enums[ref]!;
      declarations.numbers(
        name,
        names.map((each, index) => [each, numbers[index]!]),
        closed ? undefined : 'number',
      );
      return declarations.name(name);
    }
    if (type === MESSAGE || type === GROUP) return message(ref);
    if (type === STRING) return 'string';
    if (type === BYTES) return 'Uint8Array';
    if (type === BOOL) return 'boolean';
    return LONG.includes(type) ? 'number | bigint' : 'number';
  };
  const fieldType = (field: FieldSchema): string => {
    const entry = field.repeated && field.type === MESSAGE ? messages[field.ref]! : undefined;
    if (entry?.mapEntry) return `Record<string, ${valueType(entry.fields[1]!)}>`;
    return field.repeated ? listType(valueType(field)) : valueType(field);
  };
  for (const root of roots) message(root);
  return declarations.text;
}

/** True for fields that are decoded although the payload lacks them, or that no payload lacks. */
function isAlwaysPresent({ type, repeated, presence, oneof }: FieldSchema): boolean {
  if (repeated || presence === 'required') return true;
  return presence === 'implicit' && oneof < 0 && type !== MESSAGE && type !== GROUP;
}
