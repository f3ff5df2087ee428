import { MESSAGE, TYPE_NAMES } from '../../../core/formats/protobuf/schema/schema.ts';
import type { Registry } from './registry.ts';
import {
  type AnyNode,
  chainOf,
  type FunctionNode,
  methodOf,
  nameOfProperty,
  namesIn,
  propertiesOf,
  type Script,
  type Visit,
  walk,
} from './script.ts';
import type { DraftField, DraftMessage } from './types.ts';

/** A call in a chain on a writer: `writer.uint32(10).string(…)`. */
interface Call {
  method: string;
  args: readonly AnyNode[];
}

/**
 * Adds the types whose fields `encode(message, writer)` writes: of protobuf.js, compiled to static code, and of ts-proto. A
 * tag is a number in the code, and the name of a field that of the property which is written.
 */
export function addWriters(script: Script, registry: Registry): void {
  const urls = typeUrls(script);
  for (const { node, around } of script.nodes()) {
    if (!isFunction(node) || node.params.length === 0) continue;
    const owner = ownerOf(script, around);
    if (!owner) continue;
    const fields = fieldsIn(script, registry, node);
    if (fields.length === 0 && !isEmptyWriter(node)) continue;
    const name = urls.get(owner.node) ?? script.textOf(propertiesOf(owner.node).get('$type')) ?? assignedName(around) ?? owner.name;
    registry.add({ name: unique(name, registry), fields, where: script.url, by: urls.has(owner.node) ? 'protobuf.js' : 'ts-proto' }, owner.node);
  }
}

