import { type AnyNode, type Expression, type Function as FunctionNode, type Node, parse, type Pattern, type Program } from 'acorn';

export type { AnyNode, Expression, FunctionNode, Node };

/** Names declared in a function, a block or a module, with all values that the code assigns to them. */
class Scope {
  readonly outer: Scope | undefined;
  readonly names = new Map<string, AnyNode[]>();

  constructor(outer: Scope | undefined) {
    this.outer = outer;
  }

  declare(name: string): AnyNode[] {
    let values = this.names.get(name);
    if (!values) this.names.set(name, (values = []));
    return values;
  }

  valuesOf(name: string): AnyNode[] | undefined {
    return this.names.get(name) ?? this.outer?.valuesOf(name);
  }
}

/** A node, and the node around it. */
export interface Visit {
  node: AnyNode;
  around: Visit | undefined;
}

/** Largest nesting of a script's syntax tree. */
const MAX_DEPTH = 2_000;
/** Steps from a name to its value. */
const MAX_STEPS = 12;
/** Limits on a sum of texts: parts, which may be sums, and characters. */
const MAX_PARTS = 50;
const MAX_SUM = 10_000;

/** Length of the longest script whose list of nodes is kept, in characters: the list takes several times its memory. */
const MAX_KEPT = 2_000_000;

/** A parsed script, whose names lead to their values. Nothing of it is run. */
export class Script {
  readonly url: string;
  readonly #scopes = new Map<AnyNode, Scope>();
  readonly #scopeOf = new WeakMap<AnyNode, Scope>();
  readonly #imports = new Map<string, { from: string; name: string }>();
  readonly #exports = new Map<string, string>();
  readonly #program: Program;
  readonly #module: Scope;
  #visits: Visit[] | undefined;
  /** Finds another script by its URL. */
  readonly #others: (url: string) => Script | undefined;

  /** Throws a SyntaxError. */
  constructor(url: string, text: string, others: (url: string) => Script | undefined) {
    this.url = url;
    this.#others = others;
    this.#program = parseScript(text);
    this.#module = new Scope(undefined);
    this.#declare();
  }

