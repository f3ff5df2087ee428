import type { ListForm } from '../../format.ts';
import { BYTES, type FieldSchema, GROUP, MESSAGE, type ProtobufSchema } from '../schema/schema.ts';

/** Form of the messages in the root's repeated field; undefined if it has no field of messages, or several. */
export function listForm(schema: ProtobufSchema | undefined): ListForm | undefined {
  if (schema === undefined) return undefined;
  const { root, messages } = schema;
  const lists = messages[root]!.fields.filter(({ repeated, type, ref }) => repeated && type === MESSAGE && !messages[ref]!.mapEntry);
  if (lists.length !== 1) return undefined;
  return { list: true, records: true, flat: messages[lists[0]!.ref]!.fields.every(isScalar), regular: true };
}

function isScalar({ repeated, type }: FieldSchema): boolean {
  return !repeated && type !== MESSAGE && type !== GROUP && type !== BYTES;
}
