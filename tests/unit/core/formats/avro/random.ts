import avsc from 'avsc6/lib/types.js';

/** The part of avsc's type that the tests use. */
export interface AvscType {
  toBuffer(value: unknown): Uint8Array;
  fromBuffer(bytes: Uint8Array, resolver?: unknown): unknown;
  createResolver(writer: AvscType): unknown;
}

export const forSchema = (json: unknown, wrapUnions: boolean | 'auto' = 'auto'): AvscType =>
  avsc.Type.forSchema(structuredClone(json), { wrapUnions });

/** Seeded pseudo-random numbers (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 0x9e3779b9;
  }

  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => [this.unit(), item] as const)
      .toSorted(([a], [b]) => a - b)
      .map(([, item]) => item);
  }
}

/** A schema as JSON. */
export type Json = string | Json[] | { [key: string]: unknown };

const PRIMITIVES = ['null', 'boolean', 'int', 'long', 'float', 'double', 'string', 'bytes'];
const TEXTS = ['', 'a', 'größer', '🚲 and 🛴', 'x'.repeat(70), 'y'.repeat(9000), '\u0000', 'a "quoted" text'];
const PROMOTED: Record<string, string> = { int: 'number', long: 'number', float: 'number', double: 'number', string: 'text', bytes: 'text' };
const KEYS = ['a', 'b', 'some key', '', 'ключ', '0', 'constructor', 'long key '.repeat(10)];

/** Generates schemas with unique names and recursive records. */
export class SchemaMaker {
  readonly #dice: Dice;
  #names = 0;
  /** True if unions have at most one of the types that are promoted to each other. */
  readonly #distinct: boolean;

  constructor(dice: Dice, distinct = false) {
    this.#dice = dice;
    this.#distinct = distinct;
  }

