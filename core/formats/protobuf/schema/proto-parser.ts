import { SchemaLexer } from '../../../format/schema-lexer.ts';
import {
  type Descriptor,
  type EnumDescriptor,
  FEATURE_VALUES,
  type FeatureSet,
  type FieldDescriptor,
  type FileDescriptor,
  OPTIONAL,
  type Options,
  REPEATED,
  REQUIRED,
} from './descriptors.ts';
import { unescapeBytes } from './escapes.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  FIXED32,
  FIXED64,
  FLOAT,
  GROUP,
  INT32,
  INT64,
  MESSAGE,
  SFIXED32,
  SFIXED64,
  SINT32,
  SINT64,
  STRING,
  UINT32,
  UINT64,
} from './schema.ts';

const SCALARS = new Map(
  Object.entries({
    double: DOUBLE,
    float: FLOAT,
    int64: INT64,
    uint64: UINT64,
    int32: INT32,
    fixed64: FIXED64,
    fixed32: FIXED32,
    bool: BOOL,
    string: STRING,
    bytes: BYTES,
    uint32: UINT32,
    sfixed32: SFIXED32,
    sfixed64: SFIXED64,
    sint32: SINT32,
    sint64: SINT64,
  }),
);
const LABELS = new Map([
  ['optional', OPTIONAL],
  ['required', REQUIRED],
  ['repeated', REPEATED],
]);
const NO_KEYS = new Set([DOUBLE, FLOAT, BYTES]);
/** Nesting depth of messages. */
const MAX_DEPTH = 100;
/** Problems that are listed: finding the line of each takes time. */
const MAX_PROBLEMS = 100;

/** Targets of a declaration: the lists that receive its fields, its groups and the entries of its maps. */
interface Targets {
  fields: FieldDescriptor[];
  types: Descriptor[];
  extendee?: string;
  oneof?: number;
}

/** Options that matter to the parser. */
interface FieldOptions extends Options {
  allow_alias?: boolean;
  default?: string;
  json_name?: string;
}

/**
 * Parses a `.proto` text into the descriptor that protoc would write, except that type names stay as in the text.
 * Services, and options without effect on payloads, are skipped. Throws a SchemaError with the line. `problems` receives what protoc
 * refuses although its meaning is plain.
 */
export function parseProto(text: string, problems: string[] = []): FileDescriptor {
  return new Parser(text, problems).file();
}

class Parser extends SchemaLexer {
  readonly #problems: string[];
  #syntax = 'proto2';

  constructor(text: string, problems: string[]) {
    super(text);
    this.#problems = problems;
  }

