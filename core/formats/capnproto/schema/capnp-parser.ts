import { SchemaLexer, type Tokens } from '../../../format/schema-lexer.ts';

/** Signs are read as far as they go, as by the reference compiler; a text after a backtick ends with its line. */
const TOKENS: Tokens = {
  quotes: '"',
  blank: /[ \f\n\r\t\v\uFEFF]+|#[^\n]*/y,
  token: /([A-Za-z_]\w*)|(0x(?=")|0x[\da-fA-F]+(?![\w.])|\d+(?:\.\d*)?(?:[eE][+-]?\d*)?(?![\w.]))|([!$%&*+\-./:<=>?@^|~]+|[(){}[\],;]|`[^\r\n]*)/y,
};

/** Nesting depth of declarations and expressions. */
const MAX_DEPTH = 100;
/** The highest ordinal. */
const MAX_ORDINAL = 65_534;

/** Throws a SchemaError with the file, the line and the column of a part. */
export type Fail = (reason: string) => never;

/** A type or value as written. */
export type Expression = { readonly fail: Fail } & (
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text' | 'data'; readonly bytes: Uint8Array }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'tuple'; readonly items: readonly Argument[] }
  | { readonly kind: 'import' | 'embed'; readonly path: string }
  /** A name of the scope or of those around it; `isAbsolute`, of the file. */
  | { readonly kind: 'name'; readonly name: string; readonly isAbsolute: boolean }
  | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'apply'; readonly of: Expression; readonly items: readonly Argument[] }
);

/** An argument, or a field with its value. */
export interface Argument {
  readonly name: string | undefined;
  readonly value: Expression;
}

/** A declaration that has a name and may hold others. */
export interface Declaration {
  readonly kind: 'file' | 'struct' | 'enum' | 'interface' | 'const' | 'annotation' | 'using';
  /** Path of the file for a file. */
  readonly name: string;
  /** Counts the declarations of all files. */
  readonly id: number;
  readonly parent: Declaration | undefined;
  /** Names of the type parameters. */
  readonly parameters: readonly string[];
  readonly declarations: Map<string, Declaration>;
  /** Members of a struct. */
  readonly members: readonly Member[];
  /** Names of an enum, in the order of their values. */
  readonly enumerants: readonly string[];
  /** Type of a constant, or the target of an alias. */
  readonly type: Expression | undefined;
  readonly value: Expression | undefined;
  readonly fail: Fail;
}

/** Name of a declaration with those around it, without the file. */
export function nameOf({ name, parent }: Declaration): string {
  return parent === undefined || parent.kind === 'file' ? name : `${nameOf(parent)}.${name}`;
}

/** The file of a declaration. */
export function fileOf(declaration: Declaration): Declaration {
  return declaration.parent ? fileOf(declaration.parent) : declaration;
}

/** A field, group or union of a struct as written. */
export interface Member {
  readonly kind: 'field' | 'group' | 'union';
  /** '' for a union without a name. */
  readonly name: string;
  readonly ordinal: number | undefined;
  readonly type: Expression | undefined;
  readonly default: Expression | undefined;
  /** Members of a group or union. */
  readonly members: readonly Member[];
  readonly fail: Fail;
}

/** Counts declarations, so that each has its number, and refuses too many of them. */
export type Count = (fail: Fail) => number;

/**
 * Parses a `.capnp` text (https://capnproto.org/language.html). Methods and annotations are skipped: no value depends on them.
 */
export function parseCapnp(text: string, path: string, count: Count): Declaration {
  return new Parser(text, path, count).file();
}

class Parser {
  readonly #lexer: SchemaLexer;
  readonly #path: string;
  readonly #count: Count;
  #depth = 0;

  constructor(text: string, path: string, count: Count) {
    this.#lexer = new SchemaLexer(text, path, TOKENS);
    this.#path = path;
    this.#count = count;
  }

  file(): Declaration {
    const lexer = this.#lexer;
    const file = this.#declare('file', this.#path, undefined, this.#here());
    while (lexer.kind !== 'end') {
      if (this.#is('@')) {
        this.#id();
        this.#endStatement();
      } else if (this.#is('$')) this.#endStatement();
      else this.#generic(lexer.read('word'), file, this.#here());
    }
    return file;
  }

  /** Reports errors at the current token, also once other files are parsed. */
  #here(): Fail {
    const lexer = this.#lexer;
    const { start } = lexer;
    return (reason) => lexer.fail(reason, start);
  }

  #is(sign: string): boolean {
    return this.#lexer.kind === 'sign' && this.#lexer.token === sign;
  }

  #declare(
    kind: Declaration['kind'],
    name: string,
    parent: Declaration | undefined,
    fail: Fail,
    parts: Partial<Pick<Declaration, 'parameters' | 'members' | 'enumerants' | 'type' | 'value'>> = {},
  ): Declaration {
    const declaration: Declaration = {
      kind,
      name,
      id: this.#count(fail),
      parent,
      parameters: [],
      declarations: new Map(),
      members: [],
      enumerants: [],
      type: undefined,
      value: undefined,
      fail,
      ...parts,
    };
    if (parent?.declarations.has(name)) fail(`${name} is defined twice`);
    parent?.declarations.set(name, declaration);
    return declaration;
  }

  /** A declaration that may stand in a file, a struct or an interface; its keyword is read. */
  #generic(keyword: string, parent: Declaration, fail: Fail): void {
    const lexer = this.#lexer;
    switch (keyword) {
      case 'using':
        this.#using(parent);
        break;
      case 'const': {
        const name = lexer.read('word');
        this.#optionalId();
        lexer.expect(':');
        const type = this.#expression();
        lexer.expect('=');
        this.#declare('const', name, parent, fail, { type, value: this.#expression() });
        this.#endStatement();
        break;
      }
      case 'annotation':
        this.#declare('annotation', lexer.read('word'), parent, fail);
        this.#endStatement(true);
        break;
      case 'enum':
        this.#enum(parent, fail);
        break;
      case 'struct': {
        const members: Member[] = [];
        const struct = this.#declare('struct', lexer.read('word'), parent, fail, { ...this.#head(), members });
        this.#block(() => this.#member(struct, members, true));
        break;
      }
      case 'interface': {
        const name = lexer.read('word');
        const head = this.#head();
        if (lexer.take('extends')) this.#arguments();
        this.#annotations();
        const declaration = this.#declare('interface', name, parent, fail, head);
        this.#block(() => {
          const at = this.#here();
          const word = lexer.read('word');
          if (this.#is('@')) this.#endStatement(true);
          else this.#generic(word, declaration, at);
        });
        break;
      }
      default:
        fail(`expected a declaration but found ${keyword.slice(0, 40)}`);
    }
  }

  /** `using Name = target;`, or `using target.Name;`. */
  #using(parent: Declaration): void {
    const fail = this.#here();
    let target = this.#expression();
    let name: string;
    if (target.kind === 'name' && !target.isAbsolute && this.#lexer.take('=')) {
      name = target.name;
      target = this.#expression();
    } else if (target.kind === 'member') ({ name } = target);
    else return target.fail('a using without = must name a declaration of another scope');
    this.#declare('using', name, parent, fail, { type: target });
    this.#endStatement();
  }

  #enum(parent: Declaration, fail: Fail): void {
    const lexer = this.#lexer;
    const name = lexer.read('word');
    this.#optionalId();
    this.#annotations();
    const names: string[] = [];
    const known = new Set<string>();
    const ordinals = new Ordinals();
    this.#block(() => {
      const at = this.#here();
      const each = lexer.read('word');
      if (known.has(each)) at(`${each} is defined twice`);
      known.add(each);
      const ordinal = this.#ordinal();
      this.#count(at);
      ordinals.add(ordinal, at);
      names[ordinal] = each;
      this.#endStatement();
    });
    ordinals.check();
    this.#declare('enum', name, parent, fail, { enumerants: names });
  }

  /** `@id (T, U) $annotation`. */
  #head(): { parameters: string[] } {
    const lexer = this.#lexer;
    const parameters: string[] = [];
    this.#optionalId();
    if (lexer.take('(')) {
      while (!lexer.take(')')) {
        parameters.push(lexer.read('word'));
        if (!lexer.take(',') && !this.#is(')')) lexer.unexpected('“,”');
      }
    }
    this.#annotations();
    return { parameters };
  }

  #block(read: () => void): void {
    const lexer = this.#lexer;
    lexer.expect('{');
    this.#deeper(() => {
      while (!lexer.take('}')) read();
    });
  }

  #deeper<Result>(read: () => Result): Result {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.#lexer.fail(`the text is nested more than ${MAX_DEPTH} levels deep`);
    const result = read();
    this.#depth -= 1;
    return result;
  }

  /** A field, a group, a union or, in a struct itself, another declaration. */
  #member(struct: Declaration, members: Member[], isTop: boolean): void {
    const lexer = this.#lexer;
    const fail = this.#here();
    const name = lexer.read('word');
    const add = (kind: Member['kind'], own: Partial<Member>): void => {
      this.#count(fail);
      members.push({ kind, name, ordinal: undefined, type: undefined, default: undefined, members: [], fail, ...own });
    };
    const nested = (kind: 'group' | 'union', own: Partial<Member>): void => {
      const inner: Member[] = [];
      this.#annotations();
      this.#block(() => this.#member(struct, inner, false));
      if (inner.length < (kind === 'union' ? 2 : 1)) fail(kind === 'union' ? 'a union must have at least two members' : 'a group must have a member');
      add(kind, { ...own, members: inner });
    };
    if (name === 'union' && this.#is('{')) return nested('union', { name: '' });
    if (!this.#is('@') && !this.#is(':')) {
      if (!isTop) lexer.unexpected('“@” and the number of the field');
      return this.#generic(name, struct, fail);
    }
    const ordinal = this.#is('@') ? this.#ordinal() : undefined;
    const isOld = lexer.take('!');
    lexer.expect(':');
    if (lexer.kind === 'word' && (lexer.token === 'union' || lexer.token === 'group')) {
      const kind = lexer.token;
      const type = this.#expression();
      if (this.#is('{') || this.#is('$')) {
        if (kind === 'group' && ordinal !== undefined) fail('a group has no number');
        return nested(kind, { ordinal });
      }
      if (ordinal === undefined || isOld) return lexer.unexpected('“{”');
      return this.#field(type, add, ordinal);
    }
    if (ordinal === undefined) return fail(`the field ${name} has no number, ${name} @0`);
    if (isOld) return lexer.unexpected('“union”');
    this.#field(this.#expression(), add, ordinal);
  }

  #field(type: Expression, add: (kind: 'field', own: Partial<Member>) => void, ordinal: number): void {
    const value = this.#lexer.take('=') ? this.#expression() : undefined;
    this.#endStatement();
    add('field', { ordinal, type, default: value });
  }

  #optionalId(): void {
    if (this.#is('@')) this.#id();
  }

  #id(): void {
    this.#lexer.expect('@');
    this.#integer();
  }

  #ordinal(): number {
    this.#lexer.expect('@');
    const fail = this.#here();
    const value = this.#integer();
    return value <= MAX_ORDINAL ? Number(value) : fail(`the number ${value} is above ${MAX_ORDINAL}`);
  }

  #integer(): bigint {
    const fail = this.#here();
    return integerOf(this.#lexer.read('number')) ?? fail('expected an integer');
  }

  /** `$annotation` or `$annotation(value)`, any number of times. */
  #annotations(): void {
    while (this.#lexer.take('$')) this.#expression();
  }

  /** Skips annotations and `;`; with `all`, anything up to it. */
  #endStatement(all = false): void {
    const lexer = this.#lexer;
    if (all) {
      const open: string[] = [];
      for (; open.length > 0 || !this.#is(';'); lexer.next()) {
        if (lexer.kind === 'end' || this.#is('{') || this.#is('}')) lexer.unexpected('“;”');
        if (this.#is('(')) open.push(')');
        else if (this.#is('[')) open.push(']');
        else if ((this.#is(')') || this.#is(']')) && open.pop() !== lexer.token) lexer.unexpected('“;”');
      }
    }
    this.#annotations();
    lexer.expect(';');
  }

  #arguments(): Argument[] {
    const lexer = this.#lexer;
    const items: Argument[] = [];
    lexer.expect('(');
    while (!lexer.take(')')) {
      const value = this.#expression();
      // `name = value`
      if (value.kind === 'name' && !value.isAbsolute && lexer.take('=')) items.push({ name: value.name, value: this.#expression() });
      else items.push({ name: undefined, value });
      if (!lexer.take(',') && !this.#is(')')) lexer.unexpected('“,”');
    }
    return items;
  }

  #expression(): Expression {
    return this.#deeper(() => {
      let base = this.#base();
      for (;;) {
        const { fail } = base;
        if (this.#lexer.take('.')) base = { kind: 'member', of: base, name: this.#lexer.read('word'), fail };
        else if (this.#is('(')) base = { kind: 'apply', of: base, items: this.#arguments(), fail };
        else return base;
      }
    });
  }

  /** An expression without what follows it, `.member` or `(arguments)`. */
  #base(): Expression {
    const lexer = this.#lexer;
    const fail = this.#here();
    if (lexer.kind === 'string' || lexer.token.startsWith('`')) return { kind: 'text', bytes: this.#text(), fail };
    if (this.#is('(')) {
      const items = this.#arguments();
      return items.length === 1 && items[0]!.name === undefined ? items[0]!.value : { kind: 'tuple', items, fail };
    }
    if (lexer.take('[')) {
      const items: Expression[] = [];
      while (!lexer.take(']')) {
        items.push(this.#expression());
        if (!lexer.take(',') && !this.#is(']')) lexer.unexpected('“,”');
      }
      return { kind: 'list', items, fail };
    }
    if (lexer.take('.')) return { kind: 'name', name: lexer.read('word'), isAbsolute: true, fail };
    const isNegative = lexer.take('-');
    if (lexer.kind === 'number') return this.#number(isNegative, fail);
    if (isNegative) {
      lexer.expect('inf');
      return { kind: 'float', value: -Infinity, fail };
    }
    if (lexer.kind !== 'word') lexer.unexpected('a name or a value');
    const name = lexer.read('word');
    // Not a name, unless nothing is imported.
    if ((name === 'import' || name === 'embed') && (lexer.kind as string) === 'string') return { kind: name, path: lexer.read('string'), fail };
    return { kind: 'name', name, isAbsolute: false, fail };
  }

  #number(isNegative: boolean, fail: Fail): Expression {
    const text = this.#lexer.read('number');
    if (text === '0x') {
      const digits = this.#lexer.read('string').replaceAll(/\s+/g, '');
      if (isNegative || digits === '' || digits.length % 2 === 1 || !/^[\da-fA-F]*$/.test(digits))
        fail('expected pairs of hexadecimal digits in quotes');
      return { kind: 'data', bytes: Uint8Array.from(digits.match(/../g)!, (pair) => parseInt(pair, 16)), fail };
    }
    const value = integerOf(text);
    if (value !== undefined) return { kind: 'integer', value: isNegative ? -value : value, fail };
    if (!/^\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(text)) fail(`${text.slice(0, 40)} is not a number`);
    return { kind: 'float', value: isNegative ? -Number(text) : Number(text), fail };
  }

  /** One text, or several in a row. */
  #text(): Uint8Array {
    const lexer = this.#lexer;
    const parts: number[] = [];
    while (lexer.kind === 'string' || lexer.token.startsWith('`')) {
      if (lexer.kind === 'string') addBytes(parts, lexer.token, this.#here());
      else for (const byte of new TextEncoder().encode(`${lexer.token.slice(1)}\n`)) parts.push(byte);
      lexer.next();
    }
    return Uint8Array.from(parts);
  }
}

/** Numbers of the enumerants of an enum, or of the members of a struct: each once, without a gap. */
export class Ordinals {
  readonly #found = new Map<number, Fail>();

  add(ordinal: number, fail: Fail): void {
    if (this.#found.has(ordinal)) fail(`the number ${ordinal} is used twice`);
    this.#found.set(ordinal, fail);
  }

  check(): void {
    const sorted = [...this.#found.keys()].toSorted((a, b) => a - b);
    const gap = sorted.findIndex((each, index) => each !== index);
    if (gap >= 0) this.#found.get(sorted[gap]!)!(`the number ${gap} is missing: numbers must follow each other from 0`);
  }
}

const ESCAPES: Readonly<Record<string, number | undefined>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "'": 39, '"': 34, '\\': 92, '?': 63 };

/** Adds the bytes of a text with escapes: `\n`, `\x41` or `\101`. */
function addBytes(into: number[], text: string, fail: Fail): void {
  const encoder = new TextEncoder();
  for (const [, plain, hex, octal, sign] of text.matchAll(/([^\\]+)|\\x([\da-fA-F]{2})|\\([0-7]{1,3})|\\(.?)/gs)) {
    if (plain !== undefined) for (const byte of encoder.encode(plain)) into.push(byte);
    else if (hex !== undefined) into.push(parseInt(hex, 16));
    else if (octal !== undefined) into.push(parseInt(octal, 8) & 0xff);
    else into.push(ESCAPES[sign!] ?? fail(`unknown escape \\${sign}`));
  }
}

/** The value of an integer as written: decimal, hexadecimal, or octal after a 0. Undefined for other text. */
function integerOf(text: string): bigint | undefined {
  if (!/^(?:0x[\da-fA-F]+|0[0-7]*|[1-9]\d*)$/.test(text) || text.length > 400) return undefined;
  return text.startsWith('0x') || text === '0' || !text.startsWith('0') ? BigInt(text) : BigInt(`0o${text.slice(1)}`);
}
