import { ENUM, MESSAGE } from '../../../core/formats/protobuf/schema/schema.ts';
import type { Registry } from './registry.ts';
import { type AnyNode, methodOf, propertiesOf, type Script, walk } from './script.ts';
import type { DraftField } from './types.ts';

/**
 * Adds the types that code declares with lists of fields, `{ no, name, kind, T }`: `makeMessageType(name, fields)` and
 * classes with `typeName` and `fields` of protobuf-es 1, and `super(name, fields)` of protobuf-ts.
 */
export function addFieldLists(script: Script, registry: Registry): void {
  for (const { node, around } of script.nodes()) {
    if (node.type === 'CallExpression') {
      const [name, list] = [script.textOf(node.arguments[0]), node.arguments[1] as AnyNode | undefined];
      if (name === undefined || !list) continue;
      if (methodOf(node) === 'makeMessageType') addType(script, registry, name, list, node, 'protobuf-es');
      else if (node.callee.type === 'Super') {
        let at = around;
        while (at && at.node.type !== 'ClassExpression' && at.node.type !== 'ClassDeclaration') at = at.around;
        addType(script, registry, name, list, at?.node, 'protobuf-ts');
      }
    } else if (node.type === 'ClassBody') {
      const properties = new Map(
        node.body.flatMap((member) =>
          member.type === 'PropertyDefinition' && member.static && member.key.type === 'Identifier' && member.value
            ? [[member.key.name, member.value] as const]
            : [],
        ),
      );
      const name = script.textOf(properties.get('typeName'));
      const fields = properties.get('fields');
      if (name !== undefined && fields?.type === 'CallExpression')
        addType(script, registry, name, fields.arguments[0] as AnyNode, around?.node, 'protobuf-es');
    }
  }
}

function addType(script: Script, registry: Registry, name: string, list: AnyNode, node: AnyNode | undefined, by: string): void {
  const fields = script.valueOf(list);
  if (fields?.type !== 'ArrayExpression' || !/^[\w.]+$/.test(name)) return;
  const items = fields.elements.map((element) => propertiesOf(element ?? undefined));
  if (!items.every((item) => item.has('no') && item.has('kind'))) return;
  registry.add({ name, fields: items.flatMap((item) => fieldOf(script, registry, item) ?? []), where: script.url, by }, node);
}

function fieldOf(script: Script, registry: Registry, item: ReadonlyMap<string, AnyNode>): DraftField | undefined {
  const number = script.numberOf(item.get('no'));
  const name = script.textOf(item.get('name')) ?? '';
  const kind = script.textOf(item.get('kind'));
  if (number === undefined || name === '') return undefined;
  const repeated = script.isTrue(item.get('repeated')) || script.isTrue(item.get('repeat'));
  if (kind === 'map') {
    const value = valueField(script, registry, propertiesOf(script.valueOf(item.get('V'))));
    const key = script.numberOf(item.get('K'));
    return value && key !== undefined ? { name, number, type: MESSAGE, repeated: true, map: { key, value } } : undefined;
  }
  const value = valueField(script, registry, item);
  return value && { ...value, name, number, repeated };
}

/** Type of a field, or of a map's values. */
function valueField(script: Script, registry: Registry, item: ReadonlyMap<string, AnyNode>): DraftField | undefined {
  const type = item.get('T');
  const field = { name: '', number: 0 };
  switch (script.textOf(item.get('kind'))) {
    case 'scalar': {
      const number = script.numberOf(type);
      return number === undefined ? undefined : { ...field, type: number };
    }
    case 'enum':
      return { ...field, type: ENUM, values: enumOf(script, type) };
    case 'message':
      return { ...field, type: MESSAGE, message: () => registry.typeOf(script, lazy(type)) };
    default:
      return undefined;
  }
}

/** Result of a function without parameters, as `() => Order` defers the use of a type. */
function lazy(node: AnyNode | undefined): AnyNode | undefined {
  return node?.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement' ? node.body : node;
}

/** Names of an enum's numbers: of `makeEnum(name, values)`, or of the object that TypeScript makes of an enum. */
function enumOf(script: Script, type: AnyNode | undefined): ReadonlyMap<number, string> | undefined {
  const value = script.valueOf(type);
  // protobuf-ts: [name, object, prefix of the names]
  if (value?.type === 'ArrayExpression') {
    const prefix = script.textOf(value.elements[2]) ?? '';
    const names = value.elements[1] ? enumValues(script, script.valueOf(value.elements[1])) : undefined;
    return names && new Map([...names].map(([number, name]) => [number, prefix + name]));
  }
  if (value?.type === 'CallExpression' && methodOf(value) === 'getEnumType') return enumOf(script, value.arguments[0]);
  return enumValues(script, value);
}

/** Names of the numbers of an enum: of protobuf-es's list, or of the object that TypeScript makes. */
function enumValues(script: Script, value: AnyNode | undefined): ReadonlyMap<number, string> | undefined {
  const names = new Map<number, string>();
  if (value?.type !== 'CallExpression') return undefined;
  if (methodOf(value) === 'makeEnum') {
    const list = script.valueOf(value.arguments[1]);
    for (const element of list?.type === 'ArrayExpression' ? list.elements : []) {
      const item = propertiesOf(element ?? undefined);
      const number = script.numberOf(item.get('no'));
      const name = script.textOf(item.get('name'));
      if (number !== undefined && name !== undefined) names.set(number, name);
    }
    return names;
  }
  // e[e.NEW = 0] = 'NEW'
  for (const { node } of walk(value.callee)) {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression' || !node.left.computed) continue;
    const { property } = node.left;
    const number = property.type === 'AssignmentExpression' ? script.numberOf(property.right) : undefined;
    const name = script.textOf(node.right);
    if (number !== undefined && name !== undefined) names.set(number, name);
  }
  return names;
}
