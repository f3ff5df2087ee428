import { SchemaError } from '../../../errors.ts';
import { checkName, jsonNameOf } from './definitions.ts';
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
import { BYTES, ENUM, GROUP, MESSAGE, TYPE_NAMES } from './schema.ts';

/** Nesting depth of namespaces and types. */
const MAX_DEPTH = 100;
/** Limit on types and fields. */
const MAX_COUNT = 200_000;

const LABELS: Readonly<Record<string, number | undefined>> = { optional: OPTIONAL, required: REQUIRED, repeated: REPEATED };
/** Editions by their names in protobuf.js's JSON, which leaves out that of proto3. */
const EDITIONS: Readonly<Record<string, number | undefined>> = { '2023': 1000, '2024': 1001 };

type Json = Readonly<Record<string, unknown>>;

/**
 * Descriptors of a `Root` of protobuf.js, or of its JSON (https://github.com/protobufjs/protobuf.js#using-json-descriptors): one file for
 * each namespace and edition.
 */
export function descriptorsOfReflection(root: object): FileDescriptor[] {
  const { toJSON } = root as { toJSON?: () => unknown };
  return new Reflection().read(objectOf(typeof toJSON === 'function' ? toJSON.call(root) : root));
}

class Reflection {
  /** By namespace and edition. */
  readonly #files = new Map<string, FileDescriptor>();
  /** Messages and enums by their full names. */
  readonly #kinds = new Map<string, number>();
  /** Resolves the types of fields, once all types are known. */
  readonly #later: (() => void)[] = [];
  #count = 0;

  read(root: Json): FileDescriptor[] {
    this.#namespace(root, '', 'proto3', 0);
    for (const step of this.#later) step();
    return [...this.#files.values()];
  }

  #namespace(namespace: Json, scope: string, inherited: string, depth: number): void {
    for (const [name, value] of Object.entries(objectOf(namespace['nested']))) {
      const item = objectOf(value);
      const edition = editionOf(item, inherited);
      if (item['fields']) this.#file(scope, edition).message_type.push(this.#message(item, name, scope, depth + 1));
      else if (item['values']) this.#file(scope, edition).enum_type.push(this.#enum(item, name, scope));
      else if (item['extend'] !== undefined) this.#file(scope, edition).extension.push(this.#field(item, name, scope));
      else if (!item['methods']) this.#namespace(item, this.#enter(name, scope, depth), edition, depth + 1);
    }
  }

  #file(scope: string, edition: string): FileDescriptor {
    const key = `${scope} ${edition}`;
    const known = this.#files.get(key);
    if (known) return known;
    const number = EDITIONS[edition];
    if (number === undefined && edition !== 'proto2' && edition !== 'proto3') throw new SchemaError(`unknown edition ${edition.slice(0, 40)}`);
    const file: FileDescriptor = {
      package: scope,
      dependency: [],
      message_type: [],
      enum_type: [],
      extension: [],
      ...(number === undefined ? { syntax: edition } : { syntax: 'editions', edition: number }),
    };
    this.#files.set(key, file);
    return file;
  }