  make(depth = 3): Json {
    const dice = this.#dice;
    const kind = dice.below(depth > 0 ? 14 : 8);
    if (kind < 8) return PRIMITIVES[kind]!;
    switch (kind) {
      case 8:
        return { type: 'array', items: this.make(depth - 1) };
      case 9:
        return { type: 'map', values: this.make(depth - 1) };
      case 10:
        return { type: 'enum', ...this.#name('E'), symbols: ['A', 'B', 'C', 'D'].slice(0, 1 + dice.below(4)) };
      case 11:
        return { type: 'fixed', ...this.#name('F'), size: dice.pick([0, 1, 4, 16, 100]) };
      case 12:
        return this.#union(depth);
      default:
        return this.#record(depth);
    }
  }

  #name(letter: string): { name: string; namespace?: string } {
    this.#names += 1;
    const name = `${letter}${this.#names}`;
    switch (this.#dice.below(3)) {
      case 0:
        return { name: `some.space.${name}` };
      case 1:
        return { name, namespace: 'some.space' };
      default:
        return { name, namespace: '' };
    }
  }

  #record(depth: number): Json {
    const name = this.#name('R');
    const fields = Array.from({ length: this.#dice.below(6) }, (_, i) => ({ name: `f${i}`, type: this.make(depth - 1) }));
    // A nullable field that contains the record again.
    if (this.#dice.below(4) === 0) fields.push({ name: 'again', type: ['null', nameOf(name)] });
    return { type: 'record', ...name, fields };
  }

  #union(depth: number): Json {
    const seen = new Set<string>();
    const branches: Json[] = [];
    for (let i = 0; i < 1 + this.#dice.below(4); i += 1) {
      const branch = this.make(depth - 1);
      const name = this.#distinct ? (PROMOTED[nameOf(branch)] ?? nameOf(branch)) : nameOf(branch);
      if (Array.isArray(branch) || seen.has(name)) continue;
      seen.add(name);
      branches.push(branch);
    }
    return branches.length > 0 ? branches : ['null'];
  }
}

export function nameOf(schema: Json): string {
  if (typeof schema === 'string') return schema;
  if (Array.isArray(schema)) return 'union';
  const { type, name, namespace } = schema;
  if (name === undefined) return type as string;
  return namespace ? `${namespace as string}.${name as string}` : (name as string);
}

const GROUPS: Record<string, string> = {
  int: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  bytes: 'binary',
  fixed: 'binary',
  string: 'string',
  enum: 'string',
  map: 'object',
  record: 'object',
};

/** Generates values of a schema in avsc's form. */
export class ValueMaker {
  readonly #dice: Dice;
  readonly #named = new Map<string, Json>();
  readonly #wrapped: boolean | 'auto';

  constructor(dice: Dice, schema: Json, wrapped: boolean | 'auto' = 'auto') {
    this.#dice = dice;
    this.#wrapped = wrapped;
    this.#collect(schema);
  }

  #collect(schema: unknown): void {
    if (Array.isArray(schema)) schema.forEach((branch) => this.#collect(branch));
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return;
    const { name, fields, items, values } = schema as { [key: string]: unknown };
    if (name !== undefined) this.#named.set(nameOf(schema as Json), schema as Json);
    for (const field of (fields as { type: unknown }[] | undefined) ?? []) this.#collect(field.type);
    this.#collect(items);
    this.#collect(values);
  }

  make(schema: Json, depth = 4): unknown {
    const dice = this.#dice;
    if (Array.isArray(schema)) return this.#union(schema, depth);
    const full = typeof schema === 'string' ? (this.#named.get(schema) ?? schema) : schema;
    const json = (typeof full === 'string' ? { type: full } : full) as { [key: string]: Json };
    switch (json['type']) {
      case 'null':
        return null;
      case 'boolean':
        return dice.below(2) === 1;
      case 'int':
        return dice.below(3) === 0 ? dice.below(2 ** 32) - 2 ** 31 : dice.below(400) - 200;
      case 'long':
        return dice.below(3) === 0 ? Math.floor((dice.unit() - 0.5) * 2 ** (2 + dice.below(52))) + 0 : dice.below(40_000) - 20_000;
      case 'float':
        return Math.fround(dice.pick([0, -0, 1.5, Infinity, NaN, dice.unit() * 1e9]));
      case 'double':
        return dice.pick([0, -0, 1.5, -Infinity, NaN, dice.unit(), 5, 1e300]);
      case 'string':
        return dice.pick(TEXTS);
      case 'bytes':
        return this.#bytes(dice.pick([0, 1, 5, 200]));
      case 'fixed':
        return this.#bytes(json['size'] as unknown as number);
      case 'enum':
        return dice.pick(json['symbols'] as unknown as string[]);
      case 'array':
        return Array.from({ length: depth > 0 ? dice.below(5) : 0 }, () => this.make(json['items']!, depth - 1));
      case 'map':
        return Object.fromEntries(
          dice
            .shuffled(KEYS)
            .slice(0, depth > 0 ? dice.below(4) : 0)
            .map((key) => [key, this.make(json['values']!, depth - 1)]),
        );
      default: {
        const fields = json['fields'] as unknown as { name: string; type: Json }[];
        return Object.fromEntries(fields.map(({ name, type }) => [name, this.make(type, depth - 1)]));
      }
    }
  }

  #union(branches: Json[], depth: number): unknown {
    const ends = depth <= 0 ? branches.filter((branch) => branch === 'null') : [];
    const branch = this.#dice.pick(ends.length > 0 ? ends : branches);
    const value = this.make(branch, depth - 1);
    if (branch === 'null') return null;
    const groups = branches.map((one) => {
      const { type } = this.#typeOf(one);
      return GROUPS[type] ?? type;
    });
    const wrapped = this.#wrapped === 'auto' ? new Set(groups).size < groups.length : this.#wrapped;
    return wrapped ? { [nameOf(branch)]: value } : value;
  }

  #typeOf(schema: Json): { type: string } {
    const full = typeof schema === 'string' ? (this.#named.get(schema) ?? { type: schema }) : schema;
    return full as { type: string };
  }

  #bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.#dice.below(256));
  }
}

/** Converts avsc's values to plain values. */
export function plain(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.keys(value).map((key) => [key, plain((value as Record<string, unknown>)[key])]));
}
