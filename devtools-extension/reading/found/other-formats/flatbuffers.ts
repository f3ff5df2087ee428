import * as t from '../../../../core/formats/flatbuffers/schema/schema.ts';
import { type AnyNode, type FunctionNode, methodOf, nameOfProperty, type Script, walk } from '../script.ts';
import { enumValues } from '../field-lists.ts';
import type { CodeTypes } from './code-types.ts';
import { type ClassDraft, type FieldDraft, flatBuffersInput, type UnionDraft } from './flatbuffers-schema.ts';

/** Types of the methods that read scalars. */
const READS: Readonly<Record<string, number>> = {
  readInt8: t.BYTE,
  readUint8: t.UBYTE,
  readInt16: t.SHORT,
  readUint16: t.USHORT,
  readInt32: t.INT,
  readUint32: t.UINT,
  readInt64: t.LONG,
  readUint64: t.ULONG,
  readFloat32: t.FLOAT,
  readFloat64: t.DOUBLE,
};

/** Byte in a vtable at which the first field's offset is. */
const FIRST = 4;
/** Largest byte in a vtable. */
const LAST = 0xffff;

/**
 * Adds the tables whose classes flatc generates. The methods that read fields keep their names, the byte of their offset in
 * the vtable, and their types. Namespaces are not in the code. Members of unions are known where the code calls
 * `unionToPayment(…)`; fields whose type the code does not tell are left out.
 */
export function addFlatBuffers(scripts: readonly Script[], types: CodeTypes): void {
  const classes = new Map<AnyNode, ClassDraft>();
  const unions: UnionDraft[] = [];
  for (const script of scripts) {
    for (const { node } of script.nodes()) {
      if (node.type === 'ClassExpression' || node.type === 'ClassDeclaration') {
        const draft = classOf(script, node);
        if (draft) classes.set(node, draft);
      } else if (node.type === 'CallExpression') {
        const union = unionOf(script, node);
        if (union) unions.push(union);
      }
    }
  }
  for (const [node, draft] of classes) {
    if (draft.size !== undefined) continue;
    const input = flatBuffersInput(draft, classes, unions);
    if (input) types.add({ name: draft.name, format: 'flatbuffers', input, where: draft.script.url, by: 'FlatBuffers' }, node);
  }
}

/** A table or struct of flatc's code; undefined for other classes. */
function classOf(script: Script, node: Extract<AnyNode, { type: 'ClassExpression' | 'ClassDeclaration' }>): ClassDraft | undefined {
  const methods = node.body.body.flatMap((member) => {
    const name = member.type === 'MethodDefinition' && !member.computed ? nameOfProperty(member.key) : undefined;
    return member.type === 'MethodDefinition' && name !== undefined ? [{ name, isStatic: member.static, code: member.value }] : [];
  });
  if (!methods.some(({ name, isStatic }) => name === '__init' && !isStatic)) return undefined;
  const statics = methods.filter(({ isStatic }) => isStatic);
  const own = methods.filter(({ isStatic, name }) => !isStatic && name !== '__init' && name !== 'unpack' && name !== 'unpackTo');
  const root = statics.find(({ name }) => /^getRootAs./.test(name));
  if (root) {
    const fields = own.flatMap(({ name, code }) => tableField(script, name, code) ?? []);
    return { script, name: root.name.slice('getRootAs'.length), size: undefined, fields: withoutHelpers(fields) };
  }
  const size = statics.flatMap(({ name, code }) => (name === 'sizeOf' ? (returned(script, code) ?? []) : []))[0];
  const create = statics.find(({ name }) => /^create./.test(name));
  if (size === undefined || !create) return undefined;
  const fields = own.flatMap(({ name, code }) => structField(script, name, code) ?? []);
  if (fields.length < own.length) return undefined;
  return sized({ script, name: create.name.slice('create'.length), size, fields }, loopLengths(script, create.code));
}

/** Number that a function returns. */
function returned(script: Script, { body }: FunctionNode): number | undefined {
  const [statement] = body.type === 'BlockStatement' ? body.body : [];
  return statement?.type === 'ReturnStatement' ? script.numberOf(statement.argument) : undefined;
}

/** Field that `name() { const offset = this.bb.__offset(this.bb_pos, 4); return offset ? … : default; }` reads. */
function tableField(script: Script, name: string, code: FunctionNode): FieldDraft | undefined {
  let at: number | undefined;
  let read: AnyNode | undefined;
  let fallback: AnyNode | undefined;
  for (const { node } of walk(code.body)) {
    if (node.type === 'CallExpression' && methodOf(node) === '__offset') at ??= script.numberOf(node.arguments[1]);
    if (node.type === 'ConditionalExpression' && !read) {
      read = node.consequent;
      fallback = node.alternate;
    }
  }
  if (at === undefined || !read || at < FIRST || at > LAST || at % 2 !== 0) return undefined;
  const type = typeIn(read, true);
  return type && { name, at: (at - FIRST) / 2, ...type, ...defaultOf(script, fallback) };
}

/** Field of a struct: `y() { return this.bb.readFloat32(this.bb_pos + 4); }`. */
function structField(script: Script, name: string, code: FunctionNode): FieldDraft | undefined {
  const type = typeIn(code.body, false);
  if (!type) return undefined;
  let at = 0;
  let isList = false;
  for (const { node } of walk(code.body)) {
    if (node.type !== 'BinaryExpression') continue;
    if (node.operator === '+') at = Math.max(at, script.numberOf(node.right) ?? 0);
    // marks(index) reads at bb_pos + 18 + index * 2
    if (node.operator === '*') isList = true;
  }
  if (isList && type.ref) return undefined;
  return { name, at, ...type, ...(isList && { kind: 'array', default: undefined }) };
}

