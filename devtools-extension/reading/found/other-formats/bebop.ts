import { readBinarySchema } from '../../../../core/formats/bebop/schema/binary-schema.ts';
import * as t from '../../../../core/formats/bebop/schema/schema.ts';
import { type AnyNode, chainOf, type FunctionNode, nameOfProperty, propertiesOf, type Script, type Visit } from '../script.ts';
import { type CodeTypes, nameByFields } from './code-types.ts';
import { recordOf, type WrittenRecord, type WrittenType } from './bebop-writer.ts';

/** Shortest binary schema, in bytes. */
const MIN_LENGTH = 16;
/** Bytes of a binary schema that are read in search of the name of a record: as often as that makes. */
const MAX_READ = 20_000_000;
/** Records with the same fields that are told apart: several are already ambiguous. */
const MAX_NAMES = 2;

/** A record of the code: the values that stand for it, and its code for writing. */
interface Draft {
  script: Script;
  nodes: AnyNode[];
  /** Undefined if the code does not tell. */
  record: WrittenRecord | undefined;
}

/**
 * Adds the records whose classes bebopc generates: by the binary schema next to them (`BEBOP_SCHEMA`), which has all names,
 * otherwise by their code for writing, which has those of fields.
 */
export function addBebop(scripts: readonly Script[], types: CodeTypes): void {
  const drafts = scripts.flatMap(draftsIn);
  if (drafts.length === 0) return;
  const schemas = scripts.flatMap((script) => [...binarySchemasIn(script)]);
  const byNode = new Map(drafts.flatMap((draft, index) => draft.nodes.map((node) => [node, index] as const)));
  for (const [index, draft] of drafts.entries()) {
    const { script, record, nodes } = draft;
    if (!record) continue;
    const add = (name: string, input: unknown): void => types.add({ name, format: 'bebop', input, where: script.url, by: 'Bebop' }, ...nodes);
    const fields = fieldsOf(record.fields.map((field) => (record.kind === t.UNION ? field.index : field.name)));
    const named = schemas.flatMap(({ bytes, names }) => (names.get(fields) ?? []).map((name) => ({ bytes, name })));
    if (named.length === 1) {
      add(named[0]!.name, { bop: named[0]!.bytes, record: named[0]!.name });
    } else {
      const compiled = compiledOf(index, drafts, byNode);
      if (compiled) add(displayName(record), { compiled });
    }
  }
}

function displayName({ kind, fields }: WrittenRecord): string {
  return kind === t.UNION ? `union of ${fields.length}` : nameByFields(fields.map(({ name }) => name));
}

/** Objects and classes with `encodeInto` and `readFrom`. */
function draftsIn(script: Script): Draft[] {
  const found: Draft[] = [];
  for (const visit of script.nodes()) {
    const { node } = visit;
    const code = node.type === 'ObjectExpression' ? propertiesOf(node) : node.type === 'ClassBody' ? staticMethods(node) : undefined;
    const encode = code?.get('encodeInto');
    if (!code?.has('readFrom') || !encode || !isFunction(encode)) continue;
    found.push({ script, nodes: ownersOf(visit), record: recordOf(script, encode) });
  }
  return found;
}

function isFunction(node: AnyNode): node is FunctionNode & AnyNode {
  return node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
}

function staticMethods(body: Extract<AnyNode, { type: 'ClassBody' }>): Map<string, AnyNode> {
  return new Map(
    body.body.flatMap((member) => {
      const name = member.type === 'MethodDefinition' && member.static && !member.computed ? nameOfProperty(member.key) : undefined;
      return member.type === 'MethodDefinition' && name !== undefined ? [[name, member.value] as const] : [];
    }),
  );
}

/** Values that stand for a record: its object or class, and the calls around it, `Object.freeze(Object.assign(…, { … }))`. */
function ownersOf({ node, around }: Visit): AnyNode[] {
  if (node.type === 'ClassBody') return around ? [around.node] : [];
  const owners = [node];
  for (let at = around; at?.node.type === 'CallExpression' && chainOf(at.node.callee)?.[0] === 'Object'; at = at.around) owners.push(at.node);
  return owners;
}

