import { SchemaError } from '../../../core/errors.ts';

/** Names that stand for types of the language in declarations. */
const TAKEN = ['Date', 'Map', 'Record', 'RegExp', 'Uint8Array'];

/** A property of an object type. */
export interface Property {
  name: string;
  /** Its type, as text. */
  type: string;
  isOptional?: boolean | undefined;
}

/** The text of declarations: each type once, under a name of its own. */
export class Declarations {
  readonly #names: ReadonlyMap<string, string>;
  readonly #texts: string[] = [];
  readonly #done = new Set<string>();

  /** @param fullNames names of all types that may be declared, with dots between their parts */
  constructor(fullNames: readonly string[]) {
    this.#names = shortNames(fullNames);
  }

  get text(): string {
    return this.#texts.join('\n');
  }

  /** The name by which a type is declared. */
  name(fullName: string): string {
    return this.#names.get(fullName) ?? identifier(fullName);
  }

  /** Declares an object type, unless it is declared. */
  object(fullName: string, properties: () => readonly Property[]): void {
    this.#add(fullName, (name) => {
      const body = properties();
      return body.length > 0 ? `export interface ${name} ${objectType(body)}\n` : `export type ${name} = Record<never, never>;\n`;
    });
  }

  /** Declares another name for a type. */
  alias(fullName: string, type: () => string): void {
    this.#add(fullName, (name) => `export type ${name} = ${type()};\n`);
  }

  /**
   * Declares an enum whose values are numbers: its names, as an object, and its type. `open` is the type of an enum of which a
   * payload may have numbers without a name.
   */
  numbers(fullName: string, values: readonly (readonly [name: string, value: number | bigint])[], open?: 'number' | 'number | bigint'): void {
    this.#add(fullName, (name) => {
      const text = (value: number | bigint): string => (isExact(value) ? String(value) : `${value}n`);
      const entries = values.map(([key, value]) => `  ${propertyName(key)}: ${text(value)},\n`).join('');
      const type = open ?? unionType(values.map(([, value]) => text(value)));
      return `export const ${name} = {\n${entries}} as const;\nexport type ${name} = ${type};\n`;
    });
  }

  #add(fullName: string, write: (name: string) => string): void {
    if (this.#done.has(fullName)) return;
    this.#done.add(fullName);
    // Types that this one uses may be declared while it is written, and come after it.
    const at = this.#texts.push('') - 1;
    this.#texts[at] = write(this.name(fullName));
  }
}

/** An object type, whose properties are indented. */
export function objectType(properties: readonly Property[]): string {
  const lines = properties.map(({ name, type, isOptional }) => `  ${propertyName(name)}${isOptional ? '?' : ''}: ${indented(type)};\n`);
  return `{\n${lines.join('')}}`;
}

/**
 * The declarations of several schemas, each once: files that import the same file declare its types alike. Throws a SchemaError if
 * two types of one name differ.
 */
export function withoutRepeats(schemas: readonly (readonly [path: string, text: string])[]): string {
  const known = new Map<string, { path: string; declaration: string }>();
  for (const [path, text] of schemas) {
    for (const lines of text.split(/\n(?=export )/)) {
      const declaration = lines.trimEnd();
      const name = /^export (?:interface|type|const) [\w$]+/.exec(declaration)?.[0] ?? declaration;
      const same = known.get(name);
      if (same && same.declaration !== declaration) {
        throw new SchemaError(`two types named ${name.split(' ').at(-1)} differ, in ${same.path} and ${path}: print them to files of their own`);
      }
      known.set(name, { path, declaration });
    }
  }
  return `${Array.from(known.values(), ({ declaration }) => declaration).join('\n\n')}\n`;
}

/** The type of a list. */
export function listType(item: string): string {
  return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

/** Types without doubles, as a union. */
export function unionType(types: readonly string[]): string {
  return [...new Set(types)].join(' | ') || 'never';
}

/** A text as a literal. */
export function quoted(text: string): string {
  return `'${escaped(text).replaceAll("'", "\\'")}'`;
}

/** A text on one line: line ends, control characters and backslashes are escaped. */
export function escaped(text: string): string {
  const json = JSON.stringify(text).replaceAll(/[\u2028\u2029]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
  return json.slice(1, -1).replaceAll('\\"', '"');
}

function propertyName(name: string): string {
  // A property `__proto__` of an object literal would be its prototype.
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

function indented(type: string): string {
  return type.replaceAll('\n', '\n  ');
}

/** True for an integer that is decoded as a number. */
function isExact(value: number | bigint): boolean {
  return BigInt.asIntN(54, BigInt(value)) === BigInt(value) && BigInt(value) !== -(2n ** 53n);
}

function identifier(text: string): string {
  const name = text.replaceAll(/[^\w$]+/g, '_').replace(/^[a-z]/, (first) => first.toUpperCase());
  if (/^\d/.test(name) || name === '') return `_${name}`;
  return TAKEN.includes(name) ? `${name}_` : name;
}

/** The shortest end of each full name that no other type has: `Stop`, or `Trip_Stop` where several are called `Stop`. */
function shortNames(fullNames: readonly string[]): Map<string, string> {
  const all = [...new Set(fullNames)];
  const parts = new Map(all.map((name) => [name, name.split('.')]));
  const lengths = new Map(all.map((name) => [name, 1]));
  const nameOf = (name: string): string => identifier(parts.get(name)!.slice(-lengths.get(name)!).join('_'));
  for (;;) {
    const shorts = all.map(nameOf);
    const seen = new Set<string>();
    const shared = new Set(shorts.filter((short) => seen.size === seen.add(short).size));
    const longer = all.filter((name, at) => shared.has(shorts[at]!) && lengths.get(name)! < parts.get(name)!.length);
    for (const name of longer) lengths.set(name, lengths.get(name)! + 1);
    if (longer.length === 0) break;
  }
  // Underscores tell names apart that are equal in full, `a.b_c` and `a_b.c`; from the third on, a number follows.
  const used = new Map<string, number>();
  return new Map(
    all.map((name) => {
      const own = nameOf(name);
      let short = own;
      for (let number = used.get(own) ?? 1; used.has(short); number += 1) {
        short = `${own}_${number > 1 ? number : ''}`;
        used.set(own, number + 1);
      }
      used.set(short, 1);
      return [name, short];
    }),
  );
}
