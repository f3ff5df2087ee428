import { SchemaError } from '../../../errors.ts';
import { STRUCT, type Tables } from './schema.ts';

/** Names reserved by bebopc: definitions must not use them in any case, fields not in this case. */
export const RESERVED: ReadonlySet<string> = new Set([
  'BebopView',
  'BebopReader',
  'BebopWriter',
  'IBebopRecord',
  'BebopRecord',
  'BebopMirror',
  'BebopConstants',
  'BopConstants',
  'Service',
  'prototype',
  'constructor',
  '__proto__',
]);
const RESERVED_DEFINITIONS = new Set([...RESERVED].map((name) => name.toLowerCase()));

/** The types by name. A type used before its definition gets its number at the first use. */
export class Names {
  readonly #tables: Tables;
  readonly #types = new Map<string, number>();
  /** By name: the union in which the type is defined, '' for none. */
  readonly #done = new Map<string, string>();
  readonly #uses: { name: string; user: string; union: string }[] = [];

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  get defined(): ReadonlyMap<string, number> {
    return this.#types;
  }

  /** The type with a name, which may be defined later. */
  use(name: string): number {
    let type = this.#types.get(name);
    if (type === undefined) this.#types.set(name, (type = this.#tables.types.push({ kind: STRUCT, ref: -1, key: -1 }) - 1));
    return type;
  }

  /** `use` for the field or branch of a definition, which is inside a union, or '' for none. */
  useIn(user: string, union: string, name: string): number {
    this.#uses.push({ name, user, union });
    return this.use(name);
  }

  define(name: string, union: string, kind: number, ref: number): number {
    if (this.#done.has(name)) throw new SchemaError(`${name} is defined twice`);
    if (RESERVED_DEFINITIONS.has(name.toLowerCase())) throw new SchemaError(`${name} is a reserved name`);
    this.#done.set(name, union);
    const type = this.use(name);
    this.#tables.types[type] = { kind, ref, key: -1 };
    return type;
  }

  check(absent: readonly string[]): void {
    const name = [...this.#types.keys()].find((candidate) => !this.#done.has(candidate));
    if (name !== undefined) {
      const hint = absent.length > 0 ? `; files that were not given: ${absent.join(', ')}` : '';
      throw new SchemaError(`unknown type ${name}${hint}`);
    }
    for (const { name, user, union } of this.#uses) {
      const scope = this.#done.get(name);
      if (scope && scope !== union) throw new SchemaError(`${user} refers to ${name}, which only the union ${scope} may do`);
    }
  }
}
