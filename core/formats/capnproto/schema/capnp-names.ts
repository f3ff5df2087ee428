import { type Declaration, type Expression, type Fail, fileOf, nameOf } from './capnp-parser.ts';
import type { NodeId, Scope, TypeUse } from './linker.ts';
import { ANY_POINTER, ENUM, INTERFACE, LIST, STRUCT } from './schema.ts';

/** Limit on the aliases that stand for each other, and on the names looked up. */
const MAX_DEPTH = 50;
const MAX_STEPS = 1_000_000;

/** Types of the language, in the order of their numbers. */
const SCALARS = 'Void Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float32 Float64 Text Data List'.split(' ');
const UNTYPED = ['AnyPointer', 'AnyStruct', 'AnyList', 'Capability'];
const BUILT_IN: ReadonlyMap<string, number> = new Map([
  ...SCALARS.map((name, type) => [name, type] as const),
  ...UNTYPED.map((name) => [name, ANY_POINTER] as const),
]);

/** Meaning of a name: a declaration or a type of the language, with the types bound to its parameters; or such a parameter. */
type Resolved =
  | { readonly declaration: Declaration; readonly brand: Brand }
  | { readonly builtIn: string; readonly argument: Resolved | undefined }
  | { readonly scope: Declaration; readonly index: number };

/** Types bound to the parameters of a declaration and of the scopes around it. */
interface Brand {
  readonly of: Declaration;
  /** Undefined where the parameters are those of the text around the name; empty if nothing is bound. */
  readonly bound: readonly Resolved[] | undefined;
  readonly parent: Brand | undefined;
}

const ANY: Resolved = { builtIn: 'AnyPointer', argument: undefined };
const NO_PARAMETER = { parameter: undefined, id: 0, brand: () => [] as const } as const;

/** Looks up the names of texts, from the innermost scope outwards. */
export class Names {
  readonly #import: (path: string, from: string, fail: Fail) => Declaration;
  readonly #declarations = new Map<NodeId, Declaration>();
  /** Aliases that are being looked up. */
  readonly #aliases = new Set<Declaration>();
  #steps = 0;

  /** `importFile` finds the file with a path that a file names. */
  constructor(importFile: (path: string, from: string, fail: Fail) => Declaration) {
    this.#import = importFile;
  }

  /** The number of a struct or enum, by which `declaration` finds it. */
  idOf(declaration: Declaration): NodeId {
    this.#declarations.set(declaration.id, declaration);
    return declaration.id;
  }

  declaration(id: NodeId): Declaration | undefined {
    return this.#declarations.get(id);
  }

  /** The type that an expression in a scope means. */
  type(expression: Expression, scope: Declaration): TypeUse {
    return this.#use(this.#resolve(expression, scope, around(scope)), expression.fail);
  }

  /** The constant that an expression in a scope means. */
  constant(expression: Expression, scope: Declaration): Declaration {
    const found = this.#resolve(expression, scope, around(scope));
    if (!('declaration' in found) || found.declaration.kind !== 'const') return expression.fail('this is not a constant');
    return found.declaration;
  }

