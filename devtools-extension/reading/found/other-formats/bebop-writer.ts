import * as t from '../../../../core/formats/bebop/schema/schema.ts';
import { type AnyNode, type FunctionNode, methodOf, nameOfProperty, type Script, type Visit, walk } from '../script.ts';

/** Types of Bebop by the methods that write them. A byte may be a boolean. */
const WRITES: Readonly<Record<string, number>> = {
  writeByte: t.BYTE,
  writeUint16: t.UINT16,
  writeInt16: t.INT16,
  writeUint32: t.UINT32,
  writeInt32: t.INT32,
  writeUint64: t.UINT64,
  writeInt64: t.INT64,
  writeFloat32: t.FLOAT32,
  writeFloat64: t.FLOAT64,
  writeString: t.STRING,
  writeBytes: t.BYTES,
  writeGuid: t.GUID,
  writeDate: t.DATE,
};

/** Type of a value: a scalar, the record that an expression stands for, a list, or a map. */
export type WrittenType = { scalar: number } | { record: AnyNode } | { item: WrittenType } | { key: WrittenType; value: WrittenType };

/** A record by its code for writing. */
export interface WrittenRecord {
  kind: typeof t.STRUCT | typeof t.MESSAGE | typeof t.UNION;
  /** Fields, with their indices in a message; branches of a union, with their discriminators. */
  fields: { name: string; index: number; type: WrittenType }[];
}

/** A step of the code: a call that writes, or the begin or end of a loop. */
type Step =
  | { kind: 'write'; method: string; argument: AnyNode | undefined; node: AnyNode }
  | { kind: 'record'; type: AnyNode; node: AnyNode }
  | { kind: 'loop'; isMap: boolean; node: AnyNode }
  | { kind: 'end'; node: AnyNode };

/**
 * Record that `encodeInto(record, view)` writes. A struct writes its fields one after another; a message a byte with the
 * index before each; a union the byte of its branch. Undefined if the code has anything else.
 */
export function recordOf(script: Script, { params, body }: FunctionNode): WrittenRecord | undefined {
  const [record, view] = params;
  if (record?.type !== 'Identifier' || view?.type !== 'Identifier' || body.type !== 'BlockStatement') return undefined;
  const steps = stepsIn(body, view.name);
  const isLong = steps[0]?.kind === 'write' && steps[0].method === 'reserveMessageLength';
  const branches = isLong ? branchesIn(script, body, view.name) : undefined;
  if (branches) return { kind: t.UNION, fields: branches };
  const fields: WrittenRecord['fields'] = [];
  let at = isLong ? 1 : 0;
  /** Reads a value at a step; undefined for other code. */
  const value = (): WrittenType | undefined => {
    const step = steps[at++];
    if (step?.kind === 'record') return { record: step.type };
    if (step?.kind !== 'write') return undefined;
    const loop = steps[at];
    if (step.method === 'writeUint32' && loop?.kind === 'loop') {
      at += 1;
      const key = loop.isMap ? value() : undefined;
      const item = value();
      if (!item || steps[at++]?.kind !== 'end') return undefined;
      return loop.isMap ? key && { key, value: item } : { item };
    }
    const scalar = WRITES[step.method];
    if (scalar === undefined) return undefined;
    return { scalar: scalar === t.BYTE && isBoolean(step.argument) ? t.BOOL : scalar };
  };
  let from = body.start;
  while (at < steps.length) {
    let index = 0;
    const step = steps[at]!;
    if (isLong) {
      if (step.kind !== 'write') return undefined;
      if (step.method === 'fillMessageLength') break;
      index = (step.method === 'writeByte' ? script.numberOf(step.argument) : undefined) ?? -1;
      if (index < 0) return undefined;
      at += 1;
      if (index === 0) {
        from = step.node.end;
        continue;
      }
    }
    const type = value();
    const { end } = steps[at - 1]?.node ?? body;
    const name = fieldName(body, record.name, from, end);
    if (type === undefined || name === undefined) return undefined;
    fields.push({ name, type, index });
    from = end;
  }
  return { kind: isLong ? t.MESSAGE : t.STRUCT, fields };
}

/** Steps of the code in the order of the text. */
function stepsIn(body: AnyNode, view: string): Step[] {
  const steps: Step[] = [];
  const open: AnyNode[] = [];
  const close = (start: number): void => {
    for (let loop = open.at(-1); loop && loop.end <= start; loop = open.at(-1)) {
      steps.push({ kind: 'end', node: loop });
      open.pop();
    }
  };
  for (const { node } of walk(body)) {
    close(node.start);
    if (node.type === 'ForStatement' || node.type === 'ForOfStatement') {
      steps.push({ kind: 'loop', isMap: node.type === 'ForOfStatement', node });
      open.push(node);
    }
    if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') continue;
    const method = methodOf(node) ?? '';
    if (isName(node.callee.object, view)) steps.push({ kind: 'write', method, argument: node.arguments[0], node });
    else if (method === 'encodeInto') steps.push({ kind: 'record', type: node.callee.object as AnyNode, node });
  }
  close(Infinity);
  return steps;
}

function isName(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name;
}

/** True for `Number(record.isPaid)`. */
function isBoolean(node: AnyNode | undefined): boolean {
  if (node?.type === 'UnaryExpression') return node.operator === '+';
  return node?.type === 'CallExpression' && isName(node.callee, 'Number');
}

/** Name of the only property of the record in a piece of the code. */
function fieldName(body: AnyNode, record: string, from: number, end: number): string | undefined {
  const names = new Set<string>();
  for (const { node } of walk(body)) {
    if (node.start < from || node.end > end || node.type !== 'MemberExpression' || node.computed || !isName(node.object, record)) continue;
    names.add(nameOfProperty(node.property) ?? '');
  }
  const [name] = names;
  return names.size === 1 && /^[A-Za-z_]\w*$/.test(name!) ? name : undefined;
}

/** Branches of a union: `switch (record.tag) { case 1: Card.encodeInto(record.value, view); … }`. */
function branchesIn(script: Script, body: AnyNode, view: string): WrittenRecord['fields'] | undefined {
  const found = Array.from(walk(body), ({ node }: Visit) => node).find(({ type }) => type === 'SwitchStatement');
  if (found?.type !== 'SwitchStatement') return undefined;
  const branches = found.cases.flatMap(({ test, consequent }) => {
    const index = script.numberOf(test);
    const steps = consequent.flatMap((part) => stepsIn(part, view));
    const [step] = steps;
    return index !== undefined && steps.length === 1 && step!.kind === 'record' ? [{ name: '', index, type: { record: step!.type } }] : [];
  });
  return branches.length === found.cases.length ? branches : undefined;
}
