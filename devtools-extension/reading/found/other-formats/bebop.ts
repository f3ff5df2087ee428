import { readBinarySchema } from '../../../../core/formats/bebop/schema/binary-schema.ts';
import * as t from '../../../../core/formats/bebop/schema/schema.ts';
import { type AnyNode, chainOf, type FunctionNode, nameOfProperty, propertiesOf, type Script, type Visit } from '../script.ts';
import { type CodeTypes, nameByFields } from './code-types.ts';
import { recordOf, type WrittenRecord, type WrittenType } from './bebop-writer.ts';

/** Shortest binary schema, in bytes. */
const SHORTEST = 16;

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
    const named = schemas.flatMap(({ bytes, names }) => names.filter((name) => isSame(bytes, name, record)).map((name) => ({ bytes, name })));
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

/** Binary schemas in a script: `new Uint8Array([3, …])`. */
function* binarySchemasIn(script: Script): Generator<{ bytes: Uint8Array; names: string[] }> {
  for (const { node } of script.nodes()) {
    if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier' || node.callee.name !== 'Uint8Array') continue;
    const list = script.valueOf(node.arguments[0]);
    if (list?.type !== 'ArrayExpression' || list.elements.length < SHORTEST) continue;
    const numbers = list.elements.map((element) => (element?.type === 'Literal' && typeof element.value === 'number' ? element.value : NaN));
    if (!numbers.every((number) => number >= 0 && number <= 255)) continue;
    const bytes = Uint8Array.from(numbers);
    const names = recordNames(bytes);
    if (names.length > 0) yield { bytes, names };
  }
}

/** Names of the records of a binary schema; none if it is no schema. */
function recordNames(bytes: Uint8Array): string[] {
  try {
    // Without a known name, the error lists those that are known.
    readBinarySchema(bytes, '');
    return [];
  } catch {
    return namesIn(bytes);
  }
}

/** Names in the bytes that are records of the schema: texts that end with a zero. */
function namesIn(bytes: Uint8Array): string[] {
  const texts = new Set(new TextDecoder('latin1').decode(bytes).match(/[A-Za-z_]\w*(?=\0)/g));
  return [...texts].filter((name) => fieldsIn(bytes, name) !== undefined);
}

/** Names of the fields of a record, or discriminators of a union's branches; undefined if the schema does not define it. */
function fieldsIn(bytes: Uint8Array, name: string): string[] | undefined {
  try {
    const { types, records, unions, root } = readBinarySchema(bytes, name);
    const { kind, ref } = types[root]!;
    return kind === t.UNION
      ? unions[ref]!.branches.map(({ discriminator }) => String(discriminator))
      : records[ref]!.fields.map((field) => field.name);
  } catch {
    return undefined;
  }
}

/** True if the fields of a record of a binary schema are those that the code writes. */
function isSame(bytes: Uint8Array, name: string, { kind, fields }: WrittenRecord): boolean {
  const own = fieldsIn(bytes, name);
  return (
    own !== undefined &&
    own.length === fields.length &&
    own.every((field, at) => field === (kind === t.UNION ? String(fields[at]!.index) : fields[at]!.name))
  );
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
