import { SchemaLexer } from '../../../format/schema-lexer.ts';
import { BOOL, BYTE, DOUBLE, FLOAT, INT, LONG, SHORT, STRING, UBYTE, UINT, ULONG, USHORT } from './schema.ts';

/** Types with a name of the language. */
const BUILT_IN = new Map(
  Object.entries({
    bool: BOOL,
    byte: BYTE,
    int8: BYTE,
    ubyte: UBYTE,
    uint8: UBYTE,
    short: SHORT,
    int16: SHORT,
    ushort: USHORT,
    uint16: USHORT,
    int: INT,
    int32: INT,
    uint: UINT,
    uint32: UINT,
    long: LONG,
    int64: LONG,
    ulong: ULONG,
    uint64: ULONG,
    float: FLOAT,
    float32: FLOAT,
    double: DOUBLE,
    float64: DOUBLE,
    string: STRING,
  }),
);

/** Attributes in parentheses: a value as written, '' for none. */
export type Attributes = ReadonlyMap<string, string>;

/** Throws a SchemaError with the file, the line and the column of a declaration. */
export type Fail = (reason: string) => never;

/** A type as written. */
export interface TypeUse {
  /** A built-in type; undefined for one with a name. */
  readonly base: number | undefined;
  readonly name: string;
  /** A vector, an array with its number of items, or neither. */
  readonly list: 'vector' | number | undefined;
  readonly fail: Fail;
}

/** A default as written. */
export interface DefaultText {
  readonly kind: 'number' | 'name' | 'string' | 'list';
  readonly text: string;
  readonly fail: Fail;
}

/** A field as written. */
export interface FieldDeclaration {
  readonly name: string;
  readonly type: TypeUse;
  readonly default: DefaultText | undefined;
  readonly attributes: Attributes;
  readonly fail: Fail;
}

/** A table, struct, enum or union as written. `order` counts the definitions, since a name means one that precedes it, if any does. */
export interface Declaration {
  readonly name: string;
  readonly scope: string;
  readonly order: number;
  readonly attributes: Attributes;
  readonly fail: Fail;
}

export interface ObjectDeclaration extends Declaration {
  readonly struct: boolean;
  readonly fields: readonly FieldDeclaration[];
}

export interface EnumDeclaration extends Declaration {
  readonly union: boolean;
  readonly type: TypeUse | undefined;
  readonly values: readonly { readonly name: string; readonly type: TypeUse | undefined; readonly value: bigint | undefined; readonly fail: Fail }[];
}

/** The declarations of all files. */
export interface FbsFile {
  readonly objects: ObjectDeclaration[];
  readonly enums: EnumDeclaration[];
  /** The root type of the first file, with the scope that names it, and its identifier. */
  root: { name: string; scope: string; order: number; fail: Fail } | undefined;
  identifier: string;
}

/**
 * Parses an `.fbs` text (https://flatbuffers.dev/grammar) into the declarations of `file`; `include` is called for the path of each
 * file that it includes, whose definitions precede its own. Services and annotations are skipped.
 */
export function parseFbs(text: string, file: FbsFile, path: string, include: (path: string, fail: Fail) => void): void {
  new Parser(text, file, path, include).file();
}

class Parser {
  readonly #lexer: SchemaLexer;
  readonly #file: FbsFile;
  readonly #include: (path: string, fail: Fail) => void;
  readonly #isMain: boolean;
  #scope = '';

  constructor(text: string, file: FbsFile, path: string, include: (path: string, fail: Fail) => void) {
    this.#lexer = new SchemaLexer(text, path);
    this.#file = file;
    this.#include = include;
    this.#isMain = path === '';
  }

