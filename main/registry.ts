import { bytesFrom } from '../core/bytes/bytes-in.ts';
import { DecodeError, NetworkError, SchemaError } from '../core/errors.ts';
import type { AvroSchemaSource } from '../core/formats/avro/options.ts';
import type { DecodeOptions, SchemaDefinition } from './call/options/options.ts';
import type { ResultAs } from './call/options/results.ts';
import type { ResultForm } from './rows/form.ts';

/** Options of `createRegistry`. */
export interface RegistryOptions {
  /**
   * Address of the registry, or of the part of it that has Confluent's interface, such as `https://registry.example/apis/ccompat/v7`.
   * It is asked for `/schemas/ids/{id}`, `/schemas/guids/{guid}` and `/subjects/{subject}/versions/{version}`. Default: the paths
   * alone are passed to `fetch`.
   */
  url?: string | URL | undefined;
  /** Sends the requests, for example with an `Authorization` header or from a cache. Default: the platform's `fetch`. */
  fetch?: ((url: string, init: { headers: Record<string, string> }) => Response | Promise<Response>) | undefined;
  /** Bytes of the number after the zero byte: 4, as Confluent and Apicurio 3 write it, or 8, as Apicurio 2 does. Default 4. */
  idBytes?: 4 | 8 | undefined;
  /**
   * Avro schemas to read data as, by the full name of the type that the data were written with; see `reader` in the schemas of
   * Avro. Default: data are read as they were written.
   */
  readers?: Readonly<Record<string, AvroSchemaSource>> | undefined;
}

/** Where the number of a message's schema is. */
export interface FramedMessage {
  /**
   * The headers of the Kafka record. `__value_schema_id` (Confluent), `apicurio.value.globalId` or `apicurio.value.contentId` name
   * the schema of a message that has no frame. Others are ignored.
   */
  headers?: Readonly<Record<string, unknown>> | undefined;
  /** The bytes are the record's key, so that the headers are `__key_schema_id` and so on. Default false. */
  isKey?: boolean | undefined;
}

/** A message as it was received. */
export type MessageBytes = ArrayBufferLike | ArrayBufferView | Blob | Response;

/** A message without its frame, and the format and schema to decode it with. */
export type OpenMessage = { readonly bytes: Uint8Array<ArrayBuffer> } & (SchemaDefinition | { readonly format: 'json'; readonly schema?: undefined });

/** Options of `Registry.decode`: where the schema is, and the options of `decoder.decode`. */
export type RegistryDecodeOptions = FramedMessage & Omit<DecodeOptions, 'format' | 'schema'>;

/** Reads messages that name their schema in a registry. */
export interface Registry {
  /**
   * Finds the format and the schema of a message, and removes its frame. Each schema is asked for once; messages with the same
   * schema have the same object, so that it is compiled once. Rejects with a DecodeError for other bytes, with a SchemaError if
   * the registry has no such schema, and with a NetworkError if it does not answer.
   *
   * @example
   * const { bytes, ...setting } = await registry.open(message);
   * const rows = await decoder.decode(bytes, { ...setting, as: 'rows' });
   */
  open(message: MessageBytes, place?: FramedMessage): Promise<OpenMessage>;
  /**
   * Decodes a message with `decoder`. Rejects as `open` and `decoder.decode` do; offsets in errors count from the end of the frame.
   *
   * @example
   * socket.onmessage = async ({ data }) => show(await registry.decode<Trip>(decoder, data));
   */
  decode<T = unknown, A extends ResultForm = 'objects'>(
    decoder: { decode(source: Uint8Array<ArrayBuffer>, options: DecodeOptions): Promise<unknown> },
    message: MessageBytes,
    options?: RegistryDecodeOptions & { as?: A | undefined },
  ): Promise<ResultAs<T, A>>;
}

/** A schema as the registry returns it. */
interface RegisteredContent {
  schema: string;
  /** Absent for Avro. */
  schemaType?: string;
  references?: readonly { name: string; subject: string; version: number }[];
}

/** Format and schema of messages. */
type Setting = SchemaDefinition | { readonly format: 'json' };

/** Number of schemas that a schema may refer to, directly or not. */
const MAX_REFERENCES = 1_000;
/** Depth of nested messages that a message of Protocol Buffers may lie at. */
const MAX_INDEXES = 100;
const HEADERS = { accept: 'application/vnd.schemaregistry.v1+json, application/json' };
/** Bytes of a guid, which follows a byte 1. */
const GUID_BYTES = 16;

