import { create, createFileRegistry, type DescField, type DescMessage, fromBinary, isFieldSet, toBinary } from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { Edition, FeatureSet_FieldPresence, FieldDescriptorProto_Label as Label, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import protobufjs from 'protobufjs';
import { ENUM, type FieldSchema, GROUP, isPackable, MESSAGE, type ProtobufSchema } from '../../../../../core/formats/protobuf/schema/schema.ts';
import type { Syntax } from './random.ts';

/** Sorts keys and turns Buffers into plain Uint8Arrays, to compare with libraries that order keys differently. */
export function sorted(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted((value as Record<string, unknown>)[key])]),
  );
}

/** protobufjs's reflected type. */
export function protobufjsType(proto: string, name: string): protobufjs.Type {
  return protobufjs.parse(proto, { keepCase: true }).root.resolveAll().lookupType(name);
}

function isPackedByDefault({ repeated, type }: FieldSchema, syntax: Syntax): boolean {
  return syntax !== 'proto2' && repeated && isPackable(type);
}

/** A serialised FileDescriptorSet for a schema of one package without extensions. */
export function descriptorSetOf(schema: ProtobufSchema, pkg: string, syntax: Syntax): Uint8Array {
  const fieldOf = (field: FieldSchema, message: ProtobufSchema['messages'][number]) => {
    const oneofs = message.oneofs.length;
    const optionals = message.fields.filter(({ presence }) => presence === 'optional');
    const isDelimited = field.type === GROUP && syntax === '2023';
    const features = {
      ...(isDelimited ? { messageEncoding: 2 } : {}),
      ...(syntax === '2023' && field.presence === 'implicit' && !field.repeated ? { fieldPresence: 2 } : {}),
      ...(syntax === '2023' && field.presence === 'required' ? { fieldPresence: 3 } : {}),
    };
    return {
      name: field.name,
      jsonName: field.jsonName,
      number: field.number,
      label: field.repeated ? Label.REPEATED : field.presence === 'required' && syntax !== '2023' ? Label.REQUIRED : Label.OPTIONAL,
      type: isDelimited ? MESSAGE : field.type,
      ...(field.type === MESSAGE || field.type === GROUP ? { typeName: `.${schema.messages[field.ref]!.name}` } : {}),
      ...(field.type === ENUM ? { typeName: `.${schema.enums[field.ref]!.name}` } : {}),
      ...(field.presence === 'optional' ? { proto3Optional: true, oneofIndex: oneofs + optionals.indexOf(field) } : {}),
      ...(field.oneof >= 0 ? { oneofIndex: field.oneof } : {}),
      ...(Object.keys(features).length > 0 || field.packed !== isPackedByDefault(field, syntax)
        ? { options: syntax === '2023' ? { features } : { packed: field.packed } }
        : {}),
    };
  };
  const messageOf = (message: ProtobufSchema['messages'][number]): object => ({
    name: message.name.split('.').at(-1)!,
    field: message.fields.map((field) => fieldOf(field, message)),
    oneofDecl: [
      ...message.oneofs.map((name) => ({ name })),
      ...message.fields.filter(({ presence }) => presence === 'optional').map(({ name }) => ({ name: `_${name}` })),
    ],
    nestedType: schema.messages.filter(({ name }) => name.replace(/\.[^.]+$/, '') === message.name).map(messageOf),
    ...(message.mapEntry ? { options: { mapEntry: true } } : {}),
  });
  const set = create(FileDescriptorSetSchema, {
    file: [
      {
        name: 'test.proto',
        package: pkg,
        syntax: syntax === '2023' ? 'editions' : syntax,
        ...(syntax === '2023' ? { edition: Edition.EDITION_2023 } : {}),
        messageType: schema.messages.filter(({ name }) => name.replace(/\.[^.]+$/, '') === pkg).map(messageOf),
        enumType: schema.enums.map(({ name, names, numbers, closed }) => ({
          name: name.split('.').at(-1)!,
          value: names.map((label, index) => ({ name: label, number: numbers[index]! })),
          options: {
            allowAlias: new Set(numbers).size < numbers.length,
            ...(syntax === '2023' && closed ? { features: { enumType: 2 } } : {}),
          },
        })),
      },
    ],
  });
  return toBinary(FileDescriptorSetSchema, set);
}

/** @bufbuild/protobuf's description of a message. */
export function bufbuildMessage(descriptorSet: Uint8Array, name: string): DescMessage {
  const found = createFileRegistry(fromBinary(FileDescriptorSetSchema, descriptorSet)).getMessage(name);
  if (!found) throw new Error(`no ${name}`);
  return found;
}

/** Decodes with @bufbuild/protobuf to a plain object: implicit fields are always present, others if set. */
export function bufbuildDecode(desc: DescMessage, bytes: Uint8Array): unknown {
  return plainMessage(desc, fromBinary(desc, bytes));
}

function plainMessage(desc: DescMessage, message: ReturnType<typeof fromBinary>): Record<string, unknown> {
  const reflected = reflect(desc, message, false);
  const result: Record<string, unknown> = {};
  const own = (key: string, value: unknown): void =>
    void Object.defineProperty(result, key, { value, enumerable: true, configurable: true, writable: true });
  for (const field of desc.fields) {
    if (field.fieldKind === 'list') {
      own(
        field.name,
        Array.from(reflected.get(field) as Iterable<unknown>, (item) => plainValue(field, item)),
      );
    } else if (field.fieldKind === 'map') {
      const entries = {};
      for (const [key, value] of reflected.get(field) as Iterable<[unknown, unknown]>) {
        const inner = plainValue(field, value);
        Object.defineProperty(entries, String(key), { value: inner, enumerable: true, configurable: true, writable: true });
      }
      own(field.name, entries);
    } else if (field.presence === FeatureSet_FieldPresence.IMPLICIT || isFieldSet(message, field as never)) {
      own(field.name, plainValue(field, reflected.get(field)));
    }
  }
  const unknown = message.$unknown;
  if (unknown && unknown.length > 0) {
    own(
      '$unknown',
      unknown.map(({ no, wireType, data }) => ({ number: no, wireType, data: new Uint8Array(data) })),
    );
  }
  return result;
}

function plainValue(field: DescField, value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (typeof value === 'object' && value !== null && 'message' in value) {
    return plainMessage(field.message!, (value as { message: never }).message);
  }
  return value;
}

/** Bytes as text, for the messages of failed tests. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