  file(): FileDescriptor {
    const file: FileDescriptor = { dependency: [], public_dependency: [], message_type: [], enum_type: [], extension: [], options: {} };
    while (this.kind !== 'end') {
      if (this.take('syntax')) {
        this.expect('=');
        file.syntax = this.#string();
        if (file.syntax !== 'proto2' && file.syntax !== 'proto3') this.fail(`unknown syntax ${JSON.stringify(file.syntax.slice(0, 40))}`);
        this.#syntax = file.syntax;
        this.expect(';');
      } else if (this.take('edition')) {
        this.expect('=');
        const edition = this.#string();
        if (edition !== '2023' && edition !== '2024') this.fail(`unknown edition ${JSON.stringify(edition.slice(0, 40))}; expected 2023 or 2024`);
        file.syntax = 'editions';
        this.#syntax = 'editions';
        this.expect(';');
      } else if (this.take('import')) {
        const isPublic = this.take('public');
        if (!isPublic && !this.take('weak')) this.take('option');
        const path = this.#string();
        file.dependency.push(path);
        if (isPublic) file.public_dependency!.push(path);
        this.expect(';');
      } else if (this.take('package')) {
        file.package = this.#fullName();
        this.expect(';');
      } else if (this.take('option')) {
        this.#option(file.options!);
        this.expect(';');
      } else if (this.take('service')) {
        this.read('word');
        this.#skipBlock();
      } else {
        if (!this.take('export')) this.take('local');
        if (!this.#definition(file.message_type, file.enum_type, file.extension, 0) && !this.take(';')) this.unexpected('a definition');
      }
    }
    return file;
  }

  /** Parses a message, enum or extension, if one follows. */
  #definition(messages: Descriptor[], enums: EnumDescriptor[], extensions: FieldDescriptor[], depth: number): boolean {
    if (this.take('message')) messages.push(this.#message(this.read('word'), depth));
    else if (this.take('enum')) enums.push(this.#enum());
    else if (this.take('extend')) this.#extend({ fields: extensions, types: messages, extendee: this.#typeName() }, depth);
    else return false;
    return true;
  }

  #message(name: string, depth: number): Descriptor {
    if (depth > MAX_DEPTH) this.fail('messages are nested too deep');
    const options: Options = {};
    const message: Descriptor = { name, field: [], nested_type: [], enum_type: [], extension: [], options, oneof_decl: [] };
    const targets: Targets = { fields: message.field, types: message.nested_type };
    this.expect('{');
    while (!this.take('}')) {
      if (this.take('option')) {
        this.#option(options);
        this.expect(';');
      } else if (this.take('oneof')) {
        this.#oneof(message, depth);
      } else if (this.take('extensions') || this.take('reserved')) {
        while (!this.take(';')) this.#skipToken();
      } else if (!this.take(';')) {
        if (!this.take('export')) this.take('local');
        if (!this.#definition(message.nested_type, message.enum_type, message.extension, depth + 1)) this.#field(targets, depth);
      }
    }
    return message;
  }

  #oneof(message: Descriptor, depth: number): void {
    const options: Options = {};
    const oneof = message.oneof_decl.push({ name: this.read('word'), options }) - 1;
    this.expect('{');
    while (!this.take('}')) {
      if (this.take('option')) {
        this.#option(options);
        this.expect(';');
      } else if (!this.take(';')) {
        this.#field({ fields: message.field, types: message.nested_type, oneof }, depth);
      }
    }
  }

  #extend(targets: Targets, depth: number): void {
    this.expect('{');
    while (!this.take('}')) if (!this.take(';')) this.#field(targets, depth);
  }

  /** `label type name = number [options];`, a group or a map. */
  #field({ fields, types, extendee, oneof }: Targets, depth: number): void {
    const { start } = this;
    const label = LABELS.get(this.token);
    if (label !== undefined) this.next();
    if (label === REQUIRED && this.#syntax === 'proto3') this.#problem('proto3 has no required fields', start);
    const field: FieldDescriptor = { label: label ?? OPTIONAL };
    if (extendee !== undefined) field.extendee = extendee;
    if (oneof !== undefined) field.oneof_index = oneof;
    const typeName = this.#typeName();
    if (typeName === 'group') {
      this.#group(field, types, depth);
      fields.push(field);
      return;
    }
    let entry: Descriptor | undefined;
    if (typeName === 'map' && this.take('<')) entry = this.#mapEntry(field);
    else this.#setType(field, typeName);
    if (label === undefined && !entry && oneof === undefined && this.#syntax === 'proto2')
      this.#problem('a field of proto2 is required, optional or repeated', start);
    field.name = this.read('word');
    if (entry) types.push({ ...entry, name: (field.type_name = entryNameOf(field.name)) });
    this.#rest(field);
    // The features of a map apply to its keys and values.
    if (entry && field.options) for (const part of entry.field) part.options = field.options;
    if (label === OPTIONAL && this.#syntax === 'proto3' && oneof === undefined && extendee === undefined) field.proto3_optional = true;
    fields.push(field);
    this.expect(';');
  }

  /** `name = number [options] { … }`: the name is the message's, and the field's in lower case. */
  #group(field: FieldDescriptor, types: Descriptor[], depth: number): void {
    const name = this.read('word');
    field.name = name.toLowerCase();
    field.type = GROUP;
    field.type_name = name;
    this.#rest(field);
    types.push(this.#message(name, depth + 1));
  }

  /** `key, value>` of a map. */
  #mapEntry(field: FieldDescriptor): Descriptor {
    const key: FieldDescriptor = { name: 'key', number: 1, label: OPTIONAL };
    const value: FieldDescriptor = { name: 'value', number: 2, label: OPTIONAL };
    this.#setType(key, this.#typeName());
    if (key.type === undefined || NO_KEYS.has(key.type)) this.fail('a map whose keys are not integers, booleans or strings');
    this.expect(',');
    this.#setType(value, this.#typeName());
    this.expect('>');
    field.label = REPEATED;
    field.type = MESSAGE;
    return { field: [key, value], nested_type: [], enum_type: [], extension: [], oneof_decl: [], options: { map_entry: true } };
  }

  #setType(field: FieldDescriptor, name: string): void {
    const scalar = SCALARS.get(name);
    if (scalar === undefined) field.type_name = name;
    else field.type = scalar;
  }

