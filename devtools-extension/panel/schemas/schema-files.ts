import type { FormatId } from '../../../core/format/format-id.ts';
import { ABOUT, FORMATS } from '../../../core/formats/registry.ts';
import { fromBase64, toBase64 } from '../../adapter/bytes.ts';
import type { SchemaInput } from '../../reading/protocol.ts';
import type { ServiceMethod } from '../../reading/schemas/services.ts';

/** A schema that the user dropped, or kept from a page. */
export interface SchemaFile {
  name: string;
  format: FormatId;
  /** Text, or bytes in base64. */
  text?: string;
  base64?: string;
  /** Schema object from a page, as JSON with bytes as `{ $base64 }`. It names its own type. */
  given?: string;
  /** Types that a payload can have: messages, records, tables. */
  types: string[];
  /** Methods of its services, if they are not in `text` or `base64`. */
  methods?: ServiceMethod[];
}

/** Format and kind of a schema file, by extension. Binary schemas are validated by the worker, which also lists their types. */
const FILES = new Map(
  FORMATS.flatMap(({ id }) => Object.entries(ABOUT[id].schemaFiles ?? {}).map(([extension, kind]) => [extension, { format: id, kind }] as const)),
);
/** Type names of js-binary. */
const TYPE_NAMES = new Set(['uint', 'int', 'float', 'string', 'Buffer', 'boolean', 'json', 'oid', 'regex', 'date']);
const AVRO_TYPES = new Set(['record', 'enum', 'fixed', 'array', 'map', 'error']);

