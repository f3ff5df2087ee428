import { joined } from '../../../core/bytes/byte-input.ts';
import { readDescriptorSet } from '../../../core/formats/protobuf/schema/descriptor-set.ts';
import { MESSAGE } from '../../../core/formats/protobuf/schema/schema.ts';
import { fromAnyBase64 } from '../../adapter/bytes.ts';
import { text, textIn, varintField, wrapped } from './wire.ts';
import type { DraftField, DraftMessage } from './types.ts';

/** Base64 of a FileDescriptorProto: it begins with field 1, the file's name. */
const BASE64 = /(?<=["'`])C[A-Za-z\d+/_-]{15,}={0,2}(?=["'`])/g;
/** Length of the longest descriptor that is decoded. */
const MAX_LENGTH = 4_000_000;

/** A FileDescriptorProto in a script, as `fileDesc("…")` of protobuf-es has it. */
export interface FoundFile {
  name: string;
  bytes: Uint8Array;
  /** Full names of its messages. */
  messages: string[];
}

/** FileDescriptorProtos in the string literals of a script. */
export function descriptorsIn(script: string): FoundFile[] {
  const found: FoundFile[] = [];
  for (const [literal] of script.matchAll(BASE64)) {
    if (literal.length > MAX_LENGTH) continue;
    try {
      const bytes = fromAnyBase64(literal);
      const name = textIn(bytes, 1);
      if (!/^[\w./-]+\.proto$/.test(name)) continue;
      const { messages } = readDescriptorSet(wrapped(1, bytes)).definitions;
      found.push({ name, bytes, messages: messages.filter(({ mapEntry }) => !mapEntry).map((message) => message.name) });
    } catch {
      // Other text in base64, or a damaged descriptor.
    }
  }
  return found;
}

const REPEATED = 3;
const OPTIONAL = 1;
const ENUM = 14;

/** A FileDescriptorProto of messages that were put together from code. Their names are full, so that the file has no package. */
export function fileOf(messages: readonly DraftMessage[]): Uint8Array {
  const enums: Uint8Array[] = [];
  const file = messages.map((message) => wrapped(4, messageBytes(message, enums)));
  return joined([text(1, 'found.proto'), ...file, ...enums.map((bytes) => wrapped(5, bytes)), text(12, 'proto3')]);
}

function messageBytes({ name, fields }: DraftMessage, enums: Uint8Array[]): Uint8Array {
  const nested: Uint8Array[] = [];
  const own = fields.map((field) => {
    if (!field.map) return fieldBytes(field, enums);
    const entry = `${entryName(field.name)}Entry`;
    const parts = [
      fieldBytes({ name: 'key', number: 1, type: field.map.key }, enums),
      fieldBytes({ ...field.map.value, name: 'value', number: 2 }, enums),
    ];
    nested.push(wrapped(3, joined([text(1, entry), ...parts, wrapped(7, varintField(7, 1))])));
    return descriptor({ name: field.name, number: field.number, type: MESSAGE, repeated: true }, `.${name}.${entry}`);
  });
  return joined([text(1, name), ...own, ...nested]);
}

function fieldBytes(field: DraftField, enums: Uint8Array[]): Uint8Array {
  if (field.type === ENUM) {
    if (!field.values || field.values.size === 0) return descriptor({ ...field, type: INT32 }, '');
    const name = `found.Enum${enums.length}`;
    const values = [...field.values].map(([number, label]) => wrapped(2, joined([text(1, label), varintField(2, number)])));
    enums.push(joined([text(1, name), ...values]));
    return descriptor(field, `.${name}`);
  }
  const type = field.type === MESSAGE ? field.message?.() : undefined;
  // A message whose type is unknown is shown as without a schema, by a type without fields.
  if (field.type === MESSAGE && !type) return descriptor({ ...field, type: BYTES }, '');
  return descriptor(field, type ? `.${type.name}` : '');
}

const INT32 = 5;
const BYTES = 12;

/** FieldDescriptorProto { name 1, number 3, label 4, type 5, type_name 6 } */
function descriptor({ name, number, type, repeated = false }: DraftField, typeName: string): Uint8Array {
  return wrapped(
    2,
    joined([
      text(1, name),
      varintField(3, number),
      varintField(4, repeated ? REPEATED : OPTIONAL),
      varintField(5, type),
      ...(typeName === '' ? [] : [text(6, typeName)]),
    ]),
  );
}

function entryName(field: string): string {
  return field.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