function isFunction(node: AnyNode): node is FunctionNode & AnyNode {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

/** Value that stands for a type with this function as its `encode`: an object, a class, or a constructor. */
function ownerOf(script: Script, around: Visit | undefined): { node: AnyNode; name: string } | undefined {
  const parent = around?.node;
  if (parent?.type === 'Property' && nameOfProperty(parent.key) === 'encode' && propertiesOf(around!.around?.node).has('decode')) {
    const object = around!.around!;
    const declared = object.around?.node;
    return { node: object.node, name: declared?.type === 'VariableDeclarator' && declared.id.type === 'Identifier' ? declared.id.name : 'Message' };
  }
  if (parent?.type !== 'AssignmentExpression' || parent.left.type !== 'MemberExpression') return undefined;
  if (parent.left.computed || nameOfProperty(parent.left.property) !== 'encode') return undefined;
  const value = script.valueOf(parent.left.object);
  return value && { node: value, name: chainOf(parent.left.object)?.at(-1) ?? 'Message' };
}

/** True if a function returns its second parameter unchanged: a message without fields. */
function isEmptyWriter({ params, body }: FunctionNode): boolean {
  return params.length >= 2 && body.type === 'BlockStatement' && body.body.some(({ type }) => type === 'ReturnStatement') && body.body.length <= 2;
}

/** Full names by type: of `X.getTypeUrl`, which returns `prefix + '/shop.Order'`. */
function typeUrls(script: Script): Map<AnyNode, string> {
  const names = new Map<AnyNode, string>();
  for (const { node } of script.nodes()) {
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression' || node.left.computed) continue;
    if (nameOfProperty(node.left.property) !== 'getTypeUrl') continue;
    const owner = script.valueOf(node.left.object);
    for (const { node: inner } of walk(node.right)) {
      const text =
        inner.type === 'Literal' || inner.type === 'TemplateElement' ? String(inner.type === 'Literal' ? inner.value : inner.value.cooked) : '';
      if (owner && /^\/[\w.]+$/.test(text)) names.set(owner, text.slice(1));
    }
  }
  return names;
}

/** Full name by the assignments around: `$root.shop = (function () { shop.Order = (function () { … })(); })()`. */
export function assignedName(around: Visit | undefined): string | undefined {
  const names: string[] = [];
  for (let at = around; at; at = at.around) {
    const { node } = at;
    if (node.type !== 'AssignmentExpression' || node.left.type !== 'MemberExpression' || node.left.computed) continue;
    if (node.right.type === 'CallExpression') names.unshift(nameOfProperty(node.left.property) ?? '');
  }
  return names.length === 0 ? undefined : names.join('.');
}

/** A name that no other type of the scripts has: minified code does not tell names apart. */
function unique(name: string, registry: Registry): string {
  const plain = name.length < 3 ? 'Message' : name;
  if (!registry.named(plain)) return plain;
  return name.includes('.') ? name : `${plain}_${registry.size}`;
}

/** A function that writes a message, and the name of its parameter. */
interface Writer {
  message: string;
  encode: AnyNode;
}

function fieldsIn(script: Script, registry: Registry, encode: FunctionNode & AnyNode): DraftField[] {
  const [message] = encode.params;
  if (message?.type !== 'Identifier') return [];
  const writer = { message: message.name, encode };
  const fields: DraftField[] = [];
  let openMap: DraftField | undefined;
  const visits = [...walk(encode.body)].filter(({ node }) => node.type === 'CallExpression');
  const numbers = visits.filter(({ node }) => TYPE_NAMES.indexOf(methodOf(node) ?? '') > 0).toSorted((a, b) => a.node.start - b.node.start);
  for (const visit of visits) {
    const { node, around } = visit;
    if (node.type !== 'CallExpression' || isInChain(visit) || ENDS.has(methodOf(node) ?? '')) continue;
    const calls = chainCalls(node);
    const tag = calls[0]?.method === 'uint32' ? script.numberOf(calls[0].args[0]) : undefined;
    if (tag === undefined || tag < 8 || calls.length < 2) continue;
    const number = tag >>> 3;
    const use = nestedUse(around, node);
    const field = (by: AnyNode | undefined): { name: string; number: number; repeated: boolean } | undefined => {
      const name = propertyOf(script, by, writer, visit);
      return name === undefined ? undefined : { name, number, repeated: isRepeated(visit, encode) };
    };
    if (calls[1]!.method !== 'fork') {
      // protobuf.js 8 writes a packed list by one call, such as `sint32s`.
      const { method, args } = calls[1]!;
      const single = TYPE_NAMES.indexOf(method);
      const type = single > 0 ? single : TYPE_NAMES.indexOf(method.replace(/s$/, ''));
      const made = field(args[0]);
      if (type > 0 && made) fields.push({ ...made, type, repeated: made.repeated || single < 0 });
    } else if (calls[2]?.method === 'uint32') {
      openMap = mapOf(calls, field(calls[3]?.args[0])?.name, number);
      if (openMap) fields.push(openMap);
    } else if (use) {
      const type = (): DraftMessage | undefined => registry.typeOf(script, use.type);
      // protobuf.js writes the message of a map's entry in a statement of its own.
      if (openMap && openMap.map!.value.type === 0 && number === 2) {
        openMap.map!.value = { name: '', number: 0, type: MESSAGE, message: type };
        continue;
      }
      const made = field(use.value);
      const isEntry = propertiesOf(use.value).has('key') && propertiesOf(use.value).has('value');
      if (made) fields.push({ ...made, repeated: made.repeated || isEntry, isEntry, type: MESSAGE, message: type });
    } else {
      const packed = packedAfter(script, numbers, node, writer);
      if (packed) fields.push({ name: packed.name, number, type: packed.type, repeated: true });
    }
  }
  return fields;
}

/** True if the call is continued by another one: `x.uint32(10)` in `x.uint32(10).string(…)`. */
function isInChain({ node, around }: Visit): boolean {
  const parent = around?.node;
  return (
    parent?.type === 'MemberExpression' &&
    parent.object === node &&
    around?.around?.node.type === 'CallExpression' &&
    around.around.node.callee === parent &&
    !ENDS.has(nameOfProperty(parent.property) ?? '')
  );
}

/** Calls that end a nested message. */
const ENDS = new Set(['ldelim', 'join']);

/** Calls on a writer, first to last; empty for other expressions. */
function chainCalls(node: AnyNode): Call[] {
  const calls: Call[] = [];
  let at: AnyNode = node;
  while (at.type === 'CallExpression') {
    const method = methodOf(at);
    if (method === undefined || at.callee.type !== 'MemberExpression') return [];
    calls.unshift({ method, args: at.arguments });
    at = at.callee.object as AnyNode;
  }
  // protobuf.js makes the writer in the first call: (w || Writer.create()).uint32(…)
  return at.type === 'Identifier' || at.type === 'LogicalExpression' ? calls : [];
}

/** The call `Item.encode(value, writer.uint32(18).fork())` around a chain. */
function nestedUse(around: Visit | undefined, chain: AnyNode): { type: AnyNode; value: AnyNode } | undefined {
  const call = around?.node;
  if (call?.type !== 'CallExpression' || methodOf(call) !== 'encode' || call.callee.type !== 'MemberExpression' || call.arguments[1] !== chain)
    return undefined;
  return { type: call.callee.object as AnyNode, value: call.arguments[0] as AnyNode };
}

function mapOf(calls: readonly Call[], name: string | undefined, number: number): DraftField | undefined {
  const key = TYPE_NAMES.indexOf(calls[3]?.method ?? '');
  const value = calls[4]?.method === 'uint32' ? TYPE_NAMES.indexOf(calls[5]?.method ?? '') : 0;
  if (name === undefined || key <= 0 || value < 0) return undefined;
  return { name, number, type: MESSAGE, repeated: true, map: { key, value: { name: '', number: 0, type: value } } };
}

/** Values that are followed from a written one to the property of the message. */
const MAX_VALUES = 8;

/** Property of the message that a value comes from: itself, or through the variables, loops and callbacks of the code around that hand it on. */
function propertyOf(script: Script, value: AnyNode | undefined, { message, encode }: Writer, visit: Visit): string | undefined {
  const values = new Set(value ? [value] : []);
  for (const one of values) {
    for (const { node, around } of walk(one)) {
      if (isDropped(node, around, one)) continue;
      const name = memberOf(node, message);
      if (name !== undefined) return name;
      const isName =
        node.type === 'Identifier' && !(around?.node.type === 'MemberExpression' && !around.node.computed && around.node.property === node);
      const source = isName && values.size < MAX_VALUES ? (listOf(node.name, visit) ?? script.assignedBefore(node)) : undefined;
      if (source && source.start > encode.start && source.end < encode.end) values.add(source);
    }
  }
  return undefined;
}

/** True for a part of an expression that has no part in its value: compilers move the statements before a loop into its head, `(writer.uint32(10), m.tags)`. */
function isDropped(node: AnyNode, around: Visit | undefined, value: AnyNode): boolean {
  for (let [inner, at] = [node, around]; at && inner !== value; inner = at.node, at = at.around)
    if (at.node.type === 'SequenceExpression' && at.node.expressions.at(-1) !== inner) return true;
  return false;
}

/** The list, map or iterator whose items a loop or callback around names: `list` of `for (const name of list)` and `list.forEach((name) => …)`. */
function listOf(name: string, visit: Visit): AnyNode | undefined {
  for (let at = visit.around; at; at = at.around) {
    const { node, around } = at;
    if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration' && namesIn(node.left.declarations[0]!.id).includes(name))
      return node.right;
    if (isFunction(node) && around && methodOf(around.node) === 'forEach' && node.params.some((param) => namesIn(param).includes(name)))
      return around.node.type === 'CallExpression' ? around.node.callee : undefined;
  }
  return undefined;
}

/** True in the body of a loop or of a callback. What a compiler moved to the head of a loop runs once. */
function isRepeated(visit: Visit, encode: AnyNode): boolean {
  for (let at = visit; at.around && at.around.node !== encode; at = at.around) {
    const { node } = at.around;
    if (isFunction(node) || (/^(?:For|While|Do)/.test(node.type) && 'body' in node && node.body === at.node)) return true;
  }
  return false;
}

/** Name of `m.name`. */
function memberOf(node: AnyNode, message: string): string | undefined {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== message || node.computed) return undefined;
  return nameOfProperty(node.property);
}

/** Type and name of a packed field, whose numbers are written in the loop after `writer.uint32(18).fork()`. */
function packedAfter(script: Script, numbers: readonly Visit[], fork: AnyNode, writer: Writer): { type: number; name: string } | undefined {
  let from = 0;
  for (let end = numbers.length; from < end;) {
    const middle = (from + end) >>> 1;
    if (numbers[middle]!.node.start > fork.end) end = middle;
    else from = middle + 1;
  }
  const next = numbers[from];
  if (next?.node.type !== 'CallExpression') return undefined;
  const name = propertyOf(script, next.node.arguments[0], writer, next);
  return name === undefined ? undefined : { type: TYPE_NAMES.indexOf(methodOf(next.node)!), name };
}
