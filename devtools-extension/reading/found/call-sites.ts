import type { ServiceMethod } from '../schemas/services.ts';
import type { Registry } from './registry.ts';
import { type AnyNode, methodOf, nameOfProperty, propertiesOf, type Script, type Visit, walk } from './script.ts';
import type { DraftMessage } from './types.ts';
import { assignedName } from './writers.ts';

/** Path of a method at the end of a URL, without the leading slash. */
const METHOD = /^\/?([\w.]{1,500}\/\w{1,500})$/;
/** Path of a request that the code makes. */
const PATH = /^(?:(?:https?|wss?):\/\/[^/?#]{1,500})?\/([\w./-]{0,1000}\w)(?:[?#]|$)/;

/** Paths of calls with the types of their requests and responses, as the code of clients and services has them. */
export function methodsIn(script: Script, registry: Registry): ServiceMethod[] {
  const found: ServiceMethod[] = [];
  const assigned: Assigned = new Map();
  const add = (path: string | undefined, request: DraftMessage | undefined, response: DraftMessage | undefined): void => {
    if (path !== undefined && (request ?? response)) found.push({ path, request: request?.name ?? '', response: response?.name ?? '' });
  };
  for (const visit of script.nodes()) {
    const { node } = visit;
    if (node.type === 'ObjectExpression') {
      const properties = propertiesOf(node);
      const request = properties.get('I') ?? properties.get('requestType') ?? properties.get('requestSerialize');
      const response = properties.get('O') ?? properties.get('responseType') ?? properties.get('responseDeserialize');
      if (request && response)
        add(pathOf(script, properties, visit), typeIn(script, registry, request, 'written'), typeIn(script, registry, response, 'read'));
    } else if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const args = node.arguments as AnyNode[];
      // new MethodDescriptor('/shop.Orders/Get', MethodType.UNARY, proto.shop.GetRequest, proto.shop.Order, …)
      const path = METHOD.exec(script.textOf(args[0]) ?? '')?.[1];
      const types = path?.includes('.') === true ? args.slice(1).flatMap((argument) => registry.typeOf(script, argument) ?? []) : [];
      if (types.length >= 2) add(path, types[0], types[1]);
      else if (isRpcCall(node)) {
        const [request, response] = args.flatMap((argument) => registry.typeOf(script, argument) ?? []);
        add(rpcPath(script, visit), request, response);
      } else if (methodOf(node) === 'request' || node.type === 'CallExpression') addCall(script, registry, visit, assigned, add);
    }
  }
  return found;
}

/** Values that a class assigns to properties of `this`, by its body; the first of each. */
type Assigned = Map<AnyNode, Map<string, AnyNode>>;

type Add = (path: string | undefined, request: DraftMessage | undefined, response: DraftMessage | undefined) => void;

/** Adds a call whose function encodes one type and decodes one: `rpc.request('shop.Orders', 'Get', data)`, `fetch('/api/orders', …)`. */
function addCall(script: Script, registry: Registry, { node, around }: Visit, assigned: Assigned, add: Add): void {
  if (node.type !== 'CallExpression') return;
  const args = node.arguments as AnyNode[];
  const [first, second] = [args[0] && serviceName(script, args[0], around, assigned), script.textOf(args[1])];
  const isRpc = methodOf(node) !== undefined && first !== undefined && /^[\w.]+$/.test(first) && /^\w+$/.test(second ?? '');
  const isRequest = node.callee.type === 'Identifier' || methodOf(node) === 'fetch' || methodOf(node) === 'post';
  const path = isRpc ? `${first}/${second}` : isRequest ? PATH.exec(script.textOf(args[0]) ?? '')?.[1] : undefined;
  if (path === undefined) return;
  let at = around;
  while (at && !/Function/.test(at.node.type)) at = at.around;
  if (!at) return;
  const { written, read } = registry.usedIn(script, at.node);
  if (written.length <= 1 && read.length <= 1) add(path, written[0], read[0]);
}

/** Full name of a service: a text, or the text that a constructor assigns to `this.service`. */
function serviceName(script: Script, node: AnyNode, around: Visit | undefined, assigned: Assigned): string | undefined {
  const direct = script.textOf(node);
  if (direct !== undefined || node.type !== 'MemberExpression' || node.object.type !== 'ThisExpression') return direct;
  let at = around;
  while (at && at.node.type !== 'ClassBody') at = at.around;
  if (!at) return undefined;
  let values = assigned.get(at.node);
  if (!values) assigned.set(at.node, (values = assignedIn(at.node)));
  const value = values.get(nameOfProperty(node.property) ?? '');
  return script.textOf(value?.type === 'LogicalExpression' ? value.right : value);
}

function assignedIn(body: AnyNode): Map<string, AnyNode> {
  const values = new Map<string, AnyNode>();
  for (const { node } of walk(body)) {
    const name = node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression' ? nameOfProperty(node.left.property) : undefined;
    if (name !== undefined && node.type === 'AssignmentExpression' && !values.has(name)) values.set(name, node.right);
  }
  return values;
}

/** Path of a method that an object describes, from its own properties and those of the service around it. */
function pathOf(script: Script, properties: ReadonlyMap<string, AnyNode>, { around }: Visit): string | undefined {
  const path = METHOD.exec(script.textOf(properties.get('path')) ?? '')?.[1];
  if (path !== undefined) return path;
  const name = script.textOf(properties.get('name') ?? properties.get('methodName'));
  if (name === undefined) return undefined;
  const own = propertiesOf(script.valueOf(properties.get('service')));
  const service = script.textOf(own.get('serviceName')) ?? serviceAround(script, around);
  return service === undefined ? undefined : `${service}/${name}`;
}

/** Full name of the service whose list of methods is around a node: `{ typeName, methods: { … } }`, `new ServiceType(name, [ … ])`. */
function serviceAround(script: Script, around: Visit | undefined): string | undefined {
  for (let at = around; at; at = at.around) {
    const properties = propertiesOf(at.node);
    const name = script.textOf(properties.get('typeName') ?? properties.get('fullName') ?? properties.get('serviceName'));
    if (name !== undefined) return name;
    if (at.node.type === 'NewExpression') return script.textOf(at.node.arguments[0]);
  }
  return undefined;
}

/** True for `this.rpcCall(…)` and `Service.prototype.rpcCall.call(this, …)`. */
function isRpcCall(node: AnyNode): boolean {
  const method = methodOf(node);
  if (method !== 'call') return method === 'rpcCall';
  const called = node.type === 'CallExpression' && node.callee.type === 'MemberExpression' ? node.callee.object : undefined;
  return called?.type === 'MemberExpression' && !called.computed && nameOfProperty(called.property) === 'rpcCall';
}

/**
 * Path of a method of protobuf.js: `Object.defineProperties(Orders.prototype.get = function () { … rpcCall … }, { path: { value:
 * '/shop.Orders/Get' } })`, or, in version 7, `Object.defineProperty(…, 'name', { value: 'Get' })` in the service's namespaces.
 */
function rpcPath(script: Script, visit: Visit): string | undefined {
  for (let at = visit.around; at; at = at.around) {
    if (at.node.type !== 'CallExpression') continue;
    const [, second, third] = at.node.arguments as AnyNode[];
    const path = script.textOf(propertiesOf(propertiesOf(second).get('path')).get('value'));
    if (path !== undefined) return METHOD.exec(path)?.[1];
    if (methodOf(at.node) !== 'defineProperty') continue;
    const name = script.textOf(propertiesOf(third).get('value'));
    const service = assignedName(at);
    return name === undefined || service === undefined ? undefined : `${service}/${name}`;
  }
  return undefined;
}

/** Type that an expression names, or the only type that its code encodes or decodes. */
function typeIn(script: Script, registry: Registry, node: AnyNode, use: 'written' | 'read'): DraftMessage | undefined {
  const direct = registry.typeOf(script, node);
  if (direct) return direct;
  const used = registry.usedIn(script, node)[use];
  return used.length === 1 ? used[0] : undefined;
}
