import { SchemaError } from '../../../core/errors.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import type { Definitions } from '../../../core/formats/protobuf/schema/definitions.ts';

const IDENTIFIER = /^(?:\w+\.)*[A-Za-z_]\w*$/;

/**
 * Types that a binary schema defines, in the order of the file. Throws a SchemaError if the bytes are not a schema. If `isDoubtful`, they
 * may be a payload that could be read as a schema: then they must have what every compiler writes.
 */
export async function typesInSchema(format: FormatId, bytes: Uint8Array, isDoubtful = false): Promise<string[]> {
  switch (format) {
    case 'protobuf': {
      const { readDescriptorSet } = await import('../../../core/formats/protobuf/schema/descriptor-set.ts');
      const { messages, enums } = readDescriptorSet(bytes).definitions;
      const names = messages.filter(({ mapEntry }) => !mapEntry).map(({ name }) => name);
      if (names.length === 0) throw new SchemaError('it defines no message');
      if (isDoubtful && !isWritten(messages, enums)) throw new SchemaError('its messages have no fields, or fields without a name, number or type');
      return names;
    }
    case 'flatbuffers': {
      const { readBfbs } = await import('../../../core/formats/flatbuffers/schema/bfbs.ts');
      const { Table } = await import('../../../core/formats/flatbuffers/read/table.ts');
      // table Schema { objects, …, root_table @ 4 } of Object { name, fields, is_struct }
      const isNamed = String.fromCharCode(...bytes.subarray(4, 8)) === 'BFBS';
      const file = isNamed ? Table.root(bytes) : undefined;
      const tables =
        file
          ?.tables(0)
          .filter((object) => !object.boolean(2))
          .map((object) => object.string(0)) ?? [];
      const root = file?.table(4)?.string(0);
      const names = root === undefined ? tables : [root, ...tables.filter((name) => name !== root)];
      // Validates the file now instead of on the first body.
      readBfbs(bytes.slice(), names[0]);
      return names;
    }
    case 'capnproto': {
      const { open, readRequest } = await import('../../../core/formats/capnproto/schema/request.ts');
      const { Struct } = await import('../../../core/formats/capnproto/schema/struct.ts');
      const message = open(bytes.slice());
      // CodeGeneratorRequest { nodes @ pointer 0 }, Node { displayName @ pointer 0, which 12, struct { isGroup 28 } }
      const nodes = Struct.at(message, message.starts[0]!, 0).structs(0);
      const full = nodes.filter((node) => node.uint16(12) === 1 && (node.uint8(28) & 1) === 0).map((node) => node.text(0));
      if (full.length === 0) throw new SchemaError('it defines no struct');
      // Node { id @ data 0 }: the highest bit of an id is set.
      if (isDoubtful && !nodes.every((node) => node.uint8(7) >= 0x80)) throw new SchemaError('its nodes have no ids');
      const plain = full.map((name) => name.slice(name.lastIndexOf(':') + 1));
      const names = plain.map((name, at) => (plain.indexOf(name) === plain.lastIndexOf(name) ? name : full[at]!));
      readRequest(bytes.slice(), names[0]!);
      return names;
    }
    default:
      return [];
  }
}

/** True for definitions as compilers write them: all have names, and fields have numbers and types. At least one field is there. */
function isWritten(messages: Definitions['messages'], enums: Definitions['enums']): boolean {
  const fields = messages.flatMap((message) => message.fields);
  return (
    fields.length > 0 &&
    fields.every(({ name, number, type }) => name !== '' && number > 0 && type > 0 && type <= 18) &&
    [...messages, ...enums].every(({ name }) => IDENTIFIER.test(name))
  );
}