  /** All nodes, outer ones first. */
  nodes(): Iterable<Visit> {
    if (this.#program.end > MAX_KEPT) return walk(this.#program);
    return (this.#visits ??= [...walk(this.#program)]);
  }

  /** Value that a name or an expression stands for, as far as the code tells; a name without one is returned itself. */
  valueOf(node: AnyNode | null | undefined, steps = 0): AnyNode | undefined {
    if (!node || steps > MAX_STEPS) return undefined;
    switch (node.type) {
      case 'Identifier': {
        const values = (this.#scopeOf.get(node) ?? this.#module).valuesOf(node.name);
        const [last] = values?.slice(-1) ?? [];
        if (last) return this.valueOf(last, steps + 1);
        const imported = this.#imports.get(node.name);
        return (imported && this.#others(imported.from)?.exported(imported.name, steps + 1)) ?? node;
      }
      case 'ArrowFunctionExpression':
        return node.body.type === 'BlockStatement' ? node : this.valueOf(node.body, steps + 1);
      case 'AssignmentExpression':
        return this.valueOf(node.right, steps + 1);
      case 'SequenceExpression':
        return this.valueOf(node.expressions.at(-1), steps + 1);
      case 'NewExpression': {
        const made = this.valueOf(node.callee, steps + 1);
        return made && (made.type === 'ClassExpression' || made.type === 'ClassDeclaration') ? made : node;
      }
      case 'ParenthesizedExpression':
        return this.valueOf(node.expression, steps + 1);
      default:
        return node;
    }
  }

  /** Value that the code assigned last before a use of a name: compilers give one name to several values. */
  assignedBefore(name: Extract<AnyNode, { type: 'Identifier' }>): AnyNode | undefined {
    const values = this.#scopeOf.get(name)?.valuesOf(name.name);
    return values?.findLast(({ end }) => end <= name.start);
  }

  /** Value of an export. */
  exported(name: string, steps = 0): AnyNode | undefined {
    const local = this.#exports.get(name);
    const [last] = (local === undefined ? undefined : this.#module.valuesOf(local))?.slice(-1) ?? [];
    return this.valueOf(last, steps);
  }

  /** Text of a literal, of a name that stands for one, or of a sum of few of them. */
  textOf(node: AnyNode | null | undefined): string | undefined {
    let text = '';
    const open = [node];
    // A sum of sums of a name with itself has many parts in little code.
    for (let parts = 0; open.length > 0; parts += 1) {
      const value = parts < MAX_PARTS ? this.valueOf(open.pop()) : undefined;
      if (value?.type === 'BinaryExpression' && value.operator === '+') open.push(value.right, value.left);
      else if (value?.type === 'Literal' && typeof value.value === 'string') text += value.value;
      else if (value?.type === 'TemplateLiteral' && value.expressions.length === 0) text += value.quasis[0]!.value.cooked ?? '';
      else return undefined;
      if (parts > 0 && text.length > MAX_SUM) return undefined;
    }
    return text;
  }

  /** Number of a literal, or of a name or enum member that stands for one. */
  numberOf(node: AnyNode | null | undefined): number | undefined {
    const value = this.valueOf(node);
    return value?.type === 'Literal' && typeof value.value === 'number' ? value.value : undefined;
  }

  /** True for `true` and minified `!0`. */
  isTrue(node: AnyNode | null | undefined): boolean {
    if (node?.type === 'Literal') return node.value === true || node.value === 1 || node.value === 2;
    return node?.type === 'UnaryExpression' && node.operator === '!' && node.argument.type === 'Literal' && node.argument.value === 0;
  }

  #declare(): void {
    const scopes: Scope[] = [this.#module];
    const visit = (node: AnyNode, depth: number): void => {
      if (depth > MAX_DEPTH) throw new SyntaxError('the script is nested too deep');
      const opens = SCOPES.test(node.type);
      if (opens) {
        // The name of a function or class belongs to the scope around it.
        if ('id' in node && node.id?.type === 'Identifier') scopes.at(-1)!.declare(node.id.name).push(node);
        const scope = new Scope(scopes.at(-1));
        scopes.push(scope);
        this.#scopes.set(node, scope);
        for (const parameter of 'params' in node ? node.params : []) for (const name of namesIn(parameter)) scope.declare(name);
      }
      if (node.type === 'VariableDeclaration') {
        for (const { id } of node.declarations) for (const name of namesIn(id)) scopes.at(-1)!.declare(name);
      } else if (node.type === 'ImportDeclaration') {
        this.#importFrom(node);
      } else if (node.type === 'ExportNamedDeclaration' && !node.source) {
        for (const { local, exported } of node.specifiers) {
          if (local.type === 'Identifier') this.#exports.set(exported.type === 'Identifier' ? exported.name : String(exported.value), local.name);
        }
      }
      this.#scopeOf.set(node, scopes.at(-1)!);
      for (const child of childrenOf(node)) visit(child, depth + 1);
      if (opens) scopes.pop();
    };
    visit(this.#program, 0);
    // Assignments may precede declarations, so they come last.
    for (const { node } of this.nodes()) {
      const target =
        node.type === 'VariableDeclarator' ? node.id : node.type === 'AssignmentExpression' && node.operator === '=' ? node.left : undefined;
      const value = node.type === 'VariableDeclarator' ? node.init : node.type === 'AssignmentExpression' ? node.right : undefined;
      if (!target || !value) continue;
      const scope = this.#scopeOf.get(node)!;
      if (target.type === 'Identifier') scope.valuesOf(target.name)?.push(value);
      if (target.type === 'ObjectPattern') for (const [name, member] of membersOf(target, value)) scope.valuesOf(name)?.push(member);
    }
  }

  #importFrom({ source, specifiers }: Extract<AnyNode, { type: 'ImportDeclaration' }>): void {
    if (!URL.canParse(String(source.value), this.url)) return;
    const from = new URL(String(source.value), this.url).href;
    for (const specifier of specifiers) {
      if (specifier.type !== 'ImportSpecifier') continue;
      const { imported } = specifier;
      this.#imports.set(specifier.local.name, { from, name: imported.type === 'Identifier' ? imported.name : String(imported.value) });
    }
  }
}

const SCOPES = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression|ClassDeclaration|ClassExpression)$/;

function parseScript(text: string): Program {
  const options = { ecmaVersion: 'latest', allowHashBang: true } as const;
  try {
    return parse(text, { ...options, sourceType: 'module' });
  } catch {
    return parse(text, { ...options, sourceType: 'script', allowReturnOutsideFunction: true });
  }
}

/** Yields a node and all its descendants, outer ones first. */
export function* walk(node: AnyNode, around?: Visit): Generator<Visit> {
  // A stack of its own instead of recursion: a generator in a generator would cost each node its depth.
  const stack: Visit[] = [{ node, around }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next;
    const children = childrenOf(next.node);
    for (let at = children.length - 1; at >= 0; at -= 1) stack.push({ node: children[at]!, around: next });
  }
}

/** Nodes directly in a node. */
function childrenOf(node: AnyNode): AnyNode[] {
  const found: AnyNode[] = [];
  for (const value of Object.values(node) as unknown[]) {
    if (Array.isArray(value)) for (const item of value) if (isNode(item)) found.push(item);
    if (isNode(value)) found.push(value);
  }
  return found;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

/** Names that a pattern declares. */
export function namesIn(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) => namesIn(property.type === 'RestElement' ? property.argument : property.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    default:
      return [];
  }
}

/** Names that a pattern declares, with the members of the value that they stand for: `const { Order } = shop.v1`. */
function membersOf({ properties }: Extract<AnyNode, { type: 'ObjectPattern' }>, object: AnyNode): [name: string, member: AnyNode][] {
  return properties.flatMap((property): [string, AnyNode][] => {
    if (property.type !== 'Property' || property.computed) return [];
    const { key, value, start, end } = property;
    const target = value.type === 'AssignmentPattern' ? value.left : value;
    if (target.type !== 'Identifier' || key.type !== 'Identifier') return [];
    const member = { type: 'MemberExpression', object, property: key, computed: false, optional: false, start, end } as AnyNode;
    return [[target.name, member]];
  });
}

/** Name of a property or method, without brackets or quotes. */
export function nameOfProperty(key: AnyNode): string | undefined {
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}

/** Properties of an object literal by name; the last one of each. */
export function propertiesOf(node: AnyNode | undefined): ReadonlyMap<string, AnyNode> {
  const found = new Map<string, AnyNode>();
  if (node?.type !== 'ObjectExpression') return found;
  for (const property of node.properties) {
    const name = property.type === 'Property' && !property.computed ? nameOfProperty(property.key) : undefined;
    if (name !== undefined && property.type === 'Property') found.set(name, property.value);
  }
  return found;
}

/** Name of a property that a call is made on: `write` for `x.write(…)`. */
export function methodOf(node: AnyNode): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression' || node.callee.computed) return undefined;
  return nameOfProperty(node.callee.property);
}

/** Names of a chain such as `proto.shop.Order`; undefined for other expressions. */
export function chainOf(node: AnyNode | undefined): string[] | undefined {
  const names: string[] = [];
  let at: AnyNode | undefined = node;
  while (at?.type === 'MemberExpression' && !at.computed) {
    const name = nameOfProperty(at.property);
    if (name === undefined) return undefined;
    names.unshift(name);
    at = at.object;
  }
  return at?.type === 'Identifier' ? [at.name, ...names] : undefined;
}
