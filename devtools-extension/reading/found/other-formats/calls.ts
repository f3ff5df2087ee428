import type { ServiceMethod } from '../../schemas/services.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { PATH } from '../call-sites.ts';
import { type AnyNode, methodOf, type Script, type Visit, walk } from '../script.ts';
import type { CodeType, CodeTypes } from './code-types.ts';

/** Methods that read or write a whole payload of a type. */
const READS: Partial<Record<FormatId, RegExp>> = {
  avro: /^(?:fromBuffer|decode)$/,
  jsbinary: /^decode$/,
  bebop: /^decode$/,
  flatbuffers: /^getRootAs/,
};
const WRITES: Partial<Record<FormatId, RegExp>> = {
  avro: /^(?:toBuffer|encode)$/,
  jsbinary: /^encode$/,
  bebop: /^encode$/,
  flatbuffers: /^finish\w*Buffer$/,
};

/** Use of a type in the code. */
interface Use {
  type: CodeType;
  isWrite: boolean;
}

/**
 * Paths of requests with the types of their bodies: `Order.decode(await get('/orders', Query.encode(…)))`, or one request
 * and one type of each direction in a statement or function. With several, nothing is certain.
 */
export function callsIn(script: Script, types: CodeTypes): (ServiceMethod & { format: FormatId })[] {
  const found: (ServiceMethod & { format: FormatId })[] = [];
  const known: KnownUses = new Map();
  for (const visit of script.nodes()) {
    const path = pathOf(script, visit.node);
    if (path === undefined) continue;
    const uses = usesAround(script, types, visit, known);
    const read = only(uses.filter(({ isWrite }) => !isWrite));
    const written = only(uses.filter(({ isWrite }) => isWrite));
    for (const format of new Set([read?.format, written?.format])) {
      const nameIn = (type: CodeType | undefined): string => (type?.format === format ? type!.name : '');
      if (format) found.push({ format, path, request: nameIn(written), response: nameIn(read) });
    }
  }
  return found;
}

/** Type of the uses, if it is one. */
function only(uses: readonly Use[]): CodeType | undefined {
  const types = new Set(uses.map(({ type }) => type));
  return types.size === 1 ? uses[0]!.type : undefined;
}

/** Path of a request: `fetch('/orders')`, `post('/orders', …)`, `(async (path) => …)('/orders')` where that was inlined, `new WebSocket('wss://shop.test/ticks')`. */
function pathOf(script: Script, node: AnyNode): string | undefined {
  if (node.type === 'NewExpression') {
    const isSocket = node.callee.type === 'Identifier' && node.callee.name === 'WebSocket';
    return isSocket ? PATH.exec(script.textOf(node.arguments[0]) ?? '')?.[1] : undefined;
  }
  if (node.type !== 'CallExpression') return undefined;
  const isRequest = node.callee.type !== 'MemberExpression' || /^(?:fetch|get|post|put|patch|request)$/.test(methodOf(node) ?? '');
  return isRequest ? PATH.exec(script.textOf(node.arguments[0]) ?? '')?.[1] : undefined;
}

/** Uses in pieces of code with one path, which many requests may be in. */
type KnownUses = Map<AnyNode, Use[]>;

/** Uses that belong to a request for certain. */
function usesAround(script: Script, types: CodeTypes, visit: Visit, known: KnownUses): Use[] {
  const args = 'arguments' in visit.node ? (visit.node.arguments as AnyNode[]) : [];
  const direct = usesIn(script, types, ...args).filter(({ isWrite }) => isWrite);
  let at = visit.around;
  for (; at && !/Function/.test(at.node.type); at = at.around) {
    const use = useOf(script, types, at.node);
    if (!use || use.isWrite) continue;
    direct.push(use);
    break;
  }
  if (direct.length > 0) return direct;
  for (const scope of scopesAround(visit)) {
    let uses = known.get(scope);
    if (!uses) {
      const paths = new Set<string>();
      for (const { node } of walk(scope)) {
        const path = pathOf(script, node);
        if (path !== undefined) paths.add(path);
      }
      known.set(scope, (uses = paths.size === 1 ? usesIn(script, types, scope) : []));
    }
    if (uses.length > 0) return uses;
  }
  return [];
}

/** The statement, or its part in a sequence, and the function around a node. */
function scopesAround(visit: Visit): AnyNode[] {
  const scopes: AnyNode[] = [];
  let at: Visit = visit;
  while (at.around && !/^(?:Program|BlockStatement|VariableDeclaration|SequenceExpression)$|Function/.test(at.around.node.type)) at = at.around;
  scopes.push(at.node);
  let outer: Visit | undefined = at;
  while (outer && !/Function/.test(outer.node.type)) outer = outer.around;
  if (outer) scopes.push(outer.node);
  return scopes;
}

function usesIn(script: Script, types: CodeTypes, ...nodes: AnyNode[]): Use[] {
  return nodes.flatMap((node) => Array.from(walk(node), (visit) => useOf(script, types, visit.node) ?? [])).flat();
}

/** The type that a call reads or writes. */
function useOf(script: Script, types: CodeTypes, node: AnyNode): Use | undefined {
  const method = methodOf(node);
  if (method === undefined || node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return undefined;
  if (method === 'finish') {
    // FlatBuffers: builder.finish(Order.createOrder(…)), builder.finish(Order.endOrder(builder))
    const made = script.valueOf(node.arguments[0]);
    const maker = made && methodOf(made);
    if (made?.type !== 'CallExpression' || made.callee.type !== 'MemberExpression' || !/^(?:create|end)[A-Z]/.test(maker ?? '')) return undefined;
    const type = types.typeOf(script, made.callee.object);
    return type?.format === 'flatbuffers' ? { type, isWrite: true } : undefined;
  }
  const type = types.typeOf(script, node.callee.object) ?? factoryType(script, types, node.callee.object);
  if (!type) return undefined;
  if (READS[type.format]?.test(method) === true) return { type, isWrite: false };
  return WRITES[type.format]?.test(method) === true ? { type, isWrite: true } : undefined;
}

/** Type of a record that Bebop's factory makes: `Order({ … }).encode()`. */
function factoryType(script: Script, types: CodeTypes, node: AnyNode): CodeType | undefined {
  const made = script.valueOf(node);
  const callee = made?.type === 'CallExpression' || made?.type === 'NewExpression' ? made.callee : undefined;
  const type = callee && types.typeOf(script, callee);
  return type?.format === 'bebop' ? type : undefined;
}