  /** `= number [options]`. */
  #rest(field: FieldDescriptor): void {
    this.expect('=');
    const { start } = this;
    field.number = this.#integer();
    if (field.number >= 19_000 && field.number < 20_000) this.#problem('the numbers 19000 to 19999 are reserved for protobuf itself', start);
    if (!this.take('[')) return;
    const options: FieldOptions = {};
    do this.#option(options);
    while (this.take(','));
    this.expect(']');
    const text = options.default;
    if (text !== undefined && this.#syntax === 'proto3') this.#problem('proto3 has no defaults', start);
    if (text !== undefined) field.default_value = field.type === STRING ? new TextDecoder().decode(unescapeBytes(text)) : defaultOf(text, field.type);
    if (options.json_name !== undefined) field.json_name = new TextDecoder().decode(unescapeBytes(options.json_name));
    const { features, packed } = options;
    if (features || packed !== undefined) field.options = { ...(features && { features }), ...(packed !== undefined && { packed }) };
  }

  #enum(): EnumDescriptor {
    const options: FieldOptions = {};
    const { start } = this;
    const item: EnumDescriptor = { name: this.read('word'), value: [], options };
    const names = new Map<number, string>();
    const aliases: [reason: string, start: number][] = [];
    this.expect('{');
    while (!this.take('}')) {
      if (this.take('option')) {
        this.#option(options);
        this.expect(';');
      } else if (this.take('reserved')) {
        while (!this.take(';')) this.#skipToken();
      } else if (!this.take(';')) {
        const at = this.start;
        const name = this.read('word');
        this.expect('=');
        const number = this.#integer();
        if (item.value.length === 0 && number !== 0 && this.#syntax === 'proto3') this.#problem(`the first value of ${item.name} must be 0`, at);
        const other = names.get(number);
        if (other !== undefined) aliases.push([`${name} and ${other} have the same number: set the option allow_alias`, at]);
        names.set(number, name);
        item.value.push({ name, number });
        if (this.take('[')) {
          const ignored: Options = {};
          do this.#option(ignored);
          while (this.take(','));
          this.expect(']');
        }
        this.expect(';');
      }
    }
    if (!options.allow_alias) for (const [reason, at] of aliases) this.#problem(reason, at);
    else if (aliases.length === 0) this.#problem(`${item.name} has the option allow_alias, and no two values with the same number`, start);
    delete options.allow_alias;
    return item;
  }

