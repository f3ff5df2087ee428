import type { ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

const ANY = 'google.protobuf.Any';
const UNKNOWN = -1;

const indices = new WeakMap<ProtobufSchema, ReadonlyMap<string, number>>();

/** Index of a message type by its full name; −1 if the schema lacks it. */
export function messageNamed(schema: ProtobufSchema, name: string): number {
  let known = indices.get(schema);
  if (!known) indices.set(schema, (known = new Map(schema.messages.map((message, index) => [message.name, index]))));
  return known.get(name) ?? UNKNOWN;
}

/** Type that an Any's URL names: its last segment. −1 if the schema lacks it. */
export function messageOfUrl(schema: ProtobufSchema, url: string): number {
  return messageNamed(schema, url.slice(url.lastIndexOf('/') + 1));
}

/** True for the type `google.protobuf.Any`. */
export function isAny(schema: ProtobufSchema, message: number): boolean {
  return schema.messages[message]?.name === ANY;
}

/** Type of the message in an Any, by the URL next to its value. `message` is the type around the entry `value`. */
export function messageOfAny(tree: SpanTree, schema: ProtobufSchema, value: number, message: number): number {
  if (!isAny(schema, message)) return UNKNOWN;
  const url = tree.children(tree.data.parents[value]!).findLast((child) => tree.key(child) === 'type_url' && tree.data.kinds[child] === is.STRING);
  return url === undefined ? UNKNOWN : messageOfUrl(schema, tree.text(url));
}