  #resolve(expression: Expression, scope: Declaration, brand: Brand): Resolved {
    const { fail } = expression;
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) fail(`the types of the schema name more than ${MAX_STEPS} types`);
    switch (expression.kind) {
      case 'name': {
        const { name } = expression;
        if (expression.isAbsolute) {
          const file = fileOf(scope);
          return this.#member(file, name, popped(brand, file)) ?? fail(`${name.slice(0, 100)} is not defined in the file`);
        }
        for (let each: Declaration | undefined = scope; each; each = each.parent) {
          const found = this.#member(each, name, popped(brand, each)) ?? this.#parameter(each, name, brand);
          if (found) return found;
        }
        if (!BUILT_IN.has(name)) fail(`${name.slice(0, 100)} is not defined`);
        return { builtIn: name, argument: undefined };
      }
      case 'import': {
        const file = this.#import(expression.path, fileOf(scope).name, fail);
        return { declaration: file, brand: { of: file, bound: [], parent: undefined } };
      }
      case 'member': {
        const owner = this.#resolve(expression.of, scope, brand);
        const found = 'declaration' in owner ? this.#member(owner.declaration, expression.name, owner.brand) : undefined;
        return found ?? fail(`${expression.name.slice(0, 100)} is not defined there`);
      }
      case 'apply': {
        const generic = this.#resolve(expression.of, scope, brand);
        const bound = expression.items.map(({ name, value }) => {
          if (name !== undefined) value.fail('a type parameter is bound by its position, without a name');
          return this.#resolve(value, scope, brand);
        });
        return this.#apply(generic, bound, fail);
      }
      default:
        return fail('expected a name');
    }
  }

  /** A declaration of another; an alias means what it stands for. */
  #member(owner: Declaration, name: string, brand: Brand): Resolved | undefined {
    const found = owner.declarations.get(name);
    if (found?.kind !== 'using') return found && { declaration: found, brand: { of: found, bound: [], parent: brand } };
    const aliases = this.#aliases;
    if (aliases.has(found) || aliases.size >= MAX_DEPTH) found.fail(`the alias ${name} stands for itself, or for more than ${MAX_DEPTH} others`);
    aliases.add(found);
    const target = this.#resolve(found.type!, owner, brand);
    aliases.delete(found);
    return target;
  }

  #parameter(scope: Declaration, name: string, brand: Brand): Resolved | undefined {
    const index = scope.parameters.indexOf(name);
    if (index < 0) return undefined;
    const { bound } = popped(brand, scope);
    return bound ? (bound[index] ?? ANY) : { scope, index };
  }

  #apply(generic: Resolved, bound: readonly Resolved[], fail: Fail): Resolved {
    if ('builtIn' in generic && generic.builtIn === 'List' && !generic.argument) {
      if (bound.length !== 1) fail('a List has the type of its items, List(Text)');
      return { builtIn: 'List', argument: bound[0]! };
    }
    if (!('declaration' in generic) || generic.brand.bound?.length !== 0) return fail('this type has no type parameters');
    const { declaration, brand } = generic;
    const { length } = declaration.parameters;
    if (bound.length !== length) fail(`${nameOf(declaration)} has ${length} type parameters, not ${bound.length}`);
    const isPointer = (type: Resolved): boolean => {
      if ('builtIn' in type) return ['List', 'Text', 'Data', 'AnyPointer'].includes(type.builtIn);
      return !('declaration' in type) || type.declaration.kind === 'struct' || type.declaration.kind === 'interface';
    };
    if (!bound.every(isPointer)) fail('only texts, data, lists, structs and interfaces can be bound to type parameters');
    return { declaration, brand: { ...brand, bound } };
  }

  #use(type: Resolved, fail: Fail): TypeUse {
    const element = (): TypeUse => this.#use('argument' in type ? type.argument! : ANY, fail);
    if ('scope' in type) return { ...NO_PARAMETER, which: ANY_POINTER, element, parameter: { scope: this.idOf(type.scope), index: type.index } };
    if ('builtIn' in type) {
      const which = BUILT_IN.get(type.builtIn)!;
      if (which === LIST) {
        const { argument } = type;
        if (!argument) fail('a List has the type of its items, List(Text)');
        else if ('scope' in argument) fail('a List of a type parameter is not supported');
        else if ('builtIn' in argument && (argument.builtIn === 'AnyPointer' || argument.builtIn === 'AnyStruct'))
          fail(`List(${argument.builtIn}) is not supported`);
      }
      return { ...NO_PARAMETER, which, element };
    }
    const { declaration, brand } = type;
    const which = KINDS[declaration.kind];
    if (which === undefined) return fail(`${nameOf(declaration)} is not a type`);
    return { ...NO_PARAMETER, which, element, id: this.idOf(declaration), brand: () => this.#scopes(brand, fail) };
  }

  #scopes(brand: Brand, fail: Fail): Scope[] {
    const scopes: Scope[] = [];
    for (let each: Brand | undefined = brand; each; each = each.parent) {
      const { of, bound } = each;
      if (bound ? bound.length > 0 : of.parameters.length > 0) scopes.push({ id: of.id, bound: () => bound?.map((type) => this.#use(type, fail)) });
    }
    return scopes;
  }
}

const KINDS: Readonly<Partial<Record<Declaration['kind'], number>>> = { struct: STRUCT, enum: ENUM, interface: INTERFACE };

/** The scopes that a text is in, whose parameters are open. */
function around(scope: Declaration): Brand {
  return { of: scope, bound: undefined, parent: scope.parent && around(scope.parent) };
}

/** The part of a brand that belongs to a scope and those around it. */
function popped(brand: Brand, scope: Declaration): Brand {
  for (let each: Brand | undefined = brand; each; each = each.parent) if (each.of === scope) return each;
  return { of: scope, bound: [], parent: undefined };
}