/** Type of a field by the calls that read it. */
function typeIn(read: AnyNode, isTable: boolean): Pick<FieldDraft, 'kind' | 'scalar' | 'ref'> | undefined {
  const calls = new Set<string>();
  let ref: AnyNode | undefined;
  let isBoolean = false;
  for (const { node } of walk(read)) {
    if (node.type === 'CallExpression') calls.add(methodOf(node) ?? '');
    if (node.type === 'NewExpression') ref ??= node.callee;
    if (node.type === 'UnaryExpression' && node.operator === '!') isBoolean = true;
  }
  // Methods such as itemsLength and itemsArray.
  if (calls.has('__vector_len') || calls.has('bytes')) return undefined;
  const isVector = calls.has('__vector');
  const scalar = Object.keys(READS).find((method) => calls.has(method));
  if (calls.has('__union_with_string')) return undefined;
  if (calls.has('__union')) return { kind: isVector ? 'unions' : 'union' };
  if (calls.has('__string')) return { kind: isVector ? 'vector' : 'value', scalar: t.STRING };
  if (calls.has('__init')) {
    if (!ref) return undefined;
    return { kind: isVector ? 'vector' : 'value', ref, ...(isTable && { scalar: calls.has('__indirect') ? t.OBJ : undefined }) };
  }
  if (scalar === undefined) return undefined;
  return { kind: isVector ? 'vector' : 'value', scalar: isBoolean && scalar === 'readInt8' ? t.BOOL : READS[scalar] };
}

/** Default of a scalar, and the enum that names it. */
function defaultOf(script: Script, node: AnyNode | undefined): Pick<FieldDraft, 'default' | 'values'> {
  if (!node) return {};
  if (node.type === 'Literal' && 'bigint' in node && typeof node.bigint === 'string') return { default: BigInt(node.bigint) };
  if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'BigInt') {
    const text = script.textOf(node.arguments[0]) ?? String(script.numberOf(node.arguments[0]) ?? '');
    return /^-?\d+$/.test(text) ? { default: BigInt(text) } : {};
  }
  if (node.type === 'UnaryExpression') {
    const inner = script.numberOf(node.argument);
    if (inner === undefined) return {};
    return node.operator === '-' ? { default: -inner } : node.operator === '!' ? { default: inner === 0 ? 1 : 0 } : {};
  }
  if (node.type === 'MemberExpression') {
    const values = enumValues(script, script.valueOf(node.object));
    const name = nameOfProperty(node.property);
    const [number] = [...(values ?? [])].find(([, label]) => label === name) ?? [];
    return number === undefined ? {} : { default: number, values };
  }
  const number = script.numberOf(node);
  return number === undefined ? {} : { default: number };
}

/** The fields without their other methods, `itemsLength`, `itemsArray`. If several methods read one place, none is certain. */
function withoutHelpers(fields: readonly FieldDraft[]): FieldDraft[] {
  return fields.filter(({ at }) => fields.filter((other) => other.at === at).length === 1);
}

/** Numbers of items of the arrays of a struct, last one first: `for (let i = 2; i >= 0; --i)`. */
function loopLengths(script: Script, create: FunctionNode): number[] {
  return Array.from(walk(create.body), ({ node }) => {
    if (node.type !== 'ForStatement' || node.init?.type !== 'VariableDeclaration') return [];
    const last = script.numberOf(node.init.declarations[0]?.init);
    return last === undefined ? [NaN] : [last + 1];
  }).flat();
}

/** A struct with the lengths of its arrays; undefined unless these are certain. */
function sized(draft: ClassDraft, lengths: readonly number[]): ClassDraft | undefined {
  const arrays = draft.fields.filter(({ kind }) => kind === 'array').toSorted((a, b) => b.at - a.at);
  if (arrays.length !== lengths.length && arrays.length > 0) return undefined;
  for (const [index, field] of arrays.entries()) field.length = lengths[index]!;
  return arrays.every(({ length }) => length! > 0) ? draft : undefined;
}

/** Members of a union: `unionToPayment(order.paymentType(), …)`, whose function makes an object of each class. */
function unionOf(script: Script, node: Extract<AnyNode, { type: 'CallExpression' }>): UnionDraft | undefined {
  const field = node.arguments[0] && methodOf(node.arguments[0]);
  const code = field?.endsWith('Type') === true ? script.valueOf(node.callee) : undefined;
  if (!code || !/Function/.test(code.type)) return undefined;
  const members: UnionDraft['members'] = [];
  for (const { node: inner } of walk(code)) {
    if (inner.type !== 'SwitchStatement') continue;
    const { discriminant } = inner;
    const names =
      discriminant.type === 'MemberExpression' && discriminant.computed ? enumValues(script, script.valueOf(discriminant.object)) : undefined;
    for (const { test, consequent } of inner.cases) {
      const name = script.textOf(test);
      const [number] = [...(names ?? [])].find(([, label]) => label === name) ?? [];
      const made = consequent.flatMap((part) => Array.from(walk(part), (visit) => visit.node)).find(({ type }) => type === 'NewExpression');
      if (number !== undefined && made?.type === 'NewExpression') members.push({ number, name: name!, type: script.constantOf(made.callee) });
    }
  }
  return members.length > 0 ? { field: field!.slice(0, -'Type'.length), members } : undefined;
}
