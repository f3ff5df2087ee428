import { joined } from '../../../core/bytes/byte-input.ts';
import { MESSAGE } from '../../../core/formats/protobuf/schema/schema.ts';
import { methodsInDescriptors, type ServiceMethod } from '../schemas/services.ts';
import { methodsIn } from './call-sites.ts';
import { descriptorsIn, type FoundFile, fileOf } from './descriptors.ts';
import { addFieldLists } from './field-lists.ts';
import { addJsonRoots } from './json-roots.ts';
import { addReaders } from './readers.ts';
import { Registry } from './registry.ts';
import { Script } from './script.ts';
import type { DraftField, DraftMessage, FoundMessage, FoundSchemas } from './types.ts';
import type { PageScript } from '../../adapter/adapter.ts';
import { wrapped } from './wire.ts';
import { addWriters } from './writers.ts';

/** Limits on the scripts that are parsed, in characters: of one, and of all. */
const MAX_LENGTH = 12_000_000;
const ALL = 40_000_000;

/** Marks of code that has to do with Protocol Buffers. Other scripts are not parsed. */
const MARKS = /\bproto3?\b|protobuf|fileDesc|makeMessageType|deserializeBinary|uint32\(\d|\bnested\b|fromBinary|typeName/;

/**
 * Finds the message types and services of Protocol Buffers in a page's scripts, by the code that generators make: descriptors
 * (protobuf-es 2), lists of fields (protobuf-es 1, protobuf-ts), readers (google-protobuf), writers (protobuf.js as static
 * code, ts-proto) and JSON (protobuf.js). The scripts are parsed, not run. Scripts that cannot be parsed are left out.
 */
export function findSchemas(pages: readonly PageScript[]): FoundSchemas {
  const scripts = parseAll(pages);
  const registry = new Registry();
  const files = new Map<string, FoundFile & { where: string }>();
  for (const { url, text } of pages) for (const file of descriptorsIn(text)) if (!files.has(file.name)) files.set(file.name, { ...file, where: url });
  for (const script of scripts) {
    addFieldLists(script, registry);
    addReaders(script, registry);
    addWriters(script, registry);
  }
  const methods = scripts.flatMap((script) => [...addJsonRoots(script, registry), ...methodsIn(script, registry)]);
  const described = [...files.values()].flatMap(({ messages, where }) => messages.map((name) => ({ name, where, by: 'protobuf-es' })));
  const known = new Set(described.map(({ name }) => name));
  const drafts = registry.messages.filter(({ name }) => !known.has(name)).map(finished);
  const parts = [...files.values()].map(({ bytes }) => wrapped(1, bytes));
  if (drafts.length > 0) parts.push(wrapped(1, fileOf(drafts)));
  const descriptorSet = joined(parts);
  const messages: FoundMessage[] = [...described, ...drafts.map(({ name, where, by }) => ({ name, where, by }))];
  return { descriptorSet, messages, methods: agreed([...methodsInDescriptors(descriptorSet), ...methods]) };
}

function parseAll(pages: readonly PageScript[]): Script[] {
  const byUrl = new Map<string, Script>();
  let length = 0;
  for (const { url, text } of pages) {
    length += text.length;
    if (text.length > MAX_LENGTH || length > ALL || !MARKS.test(text)) continue;
    try {
      byUrl.set(url, new Script(url, text, (other) => byUrl.get(other)));
    } catch {
      // Not a script, or one of a later language.
    }
  }
  return [...byUrl.values()];
}

/**
 * The message with the entries of ts-proto's maps, which are messages with a key and a value, as maps. Of fields with the same number or
 * name, the first stays: code that was read wrong must not make all types unusable.
 */
function finished(message: DraftMessage): DraftMessage {
  const numbers = new Set<number>();
  const names = new Set<string>();
  const fields = message.fields.filter(({ number, name }) => {
    const isFirst = !numbers.has(number) && !names.has(name);
    if (isFirst) {
      numbers.add(number);
      names.add(name);
    }
    return isFirst;
  });
  return { ...message, fields: fields.map(mapField) };
}

function mapField(field: DraftField): DraftField {
  const entry = field.isEntry ? field.message?.() : undefined;
  const [key, value] = [1, 2].map((number) => entry?.fields.find((candidate) => candidate.number === number));
  return key && value ? { name: field.name, number: field.number, type: MESSAGE, repeated: true, map: { key: key.type, value } } : field;
}

/** Methods by path. If scripts disagree about a type, it is left out. */
function agreed(methods: readonly ServiceMethod[]): ServiceMethod[] {
  const found = new Map<string, ServiceMethod>();
  for (const method of methods) {
    const before = found.get(method.path);
    found.set(
      method.path,
      before ? { path: method.path, request: common(before.request, method.request), response: common(before.response, method.response) } : method,
    );
  }
  return [...found.values()];
}

function common(one: string, other: string): string {
  if (one === other || other === '') return one;
  return one === '' ? other : '';
}