  file(): void {
    const lexer = this.#lexer;
    while (lexer.kind !== 'end') {
      const fail = this.#here();
      if (lexer.take('include')) {
        this.#include(lexer.read('string'), fail);
        lexer.expect(';');
      } else if (lexer.take('native_include') || lexer.take('file_extension') || lexer.take('attribute')) {
        lexer.next();
        lexer.expect(';');
      } else if (lexer.take('namespace')) {
        this.#scope = this.#is(';') ? '' : this.#fullName();
        lexer.expect(';');
      } else if (lexer.take('root_type')) {
        const name = this.#fullName();
        if (this.#isMain) this.#file.root = { name, scope: this.#scope, order: this.#order, fail };
        lexer.expect(';');
      } else if (lexer.take('file_identifier')) {
        const text = lexer.read('string');
        if (text.length !== 4) fail('a file_identifier has 4 characters');
        if (this.#isMain) this.#file.identifier = text;
        lexer.expect(';');
      } else if (lexer.take('table')) this.#object(false, fail);
      else if (lexer.take('struct')) this.#object(true, fail);
      else if (lexer.take('enum')) this.#enum(false, fail);
      else if (lexer.take('union')) this.#enum(true, fail);
      else if (lexer.take('rpc_service')) this.#skipService();
      else if (!lexer.take(';')) lexer.unexpected('a definition');
    }
  }

  get #order(): number {
    return this.#file.objects.length + this.#file.enums.length;
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

  #declare(fail: Fail): Declaration {
    const name = this.#lexer.read('word');
    return { name: this.#scope === '' ? name : `${this.#scope}.${name}`, scope: this.#scope, order: this.#order, attributes: new Map(), fail };
  }

  /** `Name (attributes) { field: type = default (attributes); … }`. */
  #object(struct: boolean, fail: Fail): void {
    const lexer = this.#lexer;
    const fields: FieldDeclaration[] = [];
    const declaration = this.#declare(fail);
    const attributes = this.#attributes();
    this.#file.objects.push({ ...declaration, attributes, struct, fields });
    lexer.expect('{');
    while (!lexer.take('}')) {
      const at = this.#here();
      const name = lexer.read('word');
      lexer.expect(':');
      const type = this.#type();
      const value = lexer.take('=') ? this.#default() : undefined;
      fields.push({ name, type, default: value, attributes: this.#attributes(), fail: at });
      lexer.expect(';');
    }
  }

  /** `Name : type (attributes) { Value = 1 (attributes), … }`; the values of a union name types, `Type` or `Value: Type`. */
  #enum(union: boolean, fail: Fail): void {
    const lexer = this.#lexer;
    const declaration = this.#declare(fail);
    const type = lexer.take(':') ? this.#type() : undefined;
    if (!union && !type) lexer.unexpected('“:” and the type of the enum');
    const attributes = this.#attributes();
    const values: { name: string; type: TypeUse | undefined; value: bigint | undefined; fail: Fail }[] = [];
    if (union) values.push({ name: 'NONE', type: undefined, value: undefined, fail });
    lexer.expect('{');
    while (!lexer.take('}')) {
      const at = this.#here();
      const name = union ? this.#fullName() : lexer.read('word');
      const own: TypeUse | undefined = union ? (lexer.take(':') ? this.#type() : { base: undefined, name, list: undefined, fail: at }) : undefined;
      const value = lexer.take('=') ? this.#integer() : undefined;
      this.#attributes();
      values.push({ name: name.replaceAll('.', '_'), type: own, value, fail: at });
      if (!lexer.take(',') && !this.#is('}')) lexer.unexpected('“,”');
    }
    this.#file.enums.push({ ...declaration, attributes, union, type, values });
  }

  #type(): TypeUse {
    const lexer = this.#lexer;
    const fail = this.#here();
    if (!lexer.take('[')) {
      const name = this.#fullName();
      return { base: BUILT_IN.get(name), name, list: undefined, fail };
    }
    if (this.#is('[')) fail('a vector cannot hold vectors: wrap the inner one in a table');
    const { base, name } = this.#type();
    const list = lexer.take(':') ? Number(this.#integer()) : 'vector';
    if (typeof list === 'number' && !(list >= 1 && list <= 0xffff)) fail(`an array must have 1 to 65535 items, not ${list}`);
    lexer.expect(']');
    return { base, name, list, fail };
  }

  #default(): DefaultText {
    const lexer = this.#lexer;
    const fail = this.#here();
    if (lexer.kind === 'string') return { kind: 'string', text: lexer.read('string'), fail };
    if (lexer.take('[')) {
      lexer.expect(']');
      return { kind: 'list', text: '', fail };
    }
    const sign = lexer.take('-') ? '-' : '';
    if (sign === '') lexer.take('+');
    if (lexer.kind !== 'word') return { kind: 'number', text: sign + lexer.read('number'), fail };
    const name = this.#fullName();
    const calculate = FUNCTIONS[name];
    if (!calculate) return { kind: 'name', text: sign + name, fail };
    lexer.expect('(');
    const value = calculate(floatOf(this.#default().text));
    lexer.expect(')');
    return { kind: 'number', text: String(sign === '' ? value : -value), fail };
  }

  /** `(name: value, name)`. */
  #attributes(): Attributes {
    const lexer = this.#lexer;
    const found = new Map<string, string>();
    if (!lexer.take('(') || lexer.take(')')) return found;
    do {
      const name = lexer.kind === 'string' ? lexer.read('string') : lexer.read('word');
      let value = '';
      if (lexer.take(':')) {
        const sign = lexer.take('-') ? '-' : '';
        if (lexer.kind === 'sign' || lexer.kind === 'end') lexer.unexpected('a value');
        value = sign + lexer.token;
        lexer.next();
      }
      found.set(name, value);
    } while (lexer.take(','));
    lexer.expect(')');
    return found;
  }

  #integer(): bigint {
    const fail = this.#here();
    const isNegative = this.#lexer.take('-');
    if (!isNegative) this.#lexer.take('+');
    const value = integerOf(this.#lexer.read('number'));
    return value === undefined ? fail('expected an integer') : isNegative ? -value : value;
  }

  #fullName(): string {
    const parts = [this.#lexer.read('word')];
    while (this.#lexer.take('.')) parts.push(this.#lexer.read('word'));
    return parts.join('.');
  }

  #skipService(): void {
    const lexer = this.#lexer;
    lexer.read('word');
    lexer.expect('{');
    while (!lexer.take('}')) {
      if (lexer.kind === 'end') lexer.unexpected('“}”');
      lexer.next();
    }
  }
}

const FUNCTIONS: Readonly<Record<string, ((value: number) => number) | undefined>> = Object.assign(Object.create(null), {
  deg: (value: number) => (value / Math.PI) * 180,
  rad: (value: number) => (value / 180) * Math.PI,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
});

/** The value of an integer as written, which may be hexadecimal; undefined for other text. */
export function integerOf(text: string): bigint | undefined {
  const [, sign = '', digits = ''] = /^([+-]?)(0[xX][\da-fA-F]+|\d+)$/.exec(text) ?? [];
  if (digits === '' || digits.length > 400) return undefined;
  return sign === '-' ? -BigInt(digits) : BigInt(digits);
}

/** The value of a number as written, NaN for other text. */
export function floatOf(text: string): number {
  const [, sign = '', digits = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  const value = /^inf(?:inity)?$/i.test(digits) ? Infinity : digits === '' ? NaN : Number(digits);
  return sign === '-' ? -value : value;
}