/** A binary schema, and the names of its records and unions by their fields or discriminators. */
interface Schema {
  bytes: Uint8Array;
  names: ReadonlyMap<string, string[]>;
}

/** Binary schemas in a script: `new Uint8Array([3, …])`. */
function* binarySchemasIn(script: Script): Generator<Schema> {
  for (const { node } of script.nodes()) {
    if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'Uint8Array') continue;
    const list = script.valueOf(node.arguments[0]);
    if (list?.type !== 'ArrayExpression' || list.elements.length < MIN_LENGTH) continue;
    const numbers = list.elements.map((element) => (element?.type === 'Literal' && typeof element.value === 'number' ? element.value : NaN));
    if (!numbers.every((number) => number >= 0 && number <= 255)) continue;
    const bytes = Uint8Array.from(numbers);
    const schema = schemaIn(bytes);
    if (!schema) continue;
    const names = new Map<string, string[]>();
    const add = (name: string, fields: string): void => void names.set(fields, [...(names.get(fields) ?? []), name].slice(0, MAX_NAMES));
    for (const { name, fields } of schema.records) add(name, fieldsOf(fields.map((field) => field.name)));
    for (const { name, branches } of schema.unions) add(name, fieldsOf(branches.map(({ discriminator }) => discriminator)));
    yield { bytes, names };
  }
}

/** Fields or discriminators as a key. */
function fieldsOf(fields: readonly (string | number)[]): string {
  return fields.join('\0');
}

/** Definitions of a binary schema; undefined for other bytes. A schema is read by the name of one of its records: a text that ends with a zero. */
function schemaIn(bytes: Uint8Array): t.BebopSchema | undefined {
  const words = new TextDecoder('latin1').decode(bytes).match(/\w+\0?/g) ?? [];
  const names = new Set(words.flatMap((word) => (word.endsWith('\0') ? word.slice(0, -1).replace(/^\d+/, '') : [])));
  for (const name of [...names].slice(0, Math.ceil(MAX_READ / bytes.length))) {
    try {
      return readBinarySchema(bytes, name);
    } catch (error) {
      // The name of a field or an enum; any other error is one of the bytes.
      if (!(error as Error).message.includes(`unknown record ${name};`)) return undefined;
    }
  }
  return undefined;
}

/** Schema of a record and those that it refers to. Undefined if the code does not tell all of them. */
function compiledOf(root: number, drafts: readonly Draft[], byNode: ReadonlyMap<AnyNode, number>): t.BebopSchema | undefined {
  const tables = new t.Tables();
  const known = new Map<number, number>();
  const open: (() => void)[] = [];
  const typeOfDraft = (index: number): number => {
    const before = known.get(index);
    if (before !== undefined) return before;
    const { script, record } = drafts[index]!;
    if (!record) throw UNKNOWN;
    const { kind, fields } = record;
    const name = displayName(record);
    const ref = kind === t.UNION ? tables.unions.push({ name, branches: [] }) - 1 : tables.records.push({ name, fields: [] }) - 1;
    const type = tables.type(kind, ref);
    known.set(index, type);
    open.push(() => {
      const typed = fields.map((field) => ({ name: field.name, index: field.index, type: typeOf(script, field.type) }));
      if (kind === t.UNION) tables.unions[ref]!.branches = typed.map((field) => ({ discriminator: field.index, type: field.type }));
      else tables.records[ref]!.fields = typed;
    });
    return type;
  };
  const typeOf = (script: Script, type: WrittenType): number => {
    if ('scalar' in type) return tables.type(type.scalar);
    if ('item' in type) return tables.array(typeOf(script, type.item));
    if ('key' in type) return tables.map(typeOf(script, type.key), typeOf(script, type.value));
    const value = script.constantOf(type.record);
    const index = value && byNode.get(value);
    if (index === undefined) throw UNKNOWN;
    return typeOfDraft(index);
  };
  try {
    const type = typeOfDraft(root);
    for (const define of open) define();
    return tables.finish(new Map([['root', type]]), 'root');
  } catch {
    return undefined;
  }
}

const UNKNOWN = new Error('unknown record');
