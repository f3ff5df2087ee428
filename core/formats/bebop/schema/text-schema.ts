import { SchemaError } from '../../../errors.ts';
import { Names, RESERVED } from './names.ts';
import {
  type BebopSchema,
  BOOL,
  BYTE,
  DATE,
  ENUM,
  FLOAT32,
  FLOAT64,
  GUID,
  INT16,
  INT32,
  INT64,
  MESSAGE,
  type RecordSchema,
  STRING,
  STRUCT,
  Tables,
  UINT16,
  UINT32,
  UINT64,
  UNION,
} from './schema.ts';

const SCALARS = new Map(
  Object.entries({
    bool: BOOL,
    byte: BYTE,
    uint8: BYTE,
    uint16: UINT16,
    int16: INT16,
    uint32: UINT32,
    int32: INT32,
    uint64: UINT64,
    int64: INT64,
    float32: FLOAT32,
    float64: FLOAT64,
    string: STRING,
    guid: GUID,
    date: DATE,
  }),
);
const MAX_DEPTH = 50;
/** Bits of intermediate values of enums, whose final values have 64. */
const WIDEST = 256;

/**
 * Reads `.bop` texts (https://docs.bebop.sh/guide/writing-bops): structs, messages, unions and enums. Constants,
 * services and decorators other than `flags` and `deprecated` do not affect payloads and are skipped. Rejects texts that bebopc rejects.
 */
export function readTextSchema(text: string, imports: Readonly<Record<string, string>>, root: string): BebopSchema {
  const tables = new Tables();
  const names = new Names(tables);
  const seen = new Set<string>();
  const absent: string[] = [];
  const queue: [file: string, text: string][] = [['', text]];
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [file, source] = next;
    try {
      for (const path of new Parser(tokenize(source), tables, names).file()) {
        if (seen.has(path)) continue;
        seen.add(path);
        if (Object.hasOwn(imports, path)) queue.push([path, imports[path]!]);
        else absent.push(path);
      }
    } catch (error) {
      throw error instanceof SchemaError && file !== '' ? new SchemaError(`${file}: ${error.reason}`) : error;
    }
  }
  names.check(absent);
  return tables.finish(names.defined, root);
}

class Parser {
  readonly #tokens: Token[];
  readonly #tables: Tables;
  readonly #names: Names;
  #at = 0;
  /** The current definition, and the union around it. */
  #user = '';
  #union = '';
  readonly #imports: string[] = [];

  constructor(tokens: Token[], tables: Tables, names: Names) {
    this.#tokens = tokens;
    this.#tables = tables;
    this.#names = names;
  }