  #problem(reason: string, start: number): void {
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push(`${this.place(start)}: ${reason}`);
  }

  /** `name = value`; keeps defaults, JSON names and features. */
  #option(options: FieldOptions): void {
    const name: string[] = [];
    do {
      if (this.take('(')) {
        name.push(`(${this.#typeName()})`);
        this.expect(')');
      } else {
        name.push(this.read('word'));
      }
    } while (this.take('.'));
    this.expect('=');
    const [first, feature] = name;
    if (this.take('{')) {
      const fields = this.#aggregate();
      if (first === 'features' && name.length === 1) for (const [key, value] of fields) this.#feature(options, key, value);
      return;
    }
    const isString = this.kind === 'string';
    const value = this.#value();
    if (name.length === 2 && first === 'features') this.#feature(options, feature!, value);
    else if (name.length === 1 && first === 'default') options.default = value;
    else if (name.length === 1 && first === 'packed') options.packed = value === 'true';
    else if (name.length === 1 && first === 'allow_alias') options.allow_alias = value === 'true';
    else if (name.length === 1 && first === 'json_name' && isString) options.json_name = value;
  }

  #feature(options: FieldOptions, name: string, value: string): void {
    if (!Object.hasOwn(FEATURE_VALUES, name)) return;
    const key = name as keyof FeatureSet;
    const values = FEATURE_VALUES[key];
    if (!Object.hasOwn(values, value)) this.fail(`the feature ${name} has no value ${value.slice(0, 40)}`);
    (options.features ??= {})[key] = values[value]!;
  }

  /** A string (adjacent literals are joined), a signed number, or a name. */
  #value(): string {
    if (this.kind === 'string') return this.#literals();
    const sign = this.take('-') ? '-' : '';
    if (sign === '') this.take('+');
    const { kind, token } = this;
    if (kind !== 'word' && kind !== 'number') this.unexpected('a value');
    this.next();
    return sign + token;
  }

  /** Skips `… }`. Returns the names and values at its top level. */
  #aggregate(): Map<string, string> {
    const values = new Map<string, string>();
    let name = '';
    for (let depth = 1; depth > 0;) {
      if (this.kind === 'sign') {
        if ('{<['.includes(this.token)) depth += 1;
        else if ('}>]'.includes(this.token)) depth -= 1;
        else if (this.token !== ':') name = '';
      } else if (depth === 1 && name !== '') {
        values.set(name, this.token);
        name = '';
      } else {
        name = this.token;
      }
      this.#skipToken();
    }
    return values;
  }

  #skipBlock(): void {
    this.expect('{');
    for (let depth = 1; depth > 0; this.#skipToken()) {
      if (this.kind !== 'sign') continue;
      if (this.token === '{') depth += 1;
      else if (this.token === '}') depth -= 1;
    }
  }

  #skipToken(): void {
    if (this.kind === 'end') this.unexpected('more');
    this.next();
  }

  #literals(): string {
    const parts: string[] = [];
    while (this.kind === 'string') parts.push(this.read('string'));
    return parts.join('');
  }

  #string(): string {
    if (this.kind !== 'string') this.unexpected('a string');
    return this.#literals();
  }

  #integer(): number {
    const isNegative = this.take('-');
    const text = this.read('number');
    const value = Number(/^0\d+$/.test(text) ? `0o${text.slice(1)}` : text);
    if (!Number.isInteger(value) || value > 0xffffffff) this.fail(`${text.slice(0, 40)} is not a 32-bit integer`);
    return isNegative ? -value : value;
  }

  /** A dotted name, which may begin with a dot. */
  #typeName(): string {
    return this.take('.') ? `.${this.#fullName()}` : this.#fullName();
  }

  #fullName(): string {
    const parts = [this.read('word')];
    while (this.take('.')) parts.push(this.read('word'));
    return parts.join('.');
  }
}

/** Name that protoc gives to the type of a map's entries. */
function entryNameOf(field: string): string {
  return `${field.replace(/(?:^|_)(.?)/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

/** Converts a default to the form in descriptors: integers in decimal. In texts, octal ones begin with a zero. */
function defaultOf(text: string, type: number | undefined): string {
  const [, sign, digits] = type === BYTES ? [] : (/^(-?)0(\d+)$/.exec(text) ?? []);
  return digits === undefined ? text : `${sign}0o${digits}`;
}