/**
 * Reads messages as the serializers of Confluent's schema registry and of Apicurio write them: a zero byte, the number of the schema,
 * and Avro, Protocol Buffers (after the indexes of the message in its file) or JSON
 * (https://docs.confluent.io/platform/current/schema-registry/fundamentals/serdes-develop/index.html#wire-format). A byte 1 and a
 * guid, and the headers of a record, may stand for the number. Asks the registry by Confluent's interface, once per schema.
 *
 * @example
 * const registry = createRegistry({ url: 'https://registry.example' });
 * const trip = await registry.decode<Trip>(decoder, message);
 */
export function createRegistry(options: RegistryOptions = {}): Registry {
  const { url = '', fetch: send = (address, init) => fetch(address, init), idBytes = 4, readers = {} } = options;
  if (options.url === undefined && !options.fetch) throw new TypeError('a registry needs its address or a function: { url } or { fetch }');
  if (idBytes !== 4 && idBytes !== 8) throw new TypeError(`invalid idBytes: ${String(idBytes)}; expected 4 or 8`);
  const base = String(url).replace(/\/$/, '');
  const contents = new Map<string, Promise<RegisteredContent>>();
  const settings = new Map<string, Promise<Setting>>();

  const ask = (path: string): Promise<RegisteredContent> => kept(contents, path, () => request(send, base + path, path));

  const settingOf = async (path: string, content: RegisteredContent, message: readonly number[]): Promise<Setting> => {
    const references = await referencesOf(content, ask);
    if (content.schemaType === 'PROTOBUF') {
      const { messageAt } = await import('../core/formats/protobuf/schema/proto-text.ts');
      const imports = Object.fromEntries(references);
      return { format: 'protobuf', schema: { proto: content.schema, message: messageAt(content.schema, message), imports } };
    }
    const own = { schema: content.schema, references: [...references.values()] };
    const name = avroName(content.schema, path);
    const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
    return { format: 'avro', schema: reader === undefined ? own : { writer: own, reader } };
  };

  const open = async (message: MessageBytes, place: FramedMessage = {}): Promise<OpenMessage> => {
    const bytes = await wholeOf(message);
    const [name, header] = headerOf(place);
    const named = header ?? bytes;
    const isApicurio = name?.startsWith('apicurio') ?? idBytes === 8;
    const frame = name && isApicurio ? { path: numberOf(named, 0, 8), end: 8 } : frameOf(named, idBytes);
    const path = `/schemas/${frame.path}`;
    const content = await ask(path);
    const { schemaType = 'AVRO' } = content;
    let { end } = frame;
    let indexes: number[] = [];
    if (schemaType === 'PROTOBUF') {
      if (frame.end === 8 || idBytes === 8)
        throw new SchemaError('Protocol Buffers of Apicurio 2 are not supported: have them written with ids of 4 bytes');
      [indexes, end] = readIndexes(named, end);
    } else if (schemaType !== 'AVRO' && schemaType !== 'JSON') {
      throw new SchemaError(`the schema ${path} has the unknown type ${schemaType.slice(0, 40)}; known: AVRO, PROTOBUF, JSON`);
    }
    const setting =
      schemaType === 'JSON'
        ? ({ format: 'json' } as const)
        : await kept(settings, `${path} ${indexes.join()}`, () => settingOf(path, content, indexes));
    return { ...setting, bytes: header ? bytes : bytes.subarray(end) };
  };

  return {
    open,
    async decode(decoder, message, { headers, isKey, ...rest } = {}) {
      rest.signal?.throwIfAborted();
      const { bytes, ...setting } = await open(message, { headers, isKey });
      return (await decoder.decode(bytes, { ...rest, ...setting } as DecodeOptions)) as never;
    },
  };
}

/** The value of a key, made once. A failure is not kept. */
function kept<T>(known: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let value = known.get(key);
  if (value === undefined) {
    known.set(key, (value = make()));
    value.catch(() => known.delete(key));
  }
  return value;
}

async function request(send: NonNullable<RegistryOptions['fetch']>, address: string, path: string): Promise<RegisteredContent> {
  let response: Response;
  let body: unknown;
  try {
    response = await send(address, { headers: HEADERS });
    body = await response.json().catch(() => undefined);
  } catch (cause) {
    throw new NetworkError(`the schema registry cannot be reached for ${path}`, 0, { cause });
  }
  const { status } = response;
  const { schema, message } = (body ?? {}) as { schema?: unknown; message?: unknown };
  const said = typeof message === 'string' ? `: ${message.slice(0, 200)}` : '';
  if (status === 404) throw new SchemaError(`the schema registry has no ${path}${said}`);
  if (!response.ok) throw new NetworkError(`the schema registry answered ${status} for ${path}${said}`, 0, { status });
  if (typeof schema !== 'string') throw new SchemaError(`the schema registry answered ${path} without a schema`);
  return body as RegisteredContent;
}