function extensionOf(name: string): string {
  return /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** True if other files share the extension, so only the content identifies a schema. */
export function isDoubtful(name: string): boolean {
  return FILES.get(extensionOf(name))?.kind === 'doubtful';
}

/** Reads a schema file; undefined for other files. The types of a binary schema are not known yet. */
export function schemaFileOf(name: string, bytes: Uint8Array): SchemaFile | undefined {
  const extension = extensionOf(name);
  const file = FILES.get(extension);
  if (file?.kind === 'text') {
    const text = new TextDecoder().decode(bytes);
    return { name, format: file.format, text, types: typesOf(extension, text) };
  }
  if (file) return { name, format: file.format, base64: toBase64(bytes), types: [] };
  return extension === 'json' || extension === 'structures' ? schemaOfJson(name, bytes) : undefined;
}

/** Schema in a JSON file; undefined for a JSON payload. */
function schemaOfJson(name: string, bytes: Uint8Array): SchemaFile | undefined {
  let value: unknown;
  const text = new TextDecoder().decode(bytes);
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const format = isAvroSchema(value)
    ? 'avro'
    : isStructures(value) && /structures/i.test(name)
      ? 'messagepack'
      : isTypeLiteral(value)
        ? 'jsbinary'
        : undefined;
  return format && { name, format, text, types: [] };
}

function isAvroSchema(value: unknown): boolean {
  const { type, name, fields, items, values, symbols, size } = (value ?? {}) as Record<string, unknown>;
  if (typeof type !== 'string' || !AVRO_TYPES.has(type)) return false;
  return (
    Array.isArray(fields) ||
    Array.isArray(symbols) ||
    items !== undefined ||
    values !== undefined ||
    (typeof size === 'number' && typeof name === 'string')
  );
}

/** msgpackr structures: a list of keys for each record, null for a gap. */
function isStructures(value: unknown): boolean {
  return Array.isArray(value) && value.every((keys) => keys === null || (Array.isArray(keys) && keys.every((key) => typeof key === 'string')));
}

/** js-binary type literal: type names in objects and one-item lists. */
function isTypeLiteral(value: unknown): boolean {
  if (typeof value === 'string') return TYPE_NAMES.has(value);
  if (Array.isArray(value)) return value.length === 1 && isTypeLiteral(value[0]);
  if (typeof value !== 'object' || value === null) return false;
  const inner = Object.values(value);
  return inner.length > 0 && inner.every(isTypeLiteral);
}

/** Names of the types that a schema text defines. */
export function typesOf(extension: string, text: string): string[] {
  const plain = text.replaceAll(/\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, '');
  if (extension === 'proto') return protoMessages(plain);
  if (extension === 'fbs') return tables(plain);
  if (extension === 'capnp') return nested('struct', text.replaceAll(/#[^\n]*/g, ''), undefined);
  if (extension === 'bop') return Array.from(plain.matchAll(/\b(?:struct|message|union)\s+(\w+)/g), ([, name]) => name!);
  return [];
}

/** Full names of the tables in a FlatBuffers schema, the root type first. */
function tables(text: string): string[] {
  const names: string[] = [];
  let namespace = '';
  let root: string | undefined;
  for (const [, word, name] of text.matchAll(/\b(namespace|table|root_type)\s+([\w.]+)/g)) {
    const full = namespace === '' ? name! : `${namespace}.${name}`;
    if (word === 'namespace') namespace = name!;
    else if (word === 'table') names.push(full);
    else root = names.includes(name!) ? name : full;
  }
  return root === undefined ? names : [root, ...names.filter((name) => name !== root)];
}

/** Largest nesting of messages that are listed: names of each level are as long as all levels. */
const MAX_DEPTH = 100;

function protoMessages(text: string): string[] {
  return nested('message', text, /\bpackage\s+([\w.]+)\s*;/.exec(text)?.[1]);
}

/** Names of the messages or structs of a text, with those of the types around them. */
function nested(keyword: 'message' | 'struct', text: string, prefix: string | undefined): string[] {
  const names: string[] = [];
  const open: (string | undefined)[] = [];
  let word: string | undefined;
  const declarations = keyword === 'message' ? /\b(message)\s+(\w+)\s*(?=\{)|[{}]/g : /\b(struct|interface)\s+([A-Z]\w*)|[{}]/g;
  for (const [token, kind, name] of text.matchAll(declarations)) {
    if (token === '{') {
      open.push(word);
      word = undefined;
    } else if (token === '}') {
      open.pop();
    } else {
      word = name;
      if (open.length < MAX_DEPTH && kind === keyword) names.push([prefix, ...open, name].filter((part) => part !== undefined).join('.'));
    }
  }
  return names;
}

/** Input of the format's `compileSchema` for a type of a file. `others` are files that it may import. */
export function schemaInput(file: SchemaFile, type: string, others: readonly SchemaFile[]): SchemaInput {
  const { format, name } = file;
  if (file.given !== undefined) return { name, format, input: fromJson(file.given) };
  const about = { name: type ? `${name}: ${type}` : name, format };
  const bytes = bytesOf(file);
  const imported = (text: object): object => ({ ...text, imports: importsOf(file, others) });
  switch (format) {
    case 'protobuf':
      return { ...about, input: bytes ? { descriptorSet: bytes, message: type } : imported({ proto: file.text, message: type }) };
    case 'bebop':
      return { ...about, input: { bop: file.text, record: type } };
    case 'flatbuffers':
      return {
        ...about,
        input: bytes ? { bfbs: bytes, ...(type && { table: type }) } : imported({ fbs: file.text, ...(type && { root: type }) }),
      };
    case 'capnproto':
      return { ...about, input: bytes ? { request: bytes, struct: type } : imported({ capnp: file.text, struct: type }) };
    case 'messagepack':
      return { name, format, input: undefined, options: { structures: fromJson(file.text!) } };
    default:
      return { name, format, input: parsed(file.text) };
  }
}

/** Bytes of files, which are needed for each row of a list. */
const decoded = new WeakMap<SchemaFile, Uint8Array>();

function bytesOf(file: SchemaFile): Uint8Array | undefined {
  if (file.base64 === undefined) return undefined;
  let bytes = decoded.get(file);
  if (!bytes) decoded.set(file, (bytes = fromBase64(file.base64)));
  return bytes;
}

/** Texts of imported files of the same format, by import path. */
function importsOf(file: SchemaFile, others: readonly SchemaFile[]): Record<string, string> {
  const texts = others.filter(({ name, format }) => format === file.format && name !== file.name);
  const imports: Record<string, string> = {};
  const open = [file.text ?? ''];
  for (const text of open) {
    for (const [, path] of text.matchAll(/\b(?:import|include)\s+(?:public\s+|weak\s+)?"([^"]+)"/g)) {
      const found = texts.find(({ name }) => path!.endsWith(name));
      if (found?.text === undefined || Object.hasOwn(imports, path!)) continue;
      imports[path!] = found.text;
      open.push(found.text);
    }
  }
  return imports;
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return text;
  }
}

/** Serializes a value as JSON, with bytes as `{ $base64 }` and bigints as `{ $bigint }`. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return { $bigint: String(item) };
    if (item instanceof ArrayBuffer) return { $base64: toBase64(new Uint8Array(item)) };
    return ArrayBuffer.isView(item) ? { $base64: toBase64(new Uint8Array(item.buffer, item.byteOffset, item.byteLength)) } : item;
  });
}

export function fromJson(text: string): unknown {
  return JSON.parse(text, (_, item: unknown) => {
    const { $base64, $bigint } = (item ?? {}) as { $base64?: unknown; $bigint?: unknown };
    if (typeof $bigint === 'string') return BigInt($bigint);
    return typeof $base64 === 'string' ? fromBase64($base64) : item;
  });
}