  /** Reads a file. Returns the paths that it imports. */
  file(): string[] {
    while (this.#token.kind !== 'end') {
      if (this.#take('import')) {
        this.#imports.push(this.#expect('string'));
        this.#take(';');
      } else if (this.#take('const')) {
        while (!this.#take(';')) this.#next();
      } else if (!this.#take(';')) {
        this.#definition();
      }
    }
    return this.#imports;
  }

  /** Reads a definition. Returns its type; −1 for a service. */
  #definition(): number {
    const isFlags = this.#decorators().has('flags');
    if (this.#take('service')) return this.#service();
    while (this.#take('readonly') || this.#take('mut'));
    if (this.#take('struct')) return this.#record(STRUCT);
    if (this.#take('message')) return this.#record(MESSAGE);
    if (this.#take('union')) return this.#branches();
    if (this.#take('enum')) return this.#enum(isFlags);
    return this.#fail('a definition');
  }

  #record(kind: number): number {
    const name = this.#expect('word');
    const fields: RecordSchema['fields'] = [];
    const ref = this.#tables.records.push({ name, fields }) - 1;
    const type = this.#names.define(name, this.#union, kind, ref);
    this.#user = name;
    this.#expect('{');
    while (!this.#take('}')) {
      const isDeprecated = this.#decorators().has('deprecated') && kind === MESSAGE;
      let index = 0;
      if (kind === MESSAGE) {
        index = this.#index();
        this.#expect('->');
      } else {
        this.#take('mut');
      }
      const fieldType = this.#type(0);
      const field = this.#expect('word');
      if (RESERVED.has(field)) throw new SchemaError(`${name}.${field} has a reserved name`);
      fields.push({ name: field, type: fieldType, index, ...(isDeprecated && { isDeprecated }) });
      this.#expect(';');
    }
    return type;
  }

  #branches(): number {
    if (this.#union !== '') this.#fail('a struct or message');
    const name = this.#expect('word');
    const branches: { discriminator: number; type: number }[] = [];
    const type = this.#names.define(name, '', UNION, this.#tables.unions.push({ name, branches }) - 1);
    this.#union = name;
    this.#expect('{');
    while (!this.#take('}')) {
      this.#decorators();
      const discriminator = this.#index();
      this.#expect('->');
      const { text } = this.#token;
      const isNew = ['struct', 'message', 'mut', 'readonly', '@', '['].includes(text);
      branches.push({ discriminator, type: isNew ? this.#definition() : this.#names.useIn(name, name, this.#expect('word')) });
      this.#take(';');
    }
    this.#union = '';
    return type;
  }

  #enum(flags: boolean): number {
    const name = this.#expect('word');
    let base = UINT32;
    if (this.#take(':')) {
      const scalar = SCALARS.get(this.#expect('word')) ?? 0;
      if (scalar < BYTE || scalar > INT64) this.#fail('a type of integers', -1);
      base = scalar;
    }
    const names: string[] = [];
    const values: bigint[] = [];
    const type = this.#names.define(name, '', ENUM, this.#tables.enums.push({ name, base, flags, names, values }) - 1);
    const known = new Map<string, bigint>();
    this.#expect('{');
    while (!this.#take('}')) {
      this.#decorators();
      const member = this.#expect('word');
      this.#expect('=');
      const value = this.#or(known, 0);
      known.set(member, value);
      names.push(member);
      values.push(value);
      this.#expect(';');
    }
    return type;
  }

  /** Reads `T[]`, `array[T]`, `map[K, V]`, a scalar or a name. */
  #type(depth: number): number {
    if (depth > MAX_DEPTH) this.#fail('a type with less nesting');
    let type: number;
    if (this.#take('array')) {
      this.#expect('[');
      type = this.#tables.array(this.#type(depth + 1));
      this.#expect(']');
    } else if (this.#take('map')) {
      this.#expect('[');
      const key = this.#type(depth + 1);
      this.#expect(',');
      type = this.#tables.map(key, this.#type(depth + 1));
      this.#expect(']');
    } else {
      const name = this.#expect('word');
      const scalar = SCALARS.get(name);
      type = scalar === undefined ? this.#names.useIn(this.#user, this.#union, name) : this.#tables.type(scalar);
    }
    for (let around = 0; this.#take('['); around += 1) {
      if (around > MAX_DEPTH) this.#fail('a type with less nesting');
      this.#expect(']');
      type = this.#tables.array(type);
    }
    return type;
  }

  /** Reads the number before a field of a message or a branch: from 1 to 255. */
  #index(): number {
    const number = Number(this.#expect('number'));
    if (!Number.isInteger(number) || number < 1 || number > 255) this.#fail('a number from 1 to 255', -1);
    return number;
  }

  /** Skips decorators, `@name(…)` and `[name(…)]`. Returns their names. */
  #decorators(): Set<string> {
    const names = new Set<string>();
    for (;;) {
      const isOld = this.#take('[');
      if (!isOld && !this.#take('@')) return names;
      names.add(this.#expect('word'));
      if (this.#take('(')) {
        for (let depth = 1; depth > 0; this.#next()) {
          if (this.#token.text === '(' && this.#token.kind === 'sign') depth += 1;
          if (this.#token.text === ')' && this.#token.kind === 'sign') depth -= 1;
        }
      }
      if (isOld) this.#expect(']');
    }
  }

  /** Reads an enum's value. Precedence from low to high: |, &, shifts, sums, and then signs, names and numbers. */
  #or(known: ReadonlyMap<string, bigint>, depth: number): bigint {
    let value = this.#and(known, depth);
    while (this.#take('|')) value |= this.#and(known, depth);
    return value;
  }

  #and(known: ReadonlyMap<string, bigint>, depth: number): bigint {
    let value = this.#shift(known, depth);
    while (this.#take('&')) value &= this.#shift(known, depth);
    return value;
  }

  #shift(known: ReadonlyMap<string, bigint>, depth: number): bigint {
    let value = this.#operand(known, depth);
    for (;;) {
      const left = this.#take('<<');
      if (!left && !this.#take('>>')) return value;
      const by = this.#operand(known, depth);
      if (by < 0n || by > 64n) this.#fail('a shift by 0 to 64 bits', -1);
      value = left ? value << by : value >> by;
      if (BigInt.asIntN(WIDEST, value) !== value) this.#fail('a shift of fewer bits', -1);
    }
  }

  #operand(known: ReadonlyMap<string, bigint>, depth: number): bigint {
    if (depth > MAX_DEPTH) this.#fail('a value with less nesting');
    if (this.#take('-')) return -this.#operand(known, depth + 1);
    if (this.#take('+')) return this.#operand(known, depth + 1);
    if (this.#take('~')) return ~this.#operand(known, depth + 1);
    if (this.#take('(')) {
      const value = this.#or(known, depth + 1);
      this.#expect(')');
      return value;
    }
    if (this.#token.kind === 'word') {
      const value = known.get(this.#token.text);
      if (value === undefined) this.#fail('the name of an earlier value');
      this.#next();
      return value;
    }
    const text = this.#expect('number');
    if (!/^(?:\d{1,40}|0[xX][\da-fA-F]{1,32})$/.test(text)) this.#fail('an integer', -1);
    return BigInt(text);
  }

  /** Skips a service: methods as `name(stream Request): Response;`. */
  #service(): number {
    this.#expect('word');
    this.#expect('{');
    while (!this.#take('}')) {
      this.#decorators();
      this.#expect('word');
      this.#expect('(');
      this.#messageOfMethod();
      this.#expect(')');
      this.#expect(':');
      this.#messageOfMethod();
      this.#take(';');
    }
    return -1;
  }

  #messageOfMethod(): void {
    this.#take('stream');
    if (SCALARS.has(this.#expect('word'))) this.#fail('the name of a record', -1);
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  #next(): void {
    if (this.#token.kind === 'end') this.#fail('more');
    this.#at += 1;
  }

  /** Skips a word or sign, if it is next. */
  #take(text: string): boolean {
    const { kind, text: found } = this.#token;
    if (found !== text || (kind !== 'word' && kind !== 'sign')) return false;
    this.#at += 1;
    return true;
  }

  #expect(what: string): string {
    const { kind, text } = this.#token;
    if (kind !== what && (text !== what || kind !== 'sign')) this.#fail(what.length < 3 ? `“${what}”` : `a ${what === 'word' ? 'name' : what}`);
    this.#at += 1;
    return text;
  }

  #fail(what: string, back = 0): never {
    const { text, line } = this.#tokens[this.#at + back]!;
    throw new SchemaError(`line ${line}: expected ${what} but found ${text}`);
  }
}

/** One token of a `.bop` text: a word, a number, a string without its quotes, or a sign. */
interface Token {
  kind: 'word' | 'number' | 'string' | 'sign' | 'end';
  text: string;
  line: number;
}

/**
 * White space and comments, then: a guid or number; a word; a sign. A number may contain letters, as in 0x1f, 1e9 and
 * guids.
 */
const PATTERN =
  /(?:\s+|\/\/[^\n]*|\/\*[^]*?\*\/)|(\d[\w.]*(?:-[\da-fA-F]+)*)|([A-Za-z_]\w*(?:-[\da-fA-F]+){0,4})|(->|<<|>>|[-+*/|&^~(){}[\]:;,=<>@?.])/y;

/** Splits a text into tokens, the last of which is the end. */
function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let feed = text.indexOf('\n');
  for (let at = 0, end = 0; at < text.length; at = end) {
    if (text[at] === '"' || text[at] === "'") {
      end = stringEnd(text, at);
      if (end > 0) tokens.push({ kind: 'string', text: text.slice(at + 1, end - 1), line });
    } else {
      PATTERN.lastIndex = at;
      const [, number, word, sign] = PATTERN.exec(text) ?? [];
      end = PATTERN.lastIndex;
      if (number !== undefined) tokens.push({ kind: 'number', text: number, line });
      else if (word !== undefined) tokens.push({ kind: 'word', text: word, line });
      else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, line });
    }
    if (end === 0) throw new SchemaError(`line ${line}: unexpected ${JSON.stringify(text.slice(at, at + 10))}`);
    for (; feed >= 0 && feed < end; feed = text.indexOf('\n', feed + 1)) line += 1;
  }
  tokens.push({ kind: 'end', text: 'the end', line });
  return tokens;
}

/** Position after a string, in which quotes are doubled or escaped; 0 if it does not end. */
function stringEnd(text: string, start: number): number {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\' || (text[at] === quote && text[at + 1] === quote)) at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return 0;
}