/** The texts that a schema refers to, directly or not, by the names that they are imported by. */
async function referencesOf(content: RegisteredContent, ask: (path: string) => Promise<RegisteredContent>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const seen = new Set<string>();
  const queue = [content];
  for (const { references } of queue) {
    const wanted = (references ?? []).map(({ name, subject, version }) => {
      return { name, path: `/subjects/${encodeURIComponent(subject)}/versions/${version}?deleted=true` };
    });
    const texts = await Promise.all(wanted.map(({ path }) => ask(path)));
    for (const [index, { name, path }] of wanted.entries()) {
      found.set(name, texts[index]!.schema);
      if (seen.has(path)) continue;
      seen.add(path);
      if (seen.size > MAX_REFERENCES) throw new SchemaError(`the schema refers to more than ${MAX_REFERENCES} others`);
      queue.push(texts[index]!);
    }
  }
  return found;
}

/** The bytes of a message. */
async function wholeOf(message: MessageBytes): Promise<Uint8Array<ArrayBuffer>> {
  const { arrayBuffer } = message as Partial<Response>;
  if (typeof arrayBuffer === 'function') return new Uint8Array(await arrayBuffer.call(message));
  return bytesFrom(message, 'the bytes of a message, a Blob or a Response');
}

/** The header of a record that names the schema, and its bytes. */
function headerOf({ headers = {}, isKey }: FramedMessage): [name?: string, bytes?: Uint8Array<ArrayBuffer>] {
  const part = isKey ? 'key' : 'value';
  const name = [`__${part}_schema_id`, `apicurio.${part}.globalId`, `apicurio.${part}.contentId`].find((each) => Object.hasOwn(headers, each));
  return name === undefined ? [] : [name, bytesFrom(headers[name], `bytes in the header ${name}`)];
}

/** The schema that a frame names, and where the frame ends. */
function frameOf(bytes: Uint8Array<ArrayBuffer>, idBytes: number): { path: string; end: number } {
  const [magic] = bytes;
  if (magic === undefined) throw new DecodeError('empty', 'the message is empty', { offset: 0 });
  if (magic > 1) {
    const hex = magic.toString(16).padStart(2, '0').toUpperCase();
    throw new DecodeError('malformed', `the message has no frame of a schema registry: it begins with ${hex}, not 00 or 01`, { offset: 0 });
  }
  const end = 1 + (magic === 0 ? idBytes : GUID_BYTES);
  if (bytes.length < end) throw truncated();
  if (magic === 0) return { path: numberOf(bytes, 1, idBytes), end };
  const digits = Array.from(bytes.subarray(1, end), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { path: `guids/${digits.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`, end };
}

function numberOf({ buffer, byteOffset, length: end }: Uint8Array, at: number, length: number): string {
  if (at + length > end) throw truncated();
  const view = new DataView(buffer, byteOffset + at, length);
  return `ids/${length === 4 ? view.getUint32(0) : view.getBigUint64(0)}`;
}

/**
 * Reads the indexes of a message in its file, and in the messages that enclose it: their number and each of them as a zigzag varint.
 * The number 0 stands for the first message. Returns where they end.
 */
function readIndexes(bytes: Uint8Array, at: number): [indexes: number[], end: number] {
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = bytes[at];
      if (byte === undefined) throw truncated();
      at += 1;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
    }
    throw new DecodeError('malformed', 'a message index has more than 5 bytes', { offset: at });
  };
  const count = varint();
  if (count < 0 || count > MAX_INDEXES) throw new DecodeError('malformed', `invalid number of message indexes: ${count}`, { offset: at });
  return [count === 0 ? [0] : Array.from({ length: count }, varint), at];
}

function truncated(): DecodeError {
  return new DecodeError('truncated', 'the message ends inside the frame of the schema registry', { offset: 0 });
}

/** The full name of the type of a schema, '' if it has none. */
function avroName(text: string, path: string): string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    // The name of a primitive type may stand alone.
    if (/^\w+$/.test(text)) return text;
    throw new SchemaError(`the schema ${path} is not JSON: ${(error as Error).message}`);
  }
  const { name = '', namespace } = (json ?? {}) as { name?: unknown; namespace?: unknown };
  return typeof namespace === 'string' && namespace !== '' && !String(name).includes('.') ? `${namespace}.${String(name)}` : String(name);
}
