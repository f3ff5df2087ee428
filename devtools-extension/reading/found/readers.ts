import { ENUM, MESSAGE, TYPE_NAMES } from '../../../core/formats/protobuf/schema/schema.ts';
import type { Registry } from './registry.ts';
import { type AnyNode, chainOf, methodOf, type Script, walk } from './script.ts';
import type { DraftField } from './types.ts';

/** Adds the types whose fields google-protobuf reads in `X.deserializeBinaryFromReader = function (msg, reader) { … }`. */
export function addReaders(script: Script, registry: Registry): void {
  for (const { node } of script.nodes()) {
    if (node.type !== 'AssignmentExpression' || node.right.type !== 'FunctionExpression') continue;
    const chain = chainOf(node.left);
    if (chain?.at(-1) !== 'deserializeBinaryFromReader' || chain.length < 3) continue;
    const fields: DraftField[] = [];
    for (const { node: inner } of walk(node.right)) {
      const branch = branchOf(script, inner);
      const field = branch && !fields.some(({ number }) => number === branch.number) && fieldOf(script, registry, branch.code, branch.number);
      if (field) fields.push(field);
    }
    registry.add({ name: chain.slice(1, -1).join('.'), fields, where: script.url, by: 'google-protobuf' });
  }
}

/** Code that runs for a number alone: a case, or the branch of a comparison, to which compilers turn a `switch` of one or two cases. */
function branchOf(script: Script, node: AnyNode): { number: number; code: AnyNode } | undefined {
  if (node.type === 'SwitchCase') {
    const number = script.numberOf(node.test);
    return number === undefined ? undefined : { number, code: node };
  }
  const test =
    node.type === 'IfStatement' || node.type === 'ConditionalExpression' ? node.test : node.type === 'LogicalExpression' ? node.left : undefined;
  if (test?.type !== 'BinaryExpression' || !/^[!=]==?$/.test(test.operator)) return undefined;
  const number = script.numberOf(test.right) ?? script.numberOf(test.left);
  const isEqual = test.operator.startsWith('=');
  const code =
    node.type === 'LogicalExpression'
      ? (node.operator === '&&') === isEqual && node.operator !== '??' && node.right
      : 'consequent' in node && 'alternate' in node && (isEqual ? node.consequent : node.alternate);
  return number === undefined || !code ? undefined : { number, code: code as AnyNode };
}

/** Field that a case reads: `var value = reader.readInt64(); msg.setTotal(value);`. */
function fieldOf(script: Script, registry: Registry, node: AnyNode, number: number): DraftField | undefined {
  let read: string | undefined;
  let accessor: string | undefined;
  let nested: AnyNode | undefined;
  let map: AnyNode[] | undefined;
  for (const { node: inner } of walk(node)) {
    if (inner.type !== 'CallExpression') continue;
    const method = methodOf(inner) ?? '';
    if (method === 'deserializeBinary' && inner.arguments.length > 3) map ??= inner.arguments as AnyNode[];
    else if (/^read[A-Z]/.test(method)) {
      read ??= method;
      if (/^read(?:Message|Group)$/.test(method)) nested ??= inner.arguments.at(-1) as AnyNode;
    } else if (/^(?:set|add|get)[A-Z]/.test(method)) accessor ??= method;
  }
  if (read === undefined || accessor === undefined) return undefined;
  // A field that is no list may be called `word_list`.
  const isList = /^readPack(?:ed|able)/.test(read) && accessor.endsWith('List');
  const name = nameOf(accessor, isList);
  if (map) return mapField(script, registry, name, number, map);
  const field = { name, number, repeated: isList || accessor.startsWith('add') };
  if (nested) return { ...field, type: MESSAGE, message: () => registry.typeOf(script, withoutLast(nested)) };
  const type = typeOf(read);
  return type > 0 ? { ...field, type } : undefined;
}

/** `jspb.Map.deserializeBinary(message, reader, readKey, readValue, readMessage, …)` */
function mapField(script: Script, registry: Registry, name: string, number: number, args: readonly AnyNode[]): DraftField | undefined {
  const [key, value] = [args[2], args[3]].map((reader) => chainOf(reader)?.at(-1) ?? '');
  const field = { name: '', number: 0 };
  const inner = value === 'readMessage' ? { ...field, type: MESSAGE, message: () => registry.typeOf(script, withoutLast(args[4])) } : undefined;
  const keyType = typeOf(key!);
  const valueType = typeOf(value!);
  if (keyType === 0 || (!inner && valueType === 0)) return undefined;
  return { name, number, type: MESSAGE, repeated: true, map: { key: keyType, value: inner ?? { ...field, type: valueType } } };
}

/** The type of `proto.shop.Item.deserializeBinaryFromReader`. */
function withoutLast(node: AnyNode | undefined): AnyNode | undefined {
  return node?.type === 'MemberExpression' ? node.object : node;
}

/** Type number of a method: `readInt64`, `readInt64String`, `readPackedInt64`, `readPackableInt64Into`. */
function typeOf(method: string): number {
  const name = method.replace(/^read(?:Packed|Packable)?/, '').replace(/(?:Into|RequireUtf8){1,2}$/, '');
  if (name === 'Enum') return ENUM;
  const plain = name === 'String' ? name : name.replace(/(?:String|BigInt)$/, '');
  return Math.max(0, TYPE_NAMES.indexOf(plain.toLowerCase()));
}

/** Name of a field in the JSON mapping: `totalCents` of `setTotalCents`, `tags` of `addTags`, and of `setTagsList` if it is a list. */
function nameOf(accessor: string, isList: boolean): string {
  const end = accessor.startsWith('get') ? /(?:List|Map)?\$?$/ : accessor.startsWith('set') && isList ? /(?:List)?\$?$/ : /\$?$/;
  const name = accessor.slice(3).replace(end, '');
  return name.charAt(0).toLowerCase() + name.slice(1);
}