  #message(message: Json, name: string, scope: string, depth: number): Descriptor {
    const own = this.#enter(name, scope, depth);
    this.#define(own, message['group'] === true ? GROUP : MESSAGE);
    const oneofs = Object.entries(objectOf(message['oneofs']));
    const descriptor: Descriptor = {
      name,
      field: [],
      nested_type: [],
      enum_type: [],
      extension: [],
      oneof_decl: oneofs.map(([each, value]) => ({ name: each, options: optionsOf(objectOf(value)) })),
      options: optionsOf(message),
    };
    const indices = new Map(
      oneofs.flatMap(([, value], index) => ((objectOf(value)['oneof'] ?? []) as unknown[]).map((member) => [String(member), index] as const)),
    );
    for (const [field, value] of Object.entries(objectOf(message['fields']))) {
      const made = this.#fieldOrMap(objectOf(value), field, own, descriptor);
      const oneof = indices.get(field);
      if (oneof !== undefined) made.oneof_index = oneof;
      descriptor.field.push(made);
    }
    for (const [each, value] of Object.entries(objectOf(message['nested']))) {
      const item = objectOf(value);
      if (item['fields']) descriptor.nested_type.push(this.#message(item, each, own, depth + 1));
      else if (item['values']) descriptor.enum_type.push(this.#enum(item, each, own));
      else if (item['extend'] !== undefined) descriptor.extension.push(this.#field(item, each, own));
    }
    return descriptor;
  }

  #fieldOrMap(field: Json, name: string, scope: string, into: Descriptor): FieldDescriptor {
    if (typeof field['keyType'] !== 'string') return this.#field(field, name, scope);
    const json = jsonNameOf(name);
    const entry = `${json.charAt(0).toUpperCase()}${json.slice(1)}Entry`;
    into.nested_type.push({
      name: entry,
      nested_type: [],
      enum_type: [],
      extension: [],
      oneof_decl: [],
      options: { map_entry: true },
      field: [this.#field({ type: field['keyType'], id: 1 }, 'key', scope), this.#field({ type: field['type'], id: 2 }, 'value', scope)],
    });
    return { name, number: numberOf(field, name), label: REPEATED, type: MESSAGE, type_name: `.${scope}.${entry}` };
  }

  #field(field: Json, name: string, scope: string): FieldDescriptor {
    this.#count += 1;
    if (this.#count > MAX_COUNT) throw new SchemaError(`the schema has more than ${MAX_COUNT} types and fields`);
    const { type, rule, extend } = field;
    const given = objectOf(field['options']);
    if (typeof type !== 'string') throw new SchemaError(`the field ${name} of ${scope} has no type`);
    const scalar = TYPE_NAMES.indexOf(type);
    const descriptor: FieldDescriptor = {
      name,
      number: numberOf(field, name),
      label: LABELS[String(rule)] ?? OPTIONAL,
      ...(given['proto3_optional'] === true && { proto3_optional: true }),
      ...(given['default'] !== undefined && { default_value: defaultOf(textOf(given['default']), scalar) }),
      ...(typeof given['json_name'] === 'string' && { json_name: given['json_name'] }),
      options: optionsOf(field),
    };
    if (scalar > 0 && scalar !== GROUP && scalar !== MESSAGE && scalar !== ENUM) descriptor.type = scalar;
    else {
      this.#later.push(() => {
        const full = this.#resolve(type, scope) ?? unresolved(`the type ${type.slice(0, 100)} of ${scope}.${name} is not defined`);
        descriptor.type = this.#kinds.get(full)!;
        descriptor.type_name = `.${full}`;
      });
    }
    if (extend !== undefined) {
      const extendee = textOf(extend);
      this.#later.push(() => {
        descriptor.extendee = `.${this.#resolve(extendee, scope) ?? unresolved(`${extendee.slice(0, 100)} is not defined`)}`;
      });
    }
    return descriptor;
  }

  #enum(item: Json, name: string, scope: string): EnumDescriptor {
    this.#define(this.#enter(name, scope, 0), ENUM);
    const value = Object.entries(objectOf(item['values'])).map(([each, number]) => ({ name: each, number: Number(number) }));
    return { name, value, options: optionsOf(item) };
  }

  #enter(name: string, scope: string, depth: number): string {
    if (depth > MAX_DEPTH) throw new SchemaError(`types are nested more than ${MAX_DEPTH} levels deep`);
    return checkName(scope === '' ? name : `${scope}.${name}`);
  }

  #define(name: string, kind: number): void {
    this.#count += 1;
    this.#kinds.set(name, kind);
  }

  /** The full name of a type, from a scope outwards. */
  #resolve(name: string, scope: string): string | undefined {
    if (name.startsWith('.')) return this.#kinds.has(name.slice(1)) ? name.slice(1) : undefined;
    for (let outer = scope; ; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
      const full = outer === '' ? name : `${outer}.${name}`;
      if (this.#kinds.has(full)) return full;
      if (outer === '') return undefined;
    }
  }
}

/** A default as in a descriptor, which has C escapes for bytes. */
function defaultOf(text: string, type: number): string {
  return type === BYTES ? text.replaceAll('\\', '\\\\') : text;
}

function unresolved(reason: string): never {
  throw new SchemaError(reason);
}

function editionOf({ edition }: Json, inherited: string): string {
  return edition === undefined ? inherited : textOf(edition);
}

/** Text of a string, number or boolean. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return unresolved('expected text, a number or a boolean');
}

function numberOf({ id }: Json, name: string): number {
  return typeof id === 'number' ? id : unresolved(`the field ${name} has no id`);
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

/** The options that change values: `packed`, and features, as an object or each with its path. */
function optionsOf(item: Json): Options {
  const options = objectOf(item['options']);
  const given: Json = { ...objectOf(options['features']), ...fromPaths(options) };
  const features: FeatureSet = {};
  for (const [name, values] of Object.entries(FEATURE_VALUES)) {
    const number = values[String(given[name])];
    if (number !== undefined) features[name as keyof FeatureSet] = number;
  }
  return { features, ...(typeof options['packed'] === 'boolean' && { packed: options['packed'] }) };
}

/** `{ 'features.field_presence': 'IMPLICIT' }`. */
function fromPaths(options: Json): Json {
  return Object.fromEntries(
    Object.entries(options).flatMap(([key, value]) => {
      const name = key.replace(/^\(?features\)?\./, '');
      return name === key ? [] : [[name, value]];
    }),
  );
}
