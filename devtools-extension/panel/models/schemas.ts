import type { FormatId } from '../../../worker/formats/registry.ts';
import { fromBase64 } from '../../adapter/bytes.ts';
import type { SchemaInput } from '../../reading/protocol.ts';
import { keptSignal } from './settings.ts';
import { toBase64 } from './value.ts';

/** A schema file that was dropped on the panel. */
export interface SchemaFile {
  name: string;
  format: FormatId;
  /** Text, or bytes in base64. */
  text?: string;
  base64?: string;
  /** Types that a payload can be: messages, records, tables. */
  types: string[];
}

/** Which requests a schema is for. */
export interface SchemaMapping {
  /** Part of a URL; `*` stands for anything. */
  pattern: string;
  file: string;
  type: string;
}

export const schemaFiles = keptSignal<SchemaFile[]>('schema-files', []);
export const schemaMappings = keptSignal<SchemaMapping[]>('schema-mappings', []);

const BY_EXTENSION: Readonly<Record<string, string>> = {
  proto: 'protobuf', desc: 'protobuf', pb: 'protobuf', protoset: 'protobuf', avsc: 'avro', bop: 'bebop', bfbs: 'flatbuffers', capnp: 'capnproto',
};

/** Takes in a file; undefined for what is no schema. */
export function schemaFileOf(name: string, bytes: Uint8Array): SchemaFile | undefined {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const format = BY_EXTENSION[extension] as FormatId | undefined;
  if (!format) return undefined;
  const isText = ['proto', 'avsc', 'bop'].includes(extension);
  const text = isText ? new TextDecoder().decode(bytes) : undefined;
  const types = text === undefined ? [] : typesOf(extension, text);
  return { name, format, types, ...(text === undefined ? { base64: toBase64(bytes) } : { text }) };
}

/** The names of the types that a schema text defines, as its format writes them. */
export function typesOf(extension: string, text: string): string[] {
  const plain = text.replaceAll(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '');
  if (extension === 'proto') return protoMessages(plain);
  if (extension === 'bop') return Array.from(plain.matchAll(/\b(?:struct|message|union)\s+(\w+)/g), ([, name]) => name!);
  return [];
}

function protoMessages(text: string): string[] {
  const prefix = /\bpackage\s+([\w.]+)\s*;/.exec(text)?.[1];
  const names: string[] = [];
  const open: (string | undefined)[] = [];
  let word: string | undefined;
  for (const [token, name] of text.matchAll(/\bmessage\s+(\w+)\s*(?=\{)|[{}]/g)) {
    if (token === '{') {
      open.push(word);
      word = undefined;
    } else if (token === '}') {
      open.pop();
    } else {
      word = name;
      names.push([prefix, ...open, name].filter((part) => part !== undefined).join('.'));
    }
  }
  return names;
}

export function matchesPattern(pattern: string, url: string): boolean {
  if (pattern === '') return false;
  const parts = pattern.split('*');
  let at = 0;
  for (const part of parts) {
    const found = url.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

/** The schema that was set for a URL: the last mapping that fits. */
export function schemaFor(url: string): SchemaInput | undefined {
  const mapping = schemaMappings.value.findLast(({ pattern }) => matchesPattern(pattern, url));
  const file = mapping && schemaFiles.value.find(({ name }) => name === mapping.file);
  return file && mapping ? schemaInput(file, mapping.type) : undefined;
}

function schemaInput(file: SchemaFile, type: string): SchemaInput {
  const { format, name } = file;
  const bytes = file.base64 === undefined ? undefined : fromBase64(file.base64);
  const input: Readonly<Record<string, unknown>> = {
    protobuf: bytes ? { descriptorSet: bytes, message: type } : { proto: file.text, message: type, imports: importsOf(file) },
    avro: file.text,
    bebop: { bop: file.text, record: type },
    flatbuffers: { bfbs: bytes, table: type },
    capnproto: { request: bytes, struct: type },
  };
  return { name: type ? `${name}: ${type}` : name, format, input: format === ('avro' as string) ? parsed(file.text) : input[format] };
}

/** The other `.proto` texts, by every path that could mean them. */
function importsOf(file: SchemaFile): Record<string, string> {
  const others = schemaFiles.value.filter(({ name, format }) => format === 'protobuf' && name !== file.name);
  const wanted = Array.from((file.text ?? '').matchAll(/\bimport\s+(?:public\s+|weak\s+)?"([^"]+)"/g), ([, path]) => path!);
  return Object.fromEntries(
    wanted.flatMap((path) => {
      const found = others.find(({ name }) => path.endsWith(name));
      return found?.text === undefined ? [] : [[path, found.text] as const];
    }),
  );
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return text;
  }
}
